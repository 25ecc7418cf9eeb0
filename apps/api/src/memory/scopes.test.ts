import { describe, expect, it } from 'vitest';
import { compilePolicy, policyRemarks } from './scopes.ts';

describe('a policy', () => {
  it('that nobody set leaves every agent everything', () => {
    expect(compilePolicy(null)).toBeNull();
  });

  it('gives each agent that it names its own rights, and nobody else any', () => {
    const rights = compilePolicy({ scribe: [{ prefix: 'Journal', read: true, write: 'append' }], idle: [] });
    expect([...(rights?.keys() ?? [])]).toEqual(['scribe', 'idle']);
    expect(rights?.get('scribe')?.rightAt('Journal/today.md')).toBe('append');
    expect(rights?.get('scribe')?.mayRead('Garden/a.md')).toBe(false);
    expect(rights?.get('idle')?.mayRead('Journal/today.md')).toBe(false);
    expect(rights?.get('toString')).toBeUndefined();
  });
});

describe('what the operator is told at the start', () => {
  it('is nothing where nobody has a key, or each has its rules', () => {
    expect(policyRemarks(null, [])).toEqual([]);
    expect(policyRemarks({ scribe: [] }, ['scribe'])).toEqual([]);
  });

  it('is that keys without a policy open everything', () => {
    expect(policyRemarks(null, ['scribe', 'reader'])).toEqual([
      expect.stringMatching(/\(reader, scribe\).*whole vault/),
    ]);
  });

  it('is which agents have a key and no rules, those called like a prototype too', () => {
    const remarks = policyRemarks({ scribe: [] }, ['scribe', 'reader', 'constructor']);
    expect(remarks).toHaveLength(2);
    expect(remarks.join()).toMatch(/"constructor".*"reader"/);
  });

  it('is that a rule for the index page does nothing for who may not read the whole vault', () => {
    const page = { prefix: 'Index.md', read: true };
    expect(policyRemarks({ scribe: [{ prefix: 'A', read: true }, page] }, [])).toEqual([
      expect.stringMatching(/index\.md.*"scribe".*no effect/),
    ]);
    expect(policyRemarks({ scribe: [{ prefix: '', read: true }, page] }, [])).toEqual([]);
  });
});
