/**
 * Whether a value as it stands in a block holds a bare string that some readers take for something else: such a value
 * is written anew even when it is set to what it is.
 */
import { isMap, isScalar, isSeq, Scalar } from 'yaml';
import { isBareString } from './yaml-scalar.ts';

/** Looks at a node of a block that was read, so nested no deeper than that allows. */
export function holdsMisreadString(node: unknown): boolean {
  if (isScalar(node)) {
    return node.type === Scalar.PLAIN && typeof node.value === 'string' && !isBareString(node.value);
  }
  if (isSeq(node)) return node.items.some(holdsMisreadString);
  if (isMap(node)) return node.items.some(({ key, value }) => holdsMisreadString(key) || holdsMisreadString(value));
  return false;
}
