/**
 * A small disk of its own under a folder, to be filled for real. Mounting needs root, so whoever uses it skips, visibly,
 * where `canMount` says no. Danger: what stays mounted cannot be removed, so every mount is undone by who made it.
 */
import { execFileSync } from 'node:child_process';
import { createTempFolder } from './temp-folder.ts';

/** @param size as mount takes it, a few hundred `k` */
export function mount(path: string, size = '512k'): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path], { stdio: 'ignore' });
}

/** Makes a mounted disk larger or smaller, with what is on it. */
export function resize(path: string, size: string): void {
  execFileSync('mount', ['-o', `remount,size=${size}`, path], { stdio: 'ignore' });
}

export function mountAgainReadOnly(path: string): void {
  execFileSync('mount', ['-o', 'remount,ro', path], { stdio: 'ignore' });
}

export function unmount(path: string): void {
  execFileSync('umount', ['-l', path], { stdio: 'ignore' });
}

/** Whether this process may mount at all. */
export async function canMount(): Promise<boolean> {
  const folder = await createTempFolder('mount');
  try {
    mount(folder.path);
    unmount(folder.path);
    return true;
  } catch {
    return false;
  } finally {
    await folder.remove();
  }
}
