/**
 * What a backup says of itself: `manifest.json`, written last, so that a folder without one is no backup. Danger: it may
 * come from anywhere, so its names are only compared with those that records can have, never opened.
 */
import { z } from 'zod';
import { BackupError } from './backup-error.ts';

export const MANIFEST_NAME = 'manifest.json';
/** Grows with every change that an older program would misread. */
export const BACKUP_FORMAT = 1;
/** Far more than the entries of any backup; a larger file is none of ours. */
export const MANIFEST_MAX_BYTES = 16 * 1024 * 1024;

const fileSchema = z.object({
  record: z.string(),
  name: z.string(),
  version: z.int().nonnegative(),
  size: z.int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  rows: z.int().nonnegative(),
  damaged: z.int().nonnegative(),
});

const manifestSchema = z.object({
  format: z.literal(BACKUP_FORMAT),
  made_at: z.iso.datetime(),
  product: z.string(),
  vault: z.string().regex(/^[0-9a-f]{64}$/),
  files: z.array(fileSchema),
});

/** `rows`: rows, lines or entries; `damaged`: lines among them that cannot be read, carried along as they are. */
export type BackupFile = Readonly<z.infer<typeof fileSchema>>;

/** `vault`: hex SHA-256 of the vault's real path, which tells a person's vaults apart without naming them. */
export interface BackupManifest extends Readonly<Omit<z.infer<typeof manifestSchema>, 'files'>> {
  readonly files: readonly BackupFile[];
}

/** @throws BackupError when it is no manifest, or that of a newer version */
export function parseManifest(text: string, folder: string): BackupManifest {
  const stored = parseJson(text);
  const format = (stored as { format?: unknown } | null)?.format;
  if (typeof format === 'number' && format > BACKUP_FORMAT) {
    throw new BackupError(
      `The backup in ${folder} was made by a newer version (format ${format}; this one knows ${BACKUP_FORMAT}): restore it with that one.`,
    );
  }
  const parsed = manifestSchema.safeParse(stored);
  if (parsed.success) return parsed.data;
  throw new BackupError(`The manifest of the backup in ${folder} cannot be read: it is damaged, or no backup's.`, {
    cause: parsed.error,
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
