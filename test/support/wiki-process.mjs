/**
 * A process of its own that puts facts on one wiki page, or holds that page and does nothing, for tests with several and for
 * those that kill one. Plain JavaScript on the compiled packages, since a child process runs no TypeScript on Node 20.
 * Arguments: vault, data folder, page; then the facts, or none to hold it, or --endless for facts without end. Sends 'held',
 * the answers, or each fact with whether it is answered.
 */
import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { openWriting } from '@vault-mcp/api/open-writing';
import { wikiAppend } from '@vault-mcp/api/operations/wiki-append';
import { createAnalyzer } from '@vault-mcp/shared/analysis/analyzer';
import { loadConfig } from '@vault-mcp/shared/config/load';
import { openIndexReader } from '@vault-mcp/shared/index-db/reader';
import { silentLogger } from '@vault-mcp/shared/log';
import { createInMemoryQueue } from '@vault-mcp/shared/queue/in-memory';
import { openPathLocks } from '@vault-mcp/shared/vault/lock';
import { openVault } from '@vault-mcp/shared/vault/vault';

const [, , root, dataPath, page, ...facts] = process.argv;
if (facts.length === 0) {
  const locks = await openPathLocks(dataPath);
  await locks.hold([{ path: page }], async () => {
    process.send('held');
    await new Promise(() => setInterval(() => undefined, 60_000));
  });
}
const { PATH, HOME } = process.env;
const settings = { VAULT_PATH: root, DATA_PATH: dataPath, EMBED_PROVIDER: 'lexical', LOG_LEVEL: 'silent' };
const config = loadConfig({
  mode: 'embedded',
  cwd: dataPath,
  env: { ...settings, PATH, HOME, VAULT_MCP_API_KEY: 'test-key' },
});
const log = silentLogger();
const vault = await openVault(root, { docSuffixes: ['.pdf'] });
const writing = await openWriting(config, vault, log);
const context = {
  ...{ config, log, vault, embedder: null, settingFiles: [], queue: createInMemoryQueue() },
  analyzer: createAnalyzer('en'),
  reader: openIndexReader(`${dataPath}/index.db`),
  ...writing.parts,
};
// As every program that serves the vault: what one that was killed left is cleared away.
await writing.recover(context);
const slug = page.slice(page.lastIndexOf('/') + 1, -'.md'.length);
const append = (content) => wikiAppend(context, { slug, content }, { agent: 'scribe' });
while (facts[0] === '--endless') {
  const content = `${randomUUID().replaceAll('-', '')} is one of many`;
  process.send({ content, answered: false });
  await append(content);
  process.send({ content, answered: true });
}
const answers = await Promise.all(facts.map(append));
process.send(answers);
writing.close();
process.disconnect();
