/**
 * A process of its own that moves a note to and fro without end, for tests that kill it. Plain JavaScript on the
 * compiled packages, since a child process runs no TypeScript on Node 20. Arguments: vault, data folder.
 */
import { existsSync } from 'node:fs';
import process from 'node:process';
import { moveEntry } from '@vault-mcp/api/operations/move-entry';
import { loadConfig } from '@vault-mcp/shared/config/load';
import { openIndexReader } from '@vault-mcp/shared/index-db/reader';
import { silentLogger } from '@vault-mcp/shared/log';
import { createInMemoryQueue } from '@vault-mcp/shared/queue/in-memory';
import { noHistory } from '@vault-mcp/shared/records/history';
import { openMoveIntents } from '@vault-mcp/shared/records/move-intents';
import { openPathLocks } from '@vault-mcp/shared/vault/lock';
import { openVault } from '@vault-mcp/shared/vault/vault';
import { createVaultWriter } from '@vault-mcp/shared/vault/write';

const [, , root, dataPath] = process.argv;
const env = { VAULT_PATH: root, DATA_PATH: dataPath, EMBED_PROVIDER: 'lexical', LOG_LEVEL: 'silent' };
const locks = await openPathLocks(dataPath);
const vault = await openVault(root, { docSuffixes: ['.pdf'] });
const context = {
  ...{ vault, locks, queue: createInMemoryQueue(), log: silentLogger() },
  config: loadConfig({ mode: 'embedded', cwd: dataPath, env: { ...env, VAULT_MCP_API_KEY: 'test-key' } }),
  reader: openIndexReader(`${dataPath}/index.db`),
  writer: createVaultWriter(vault, { locks, noteMaxBytes: 0 }),
  history: noHistory,
  moveIntents: openMoveIntents(dataPath, silentLogger()),
};
process.send('ready');
for (;;) {
  const [source, destination] = existsSync(`${root}/House`) ? ['House', 'Flat/Deep'] : ['Flat/Deep', 'House'];
  await moveEntry(context, { source, destination }, { agent: 'operator' });
}
