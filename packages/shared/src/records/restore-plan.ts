/**
 * What a restore puts where, written down before the first record is touched, so that whoever comes after a crash
 * completes exactly that. Danger: every path follows from the places and the plan alone, never from what stands on the
 * disk, so the plan is followed with the same configuration that it was made with, or not at all.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { BackupError } from './backup-error.ts';
import type { RecordName, RecordPlaces } from './record-set.ts';
import { restoreMarker } from './restore-marker.ts';

const PLAN_VERSION = 1;
const STAGE = /^restore-[0-9a-f-]{36}$/;
const STAMP = /^\d{8}T\d{6}Z(-\d+)?$/;

const stepSchema = z.object({
  record: z.enum(['audit', 'memory', 'journal', 'discards', 'agent-keys', 'move-intents']),
  /** Of the staged file; null for a folder, which is staged whole. */
  sha256: z.string().nullable(),
});

const planSchema = z.object({
  version: z.literal(PLAN_VERSION),
  stage: z.string().regex(STAGE),
  stamp: z.string().regex(STAMP),
  vaultPath: z.string(),
  keysFile: z.string(),
  steps: z.array(stepSchema),
});

export type RestoreStep = Readonly<z.infer<typeof stepSchema>>;

export interface RestorePlan extends Readonly<Omit<z.infer<typeof planSchema>, 'steps'>> {
  readonly steps: readonly RestoreStep[];
}

/** Names within the folder of what is staged, by record. */
const STAGED: Readonly<Record<RecordName, string>> = {
  audit: 'audit.db',
  memory: 'memory.db',
  journal: 'journal.jsonl',
  discards: 'discarded.log',
  'agent-keys': 'agent-keys.json',
  'move-intents': 'move-intents',
};

export function newPlan(places: RecordPlaces, id: string, stamp: string, steps: readonly RestoreStep[]): RestorePlan {
  const { vaultPath, keysFile } = places;
  return { version: PLAN_VERSION, stage: `restore-${id}`, stamp, vaultPath, keysFile, steps };
}

export function stagePath({ dataPath }: RecordPlaces, { stage }: RestorePlan, record?: RecordName): string {
  return record === undefined ? join(dataPath, stage) : join(dataPath, stage, STAGED[record]);
}

/** Where what was there before is kept. Nothing is ever deleted. */
export function asideFolder({ dataPath }: RecordPlaces, { stamp }: RestorePlan): string {
  return join(dataPath, `replaced-${stamp}`);
}

/** Where a record is put. Discards never replace: they get a file beside those that are there. */
export function placeOf(places: RecordPlaces, { stamp }: RestorePlan, record: RecordName): string {
  if (record === 'discards') return join(places.vaultPath, `.discarded.restored-${stamp}.log`);
  if (record === 'agent-keys') return places.keysFile;
  return join(places.dataPath, STAGED[record]);
}

/** In vault and keys' folder, which may be other disks: what a rename puts into place. */
export function tempBeside(place: string): string {
  return `${place}.restoring`;
}

/** The plan of a restore that did not come to its end; null when there is none. @throws BackupError */
export async function standingPlan(places: RecordPlaces): Promise<RestorePlan | null> {
  const marker = restoreMarker(places.dataPath);
  const text = await readFile(marker, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const plan = parsePlan(text, marker);
  if (plan.vaultPath === places.vaultPath && plan.keysFile === places.keysFile) return plan;
  throw new BackupError(
    `The restore that was cut short was of the vault ${plan.vaultPath} with agents.keys_file ${plan.keysFile}: complete it with these.`,
  );
}

function parsePlan(text: string, marker: string): RestorePlan {
  try {
    return planSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new BackupError(
      `${marker} cannot be read, or is a newer version's: complete the restore with the version that began it.`,
      { cause: error },
    );
  }
}
