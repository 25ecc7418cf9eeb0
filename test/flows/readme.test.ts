/**
 * The README's first minute, walked through: each example is asked of a server of the example vault as `npm start`
 * serves it, and must be answered as shown.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CliHome } from '../support/cli.ts';
import { examplesOf, page, patternOf } from '../support/doc-pages.ts';

const examples = examplesOf(page('README.md'));
let home: CliHome;
let url: string;
let key: string;

beforeAll(async () => {
  home = new CliHome();
  const running = home.start(['serve', '--port', '0', '--json']);
  ({ url, key } = JSON.parse((await running.until(/\n/)).split('\n')[0] ?? ''));
  await vi.waitFor(
    async () => {
      const { index } = (await (await ask('/readyz')).json()) as { index: { state: string; pending: number } };
      expect(index).toMatchObject({ state: 'ready', pending: 0, documents: 2, quarantined: 0 });
    },
    { timeout: 60_000, interval: 200 },
  );
}, 90_000);
afterAll(() => home.close());

function ask(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url + path, { headers: { authorization: `Bearer ${key}`, ...headers } });
}

/** What a shell would print for the command. Knows the two programs that the README's examples run. */
async function printed(command: string): Promise<string> {
  const curl = /^curl ((?:-H "[^"]+" )+)"\$VAULT([^"]+)"$/.exec(command);
  if (curl !== null) {
    const headers = [...(curl[1] ?? '').matchAll(/-H "([^:]+): ([^"]+)"/g)];
    const sent = headers.map(([, name = '', value = '']) => [name.toLowerCase(), value.replace('$KEY', key)]);
    return (await ask(curl[2] ?? '', Object.fromEntries(sent))).text();
  }
  const [npx, program, ...args] = command.split(' ');
  expect([npx, program]).toEqual(['npx', 'vault-mcp']);
  return (await home.run(args)).stdout;
}

describe('the README', () => {
  it('shows examples of every way in that it can show', () => {
    expect(examples.length).toBeGreaterThan(8);
  });

  it.each(examples.map(({ command, output }) => [command, output] as const))('%s', async (command, output) => {
    expect(`${(await printed(command)).trimEnd()}\n`).toMatch(patternOf(output));
  });
});
