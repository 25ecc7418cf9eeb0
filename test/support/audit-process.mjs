/**
 * A process of its own that writes the audit log, for tests of several at once. Plain JavaScript on the compiled
 * package, since a child process runs no TypeScript on Node 20. Arguments: the file, its agent's name, how many rows.
 */
import { once } from 'node:events';
import process from 'node:process';
import { silentLogger } from '@vault-mcp/shared/log';
import { openAuditLog } from '@vault-mcp/shared/records/audit';

const [, , path, agent, count] = process.argv;
const log = openAuditLog(path, { retentionDays: 0, logger: silentLogger() });
process.send('ready');
await once(process, 'message');
for (let i = 0; i < Number(count); i++) {
  const call = { surface: 'mcp', operation: `op-${i}`, agent, argsDigest: '0'.repeat(16), outcome: 'ok' };
  log.append({ ...call, timeMs: i, durationMs: 1 });
  if (i % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
}
log.close();
process.send(log.health());
process.disconnect();
