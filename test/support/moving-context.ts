/** What the move operations are given: a vault that is written to, with no index but the one a test brings. */
import type { MoveContext } from '@vault-mcp/api/operations/move-entry';
import { type IndexReader, openIndexReader } from '@vault-mcp/shared/index-db/reader';
import { silentLogger } from '@vault-mcp/shared/log';
import { noHistory } from '@vault-mcp/shared/records/history';
import { openMoveIntents } from '@vault-mcp/shared/records/move-intents';
import { testConfig } from './indexed-vault.ts';
import { createRecordingQueue } from './recording-queue.ts';
import type { WritableVault } from './writable-vault.ts';

export function movingContext(on: WritableVault, reader?: IndexReader) {
  const config = testConfig(on.outside);
  const queue = createRecordingQueue();
  const context: MoveContext = {
    ...{ config, queue, vault: on.vault, writer: on.writer, locks: on.locks },
    reader: reader ?? openIndexReader(config.index.path),
    log: silentLogger(),
    history: noHistory,
    moveIntents: openMoveIntents(on.dataPath, silentLogger()),
  };
  return { context, queue };
}
