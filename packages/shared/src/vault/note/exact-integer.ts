/**
 * Whole numbers as they are written, where the language's own numbers cannot hold them: beyond 2^53 neighbours become one,
 * and ids of other systems are that long. Pure.
 */

/** A double holds none that has more digits. */
const MAX_DIGITS = 309;
const DECIMAL = /^([-+]?)(\d*)(?:\.(\d*))?(?:e([-+]?\d{1,5}))?$/i;

/**
 * @param source a number as YAML or JSON write it; hexadecimal and octal as YAML's
 * @returns null for what a double holds, what is not whole, and what is no number
 */
export function integerBeyondDouble(source: string): bigint | null {
  const value = /^0(x[\da-f]+|o[0-7]+)$/i.test(source) ? BigInt(source) : decimalInteger(source);
  if (value === null) return null;
  return value > BigInt(Number.MAX_SAFE_INTEGER) || value < BigInt(Number.MIN_SAFE_INTEGER) ? value : null;
}

function decimalInteger(source: string): bigint | null {
  const [, sign, whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(source) ?? [];
  const written = `${whole}${fraction}`;
  if (sign === undefined || written === '') return null;
  const digits = written.replace(/0+$/, '');
  const zeros = Number(exponent) - fraction.length + (written.length - digits.length);
  if (digits === '') return 0n;
  if (zeros < 0 || digits.replace(/^0+/, '').length + zeros > MAX_DIGITS) return null;
  const value = BigInt(digits) * 10n ** BigInt(zeros);
  return sign === '-' ? -value : value;
}
