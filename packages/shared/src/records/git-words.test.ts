import { describe, expect, it } from 'vitest';
import { isHeldUp, personOf, reasonFrom, written } from './git-words.ts';

describe('what git says', () => {
  it.each([
    [
      "fatal: Unable to create '/srv/vault/.git/index.lock': File exists.\n\nAnother git",
      "Unable to create '…/index.lock': File exists.",
    ],
    [
      "fatal: detected dubious ownership in repository at '/srv/my vault'\nTo add",
      "detected dubious ownership in repository at '…/my vault'",
    ],
    ['error: open("Wiki/a.md"): Permission denied', 'open("Wiki/a.md"): Permission denied'],
    ['\n', 'git failed and did not say why'],
  ])('is told by its first line, without folders of this machine: %j', (said, reason) => {
    expect(reasonFrom(said)).toBe(reason);
  });

  it('is known as passing where another git is at work', () => {
    expect(isHeldUp("fatal: Unable to create '/v/.git/index.lock': File exists.")).toBe(true);
    expect(isHeldUp("fatal: cannot lock ref 'HEAD': is at a but expected b")).toBe(true);
    expect(isHeldUp('fatal: unable to write new index file')).toBe(false);
  });
});

describe('an author', () => {
  it.each([
    ['scribe', 'scribe <scribe@vault-mcp.invalid>'],
    ['a <b@c>\n d', 'a  b@c  d <a-b-c-d@vault-mcp.invalid>'],
    ['Übersetzer', 'Übersetzer <-bersetzer@vault-mcp.invalid>'],
    ['<>', 'agent <-@vault-mcp.invalid>'],
  ])('of %j is %s', (agent, author) => {
    expect(written(personOf(agent))).toBe(author);
  });
});
