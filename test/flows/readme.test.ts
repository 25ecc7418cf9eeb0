/**
 * The README's first minute, walked through: each example is asked of a server of the example vault as `npm start`
 * serves it, and must be answered as shown.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { CliHome } from '../support/cli.ts';
import { examplesOf, page, patternOf, ROOT } from '../support/doc-pages.ts';

const examples = examplesOf(page('README.md'));
let home: CliHome;
let url: string;
let key: string;

beforeAll(async () => {
  home = new CliHome();
  const running = home.start(['serve', '--port', '0', '--json']);
  ({ url, key } = JSON.parse((await running.until(/\n/)).split('\n')[0] ?? ''));
}, 90_000);
afterAll(() => home.close());

/** Who reads on from example to example gives the server this time without noticing. */
beforeEach(async () => {
  await vi.waitFor(
    async () => {
      const { index, queue } = (await (await ask('/readyz')).json()) as Record<string, Record<string, unknown>>;
      expect(index).toMatchObject({ state: 'ready', pending: 0, quarantined: 0 });
      expect(queue).toMatchObject({ depth: 0 });
    },
    { timeout: 60_000, interval: 100 },
  );
}, 90_000);

function ask(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(url + path, { ...init, headers: { authorization: `Bearer ${key}`, ...init.headers } });
}

/** A command's words as a shell parts them: in single quotes as they are, elsewhere with the two variables filled in. */
function wordsOf(command: string): string[] {
  const fill = (text: string) => text.replaceAll('$VAULT', url).replaceAll('$KEY', key);
  return [...command.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"]+)+/g)].map(([word]) =>
    word.replaceAll(/'([^']*)'|"([^"]*)"|([^'"]+)/g, (_all, single?: string, double?: string, bare?: string) =>
      single === undefined ? fill(double ?? bare ?? '') : single,
    ),
  );
}

/** What curl would print. Knows the options that the README's examples use. */
async function curled([option, value = '', ...rest]: readonly string[], request: RequestInit = {}): Promise<string> {
  switch (option) {
    case '-X':
      return curled(rest, { ...request, method: value });
    case '-d': {
      const type = { 'content-type': 'application/x-www-form-urlencoded', ...request.headers };
      return curled(rest, { ...request, body: value, headers: type });
    }
    case '-T': {
      const body = new Uint8Array(readFileSync(join(ROOT, value)));
      return curled(rest, { ...request, method: 'PUT', body });
    }
    case '-H': {
      const [, name = '', text = ''] = /^([^:]+): (.+)$/.exec(value) ?? [];
      return curled(rest, { ...request, headers: { ...request.headers, [name.toLowerCase()]: text } });
    }
    default: {
      expect([option?.startsWith(`${url}/`), value]).toEqual([true, '']);
      return (await fetch(option ?? '', request)).text();
    }
  }
}

/** What a shell would print for the command. Knows the two programs that the README's examples run. */
async function printed(command: string): Promise<string> {
  const [program, ...args] = wordsOf(command);
  if (program === 'curl') return curled(args);
  expect([program, args[0]]).toEqual(['npx', 'vault-mcp']);
  return (await home.run(args.slice(1))).stdout;
}

describe('the README', () => {
  it('shows examples of every way in that it can show', () => {
    expect(examples.length).toBeGreaterThan(8);
  });

  it.each(examples.map(({ command, output }) => [command, output] as const))('%s', async (command, output) => {
    expect(`${(await printed(command)).trimEnd()}\n`).toMatch(patternOf(output));
  });
});
