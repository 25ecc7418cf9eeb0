/**
 * The note that several become, as the gate would be sent it, and all that it takes to write it and mark them. Pure but for the
 * edits that are computed through the ports. Danger: what none of them had must not come in by the merging, and what says of a
 * note what it is (type, tags) must not get lost.
 */
import { uniqueTags } from '@vault-mcp/shared/vault/note/tags';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import type { MergedText } from '../chat/merge.ts';
import { parseCandidate, TYPE } from '../gate/candidate.ts';
import { etagOf, type Intent, intentOf } from '../gate/intent.ts';
import { noteText, planMark, type Subject } from '../gate/plan.ts';
import type { GatePorts } from '../ports.ts';
import type { Candidate } from '../types.ts';
import type { Member } from './members.ts';

/** Of notes of which none says what it is. */
const TYPELESS = 'note';

/** @throws AppError `invalid_value`, `invalid_path`, `note_too_large` */
export function mergedCandidate(
  { config }: Pick<GatePorts, 'config'>,
  namespace: string,
  { title, body, type }: MergedText,
  members: readonly Member[],
): Candidate {
  const tags = uniqueTags(members.flatMap((member) => member.tags));
  const frontmatter = tags.length === 0 ? {} : { tags };
  return parseCandidate({ title, type: type ?? commonestType(members), namespace, body, frontmatter }, config);
}

/** Of types as common, the first by the notes' paths. */
export function commonestType(members: readonly Pick<Member, 'type'>[]): string {
  const counts = new Map<string, number>();
  for (const { type } of members)
    if (type !== undefined && TYPE.test(type)) counts.set(type, (counts.get(type) ?? 0) + 1);
  const most = Math.max(0, ...counts.values());
  return [...counts].find(([, count]) => count === most)?.[0] ?? TYPELESS;
}

/** All that is to be done; `unmarked` are those of the notes that cannot be marked after all. */
export async function planMerge(
  ports: Pick<GatePorts, 'change' | 'config' | 'now'>,
  subject: Pick<Subject, 'candidate' | 'agent' | 'source'>,
  path: VaultPath,
  members: readonly Member[],
): Promise<Intent> {
  const marks: Intent['marks'] = [];
  const unmarked: Intent['unmarked'] = [];
  for (const { path: old, text, etag: sha256 } of members) {
    const mark = await planMark(ports, { path: old, text, sha256, validUtf8: true }, path);
    if ('reason' in mark) unmarked.push({ path: old, reason: mark.reason });
    else marks.push(mark.step);
  }
  const superseded = marks.map(({ path: old }) => old);
  const text = noteText(ports, subject, superseded);
  const create = { path, text, sha256: etagOf(text), inPlaceOf: null };
  return intentOf({ action: 'supersede', create, marks, unmarked });
}
