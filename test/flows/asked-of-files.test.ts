// The real program, asked about every note while people edit them: frontmatter and expiries answer from the files, whoever
// wrote them and whatever the index knows.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CliHome } from '../support/cli.ts';

let home: CliHome;
let url: string;
let key: string;

beforeAll(async () => {
  home = new CliHome();
  for (let at = 0; at < 300; at++) home.write(`Many/${at}.md`, `---\nnumber: ${at}\n---\n# Note ${at}\n`);
  home.write('Car.md', '---\ntitle: The car\nexpires:\n  - {date: 2020-01-31, what: tax}\n---\n');
  const running = home.start(['serve', ...home.here, '--port', '0', '--json', '--lexical'], { TZ: 'Asia/Tokyo' });
  ({ url, key } = JSON.parse((await running.until(/\n/)).split('\n')[0] ?? ''));
}, 90_000);
afterAll(() => home.close());

async function ask(path: string): Promise<{ body: unknown; leftOut: string | null }> {
  const headers = { authorization: `Bearer ${key}`, accept: 'application/json' };
  const answer = await fetch(url + path, { headers });
  const body = await answer.json();
  expect([answer.status, body]).toEqual([200, expect.anything()]);
  return { body, leftOut: answer.headers.get('x-vault-left-out') };
}
const found = async (query: string) => ((await ask(`/frontmatter?${query}`)).body as { filename: string }[]).length;

describe('a vault that is served', () => {
  it('tells at once which notes have a value, however often they are edited', async () => {
    expect(await found('key=number')).toBe(300);
    for (const state of ['open', 'shut', 'open', 'held']) {
      home.write('Many/7.md', `---\nstate: ${state}\n---\n`);
      expect([state, await found(`key=state&value=${state}&dir=Many`)]).toEqual([state, 1]);
    }
    rmSync(join(home.vault, 'Many/7.md'));
    expect(await found('key=state')).toBe(0);
    expect(await found('key=number&value=8')).toBe(1);
  });

  it('gives automations a list of items alone, and counts in a header what could not be asked', async () => {
    home.write('Broken.md', '---\nnumber: [\n---\n');
    expect(await ask('/frontmatter?key=title')).toEqual({ body: [{ filename: 'Car.md' }], leftOut: '1' });
    rmSync(join(home.vault, 'Broken.md'));
  });

  it('tells what runs out by the time zone it was started with', async () => {
    home.write('Lease.md', '---\nexpires: [2020-01-30T16:00:00Z, soon]\n---\n# Lease\n');
    const { body } = await ask('/expiries?within=0');
    expect(body).toMatchObject({
      time_zone: 'Asia/Tokyo',
      entries: [
        { path: 'Car.md', title: 'The car', date: '2020-01-31', what: 'tax', lapsed: true },
        { path: 'Lease.md', title: 'Lease', date: '2020-01-31', what: '', lapsed: true },
      ],
      untracked: 299,
      invalid: [{ path: 'Lease.md', problem: expect.stringContaining('"soon" is no day of the calendar') }],
    });
  });
});
