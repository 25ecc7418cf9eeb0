/**
 * What the parity table is made of: one row asks for one thing in the words of each surface, and says what has to be
 * on the disk afterwards. Danger: two surfaces that both do nothing are alike as well, so a row that changes something
 * says what, byte for byte.
 */
import { createHash } from 'node:crypto';
import type { ErrorCode } from '@vault-mcp/shared/errors';
import type { VaultFiles } from '../vault-files.ts';

/** A request below the server's URL. */
export interface RestCall {
  readonly method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  /** Path and query, encoded. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface ToolCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Path → a file's new text, `/` for a folder, null for what is gone. Folders above a path are understood. */
export type Changes = Readonly<Record<string, string | Uint8Array | null>>;

interface Asked {
  /** Ends the sentence "every surface …". */
  readonly does: string;
  readonly mcp: ToolCall;
  /** The same in each dialect that REST has for it. */
  readonly rest: readonly RestCall[];
  /** Besides those of VAULT, or in place of them. */
  readonly files?: VaultFiles;
  /** Empty folders. */
  readonly folders?: readonly string[];
  /** Dotted configuration keys. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Whether the real indexer has read the vault, and follows. */
  readonly indexed?: true;
}

export interface DoneRow extends Asked {
  /** What differs from the vault before; empty for what changes nothing. */
  readonly leaves: Changes;
  /** Part of the answer of every surface. */
  readonly answers?: Readonly<Record<string, unknown>>;
}

export interface RefusedRow extends Asked {
  readonly refused: ErrorCode;
  /** Why the two may use other words for the same refusal. */
  readonly otherWords?: string;
}

export type ParityRow = DoneRow | RefusedRow;

/** What time it is on every surface. */
export const NOW = new Date('2026-07-28T09:30:15.750Z');
/** The same as a note's timestamp. */
const STAMP = '2026-07-28T09:30:15Z';
const OLD_STAMP = '2020-02-02T02:02:02Z';

export const PLAN = `---
title: Plan
tags: [house, heating]
status: draft # until June
timestamp: ${OLD_STAMP}
---
# Plan

The plan of the heating.

## Costs

Oil is dear.

- insulation
- pipes

### Quote

Nine thousand. ^quote

### Grants

Half of it.

## Dates

In May.

## Dates

In June.

## Überblick & more

Äpfel, Öl.
`;

/** As an editor on Windows leaves it: mark, CRLF, no line break at the end. */
export const WINDOWS =
  '\ufeff---\r\ntitle: Windows\r\n---\r\n# Windows\r\n\r\nFirst line.\r\n\r\n## Part\r\n\r\nOld words.\r\n\r\n## Last\r\n\r\nThe end.';

export const BARE = '# Bare\n\nNo frontmatter here.\n';
export const BROKEN = '---\ntitle: [\n---\n# Broken\n\nText.\n';
/** The last letter takes two code points. */
export const CAFE = 'Cafe\u0301';
export const LINKS =
  '---\nsee: "[[Pear]]"\n---\n[[Pear]], [[Garden/Pear|the pear]], [[Pear#Care]] and ![[tree.png]].\n\n[by path](Garden/Pear.md#Care "t"), [pdf](Files/scan.pdf), `[[Pear]]`.\n';
export const PEAR =
  '# Pear\n\nNext to the [herbs](Beds/Herbs.md).\n\n## Care\n\nPrune it. ![tree](../Pictures/tree.png)\n';
export const CANVAS = '{"nodes":[{"id":"1","type":"file","file":"Garden/Pear.md"}],"edges":[]}';

/** The vault that each call finds. */
export const VAULT: VaultFiles = {
  'Plan.md': PLAN,
  'Windows.md': WINDOWS,
  'Bare.md': BARE,
  'Broken.md': BROKEN,
  'Latin.md': Uint8Array.from([0x63, 0x61, 0x66, 0xe9, 0x0a]),
  [`Names/${CAFE}.md`]: '# Café\n\nOpen.\n',
  'Links.md': LINKS,
  'Garden/Pear.md': PEAR,
  'Garden/Beds/Herbs.md': '# Herbs\n\nBelow the [[Pear]].\n',
  'Board.canvas': CANVAS,
  'Pictures/tree.png': Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0, 0xff]),
  'Files/scan.pdf': 'not a PDF',
};

/** The note's text with one passage, which has to be there exactly once, replaced; and its timestamp set. */
export function edited(note: string, from: string, to: string): string {
  const parts = note.split(from);
  if (parts.length !== 2) throw new Error(`"${from}" is not there exactly once`);
  return stamped(parts.join(to));
}

export function stamped(note: string): string {
  return note.replace(OLD_STAMP, STAMP);
}

/** The version of these bytes, as every surface names it. */
export function etagOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** An etag that no note here has. */
export const STALE = 'f'.repeat(64);
