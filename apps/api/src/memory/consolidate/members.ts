/**
 * The notes of a cluster as they stand on the disk, as far as they can be merged. Danger: a note that cannot carry the mark of
 * being superseded must not be merged either, or what it says would stand twice; so it is left as it is, with the reason.
 */

import { parseStructure } from '@vault-mcp/shared/vault/note/parse';
import { supersededBy } from '@vault-mcp/shared/vault/note/superseded-by';
import { frontmatterTags, uniqueTags } from '@vault-mcp/shared/vault/note/tags';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import { findNote } from '../gate/held-paths.ts';
import { touchOf } from '../gate/target-rights.ts';
import type { GatePorts } from '../ports.ts';
import type { Unmarked } from '../types.ts';
import type { ClusterMember } from './clusters.ts';

/** One of the notes that are to become one. */
export interface Member {
  readonly path: VaultPath;
  readonly title: string;
  readonly etag: string;
  readonly text: string;
  readonly body: string;
  readonly type: string | undefined;
  readonly tags: readonly string[];
}

export interface Members {
  readonly members: readonly Member[];
  /** Those that stay as they are. */
  readonly left: readonly Unmarked[];
}

type MemberPorts = Pick<GatePorts, 'vault' | 'writer' | 'caller' | 'config'>;

export async function readMembers(ports: MemberPorts, found: readonly ClusterMember[]): Promise<Members> {
  const members: Member[] = [];
  const left: Unmarked[] = [];
  for (const one of found) {
    const read = await readMember(ports, one);
    if ('reason' in read) left.push(read);
    else members.push(read);
  }
  return { members, left };
}

async function readMember(ports: MemberPorts, { path: raw, title, etag }: ClusterMember): Promise<Member | Unmarked> {
  const path = raw as VaultPath;
  const there = await findNote(ports.vault, path);
  if (there === null || there === 'taken') return { path, reason: 'it is not there any more, or cannot be read' };
  // Its vector is of another text, so nobody knows whether it belongs to the others.
  if (there.sha256 !== etag) return { path, reason: 'it has changed since it was indexed' };
  if (!there.validUtf8) return { path, reason: 'it is not valid UTF-8' };
  const { frontmatter, text, bodyFrom } = parseStructure(there.text);
  const { data, error } = frontmatter;
  if (error !== undefined) return { path, reason: `its frontmatter cannot be used: ${error}` };
  if (supersededBy(data) !== null) return { path, reason: 'it is superseded already' };
  if ((await touchOf(ports, path)) === 'none') return { path, reason: 'it may not be written' };
  return {
    ...{ path: there.path, title, etag, text: there.text, body: text.slice(bodyFrom).trim() },
    type: typeof data.type === 'string' ? data.type : undefined,
    tags: uniqueTags(frontmatterTags(data)),
  };
}
