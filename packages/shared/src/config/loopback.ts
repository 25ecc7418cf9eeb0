/** Whether an address can only be reached from this machine. Pure; decides where a key may be missing. */

/** True for `localhost` and names below it, 127.0.0.0/8 and `::1`, with or without brackets. */
export function isLoopbackHost(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase();
  return bare === 'localhost' || bare.endsWith('.localhost') || bare === '::1' || /^127(\.\d{1,3}){3}$/.test(bare);
}
