/**
 * Whether a folder's file system tells about changes made elsewhere. Danger: a wrong "yes" leaves edits unseen until
 * the next reconcile; a wrong "no" only costs some CPU. So everything networked or virtual is polled.
 */
import { statfs } from 'node:fs/promises';

/** `f_type` of file systems whose changes, made on another machine or a host, raise no inotify event (statfs(2)). */
const SILENT_FILE_SYSTEMS = new Map<number, string>([
  [0x6969, 'NFS'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x517b, 'SMB'],
  [0x65735546, 'FUSE'],
  [0x01021997, '9p'],
  [0x786f4256, 'VirtualBox shared folder'],
  [0x6a656a63, 'virtiofs'],
  [0xaad7aaea, 'PanFS'],
  [0x5346414f, 'AFS'],
]);

/**
 * @param setting `watch.polling`
 * @returns whether to poll, and why
 */
export async function decidePolling(
  root: string,
  setting: 'auto' | boolean,
  readType: (root: string) => Promise<number> = async (path) => (await statfs(path)).type,
): Promise<{ polling: boolean; reason: string }> {
  if (setting !== 'auto') return { polling: setting, reason: `watch.polling is ${setting}` };
  const type = await readType(root);
  const name = SILENT_FILE_SYSTEMS.get(type >>> 0);
  return name
    ? { polling: true, reason: `${name} gives no events` }
    : { polling: false, reason: 'the file system gives events' };
}
