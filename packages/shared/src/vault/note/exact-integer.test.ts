import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { integerBeyondDouble } from './exact-integer.ts';

describe('a whole number that a double cannot hold', () => {
  it('is read to its last digit, however it is written', () => {
    const large = fc.bigInt({ min: 2n ** 53n, max: 10n ** 40n });
    fc.assert(
      fc.property(large, fc.boolean(), fc.nat(20), (size, isNegative, cut) => {
        const value = isNegative ? -size : size;
        const sign = isNegative ? '-' : '';
        const digits = String(size);
        const point = Math.max(1, digits.length - cut);
        const ways = [digits, `${digits}.000`, `${digits}0e-1`];
        if (point < digits.length)
          ways.push(`${digits.slice(0, point)}.${digits.slice(point)}e${digits.length - point}`);
        for (const way of ways) expect(integerBeyondDouble(sign + way)).toBe(value);
      }),
    );
  });

  it.each([
    '',
    '.',
    '-',
    '3',
    '3.0',
    '9007199254740991',
    '-9007199254740991',
    '0x1f',
    '0.5',
    '1e-3',
    '9007199254740993.5',
    '1e400',
    '12 3',
    '.inf',
    'abc',
  ])('is not %j', (source) => {
    expect(integerBeyondDouble(source)).toBeNull();
  });

  it('takes hexadecimal and octal as YAML writes them', () => {
    expect(integerBeyondDouble('0x20000000000001')).toBe(9007199254740993n);
    expect(integerBeyondDouble('0o400000000000000001')).toBe(9007199254740993n);
  });
});
