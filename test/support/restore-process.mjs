/**
 * A process of its own that restores records, or completes a restore, and kills itself before a step that changes the
 * disk. Plain JavaScript on the compiled packages, since a child process runs no TypeScript on Node 20. Arguments: the
 * places as JSON, the backup (empty: complete), and before which step to die, counted from 1.
 */
import process from 'node:process';
import { completeRestore, restoreRecords } from '@vault-mcp/shared/records/restore';
import { realDisk } from '@vault-mcp/shared/records/restore-disk';
import { readBackup } from '@vault-mcp/shared/records/verify-backup';

const [, , places, backup, killAt] = process.argv;
let steps = 0;
const dying = (step) => {
  return (...args) => {
    if (++steps === Number(killAt)) process.kill(process.pid, 'SIGKILL');
    return step(...args);
  };
};
const disk = Object.fromEntries(Object.entries(realDisk).map(([name, step]) => [name, dying(step)]));

if (backup === '') await completeRestore(JSON.parse(places), disk);
else {
  const options = { replace: true, keys: true, dryRun: false, readOnly: false, now: new Date() };
  await restoreRecords(JSON.parse(places), await readBackup(backup), options, disk);
}
