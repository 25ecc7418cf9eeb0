import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromVariable, fromYaml, splitList } from './coerce.ts';

describe('a variable’s text', () => {
  it.each(['true', 'TRUE', 'yes', 'on', '1', ' true '])('%j switches a flag on', (text) => {
    expect(fromVariable('flag', text)).toBe(true);
  });

  it.each(['false', 'No', 'off', '0'])('%j switches a flag off', (text) => {
    expect(fromVariable('flag', text)).toBe(false);
  });

  it.each(['maybe', '2', 'y', ''])('%j is no flag and is left for the schema to refuse', (text) => {
    expect(fromVariable('flag', text)).toBe(text);
  });

  it('keeps auto apart from true and false', () => {
    expect(fromVariable('auto-flag', 'Auto')).toBe('auto');
    expect(fromVariable('auto-flag', 'off')).toBe(false);
  });

  it.each(['0x10', '1e3', '1_000', '12px', 'NaN', 'Infinity', '1.', '.5', '--1'])('%j is no number', (text) => {
    expect(fromVariable('number', text)).toBe(text);
  });

  it('reads back every plain decimal', () => {
    fc.assert(
      fc.property(fc.integer(), fc.nat({ max: 999 }), (whole, thousandths) => {
        const text = `${whole}.${String(thousandths).padStart(3, '0')}`;
        expect(fromVariable('number', text)).toBe(Number(text));
      }),
    );
  });

  it('is kept as it is for text, white space included', () => {
    fc.assert(fc.property(fc.string(), (text) => fromVariable('text', text) === text));
  });
});

describe('a list', () => {
  const item = fc.stringMatching(/^[A-Za-z0-9./*_-]{1,12}$/);

  it('reads the same from commas and from a YAML sequence, in both layers', () => {
    fc.assert(
      fc.property(fc.array(item), fc.constantFrom(',', ', ', ' ,'), (items, comma) => {
        const text = items.join(comma);
        expect(fromVariable('list', text)).toEqual(items);
        expect(fromYaml('list', text)).toEqual(items);
        expect(fromYaml('list', items)).toEqual(items);
      }),
    );
  });

  it('drops empty parts', () => {
    expect(splitList(' , a,, b , ')).toEqual(['a', 'b']);
  });
});

it('leaves a YAML value of any other kind alone, so that "true" in quotes is no flag', () => {
  expect(fromYaml('flag', 'true')).toBe('true');
  expect(fromYaml('number', '5')).toBe('5');
  expect(fromYaml('text', 2024)).toBe(2024);
});
