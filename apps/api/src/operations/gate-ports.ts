/**
 * What the write gate works through, made of a call's context: its vault with the caller's access, its records, the index and
 * whoever keeps it. Danger: what others left half done is taken up with the whole vault, and what this caller asked for is not.
 */
import { chunkOptions } from '@vault-mcp/shared/chunk/options';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import type { ServedContext, WriteContext } from '../context.ts';
import type { GatePorts, GateSettings } from '../memory/ports.ts';
import type { Proposer } from '../memory/types.ts';
import { announce, waitingOf } from './index-news.ts';
import { noteChanger } from './note-changer.ts';
import { recordChange, type WriteRequest } from './write-context.ts';

/** What the operations of memory work on. */
export type MemoryContext = WriteContext & Pick<ServedContext, 'writerFor'>;

export function gatePorts(context: MemoryContext, request: WriteRequest): GatePorts {
  const { vault, reader, analyzer, embedder, writer, locks, chat, log, proposals, discards } = context;
  const { agent, source, scope, requestId, signal } = request;
  const caller: Proposer = { agent, source, scope, requestId, signal };
  return {
    ...{ vault, reader, analyzer, embedder, writer, locks, chat, log, proposals, discards, caller },
    config: gateSettings(context),
    now: () => context.now(),
    async bringUpToDate(paths, withinMs) {
      const written = new Map(paths.map((path) => [path, '']));
      const waiting = { wait: 'indexed', timeout: withinMs / 1000, ...waitingOf(request) } as const;
      const state = await announce(context, { written }, waiting);
      return state === 'indexed' || state === 'excluded';
    },
    announce: (written) => announce(context, { written }, waitingOf(request)),
    async change(text, edit, stamp) {
      const changed = await noteChanger.change(
        { text, edit, stamp: stamp ?? { keptBecause: 'none is set' } },
        locks.closed,
      );
      return changed.text;
    },
    diff: (path, before, after) => noteChanger.diff({ path, before, after }),
    whole: () => gatePorts(wholeContext(context), { agent: 'operator', requestId }),
    recordChange: (operation, by, paths) => recordChange(context, operation, { ...request, ...by }, paths),
  };
}

/** The same without anybody's access. */
function wholeContext(context: MemoryContext): MemoryContext {
  const { whole } = context.vault;
  return whole === context.vault ? context : { ...context, vault: whole, writer: context.writerFor(whole) };
}

function gateSettings({ config }: Pick<WriteContext, 'config'>): GateSettings {
  return {
    readOnly: config.server.read_only,
    distanceCeiling: config.gate.distance_ceiling,
    bm25Ceiling: config.gate.bm25_ceiling,
    fusion: config.search,
    chunking: chunkOptions(config.chunking),
    noteMaxBytes: config.vault.note_max_bytes,
    timestampKey: config.notes.timestamp_key,
    wikiDir: config.wiki.dir as VaultPath,
    indexExcludeDirs: config.index.exclude_dirs,
    indexIgnore: config.index.ignore,
    searchExcludeDirs: config.search.exclude_dirs,
    chatSeconds: config.gate.timeout_seconds,
    // Until every write is committed, the discard log keeps what one replaces.
    keepsHistory: false,
  };
}
