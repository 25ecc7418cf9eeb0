/**
 * Whether an address is one on the open internet. Pure. Danger: whoever names a URL has this server call it, so an address
 * that leads into the server's own machine or network would be answered with what only they may see; whatever is not known
 * to be public is not.
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** All that is given out as global unicast; an IPv4 address in any other clothing (`::127.0.0.1`) lies outside of it. */
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/**
 * @param address as a resolver or socket gives it: IPv4 in four decimal parts, or IPv6
 * @returns false for loopback, private, link-local, shared (CGNAT), unique local, multicast, documentation, benchmarking and
 * reserved ranges; for what carries an IPv4 address over or through IPv6 (NAT64, 6to4, Teredo); and for what is no address.
 * An IPv4-mapped one counts as the IPv4 address in it.
 */
export function isPublic(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  return !(parsed instanceof ipaddr.IPv6) || parsed.match(GLOBAL_UNICAST);
}
