import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPublic } from './public-address.ts';

const mapped = (octets: readonly number[]) => `::ffff:${octets.join('.')}`;
const octet = fc.integer({ min: 0, max: 255 });

describe('a public address', () => {
  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '93.184.216.34',
    '172.32.0.1',
    '100.128.0.1',
    '2606:2800:220:1::1',
    '2a00:1450:4001::8',
  ])('is %s', (address) => expect(isPublic(address)).toBe(true));

  it('is one whose IPv4 form is public, when it is mapped into IPv6', () => {
    expect(isPublic('::ffff:8.8.8.8')).toBe(true);
    expect(isPublic('::ffff:808:808')).toBe(true);
  });
});

describe('not public', () => {
  it.each([
    ['loopback', '127.0.0.1', '127.255.255.254', '::1'],
    ['private', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
    ['link-local, where clouds keep their secrets', '169.254.169.254', 'fe80::1', 'fe80::1%eth0'],
    ['shared by a carrier', '100.64.0.1', '100.127.255.255'],
    ['unique local', 'fc00::1', 'fd12:3456:789a::1'],
    ['site-local', 'fec0::1'],
    ['this network and every address', '0.0.0.0', '0.1.2.3', '::'],
    ['many listeners', '224.0.0.1', '255.255.255.255', 'ff02::1'],
    ['reserved, for documents and benchmarks', '192.0.2.1', '198.18.0.1', '198.51.100.7', '203.0.113.9', '240.0.0.1'],
    ['the same in IPv6', '2001:db8::1', '2001:2::1', '3fff::1', '100::1', '5f00::1', '4000::1'],
    ['an IPv4 address mapped into IPv6', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:169.254.169.254'],
    ['an IPv4 address in the form of old', '::127.0.0.1', '::7f00:1', '::ffff:0:127.0.0.1'],
    ['NAT64, whatever it leads to', '64:ff9b::7f00:1', '64:ff9b::8.8.8.8', '64:ff9b:1::a00:1'],
    ['6to4 and Teredo, whatever they lead to', '2002:7f00:1::', '2002:808:808::1', '2001:0:7f00:1::'],
    ['no address', '', 'localhost', '127.1', '0x7f.0.0.1', '2130706433', '0177.0.0.1', '1.1.1.1.1', '1.1.1.1 '],
  ])('is one that is %s', (_what, ...addresses) => {
    expect(addresses.filter(isPublic)).toEqual([]);
  });

  it('is any mapped address whose IPv4 form is not', () => {
    fc.assert(
      fc.property(fc.tuple(octet, octet, octet, octet), (octets) => {
        expect(isPublic(mapped(octets))).toBe(isPublic(octets.join('.')));
      }),
    );
  });
});
