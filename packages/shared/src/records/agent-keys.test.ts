import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTempFolder, type TempFolder } from '../../../../test/support/temp-folder.ts';
import { changeAgentKeys, openAgentKeys, readServedKeys } from './agent-keys.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest();
const hex = (text: string) => sha256(text).toString('hex');

let folder: TempFolder;
let path: string;
let lines: [level: string, text: string][];
let clock: number;

beforeEach(async () => {
  folder = await createTempFolder('agent-keys');
  path = join(folder.path, 'agent-keys.json');
  lines = [];
  clock = 1_000_000;
});
afterEach(() => folder.remove());

const logger = {
  error: (...said: unknown[]) => lines.push(['error', JSON.stringify(said)]),
  info: (...said: unknown[]) => lines.push(['info', JSON.stringify(said)]),
};
const open = (required = true, forbidden: Buffer[] = []) =>
  openAgentKeys(path, { required, logger: logger as never, forbidden, now: () => clock });
const put = (keys: Readonly<Record<string, string>>) => writeFileSync(path, JSON.stringify(keys));
const names = (ring: ReturnType<typeof open>) => [...ring.current().keys()].sort();
const later = () => {
  clock += 1_001;
};

describe("the agents' keys", () => {
  it('are those of the file, each as the digest that it holds', () => {
    put({ scribe: hex('one'), reader: hex('two').toUpperCase() });
    const ring = open();
    expect(ring.current()).toEqual(
      new Map([
        ['scribe', sha256('one')],
        ['reader', sha256('two')],
      ]),
    );
  });

  it('are none where no file was named and none is there, and its own once there is one', () => {
    const ring = open(false);
    expect(names(ring)).toEqual([]);
    put({ scribe: hex('one') });
    later();
    expect(names(ring)).toEqual(['scribe']);
    expect(lines).toEqual([]);
  });

  it('follow the file within a second, and are not looked for at every call', () => {
    put({ scribe: hex('one'), reader: hex('two') });
    const ring = open();
    put({ reader: hex('two') });
    expect(names(ring)).toEqual(['reader', 'scribe']);
    later();
    expect(names(ring)).toEqual(['reader']);
  });

  it('are looked at again when the clock was set back', () => {
    put({ scribe: hex('one') });
    const ring = open();
    put({});
    clock -= 3_600_000;
    expect(names(ring)).toEqual([]);
  });

  it.each([
    ['goes', () => rmSync(path)],
    ['is cut in two', () => writeFileSync(path, readFileSync(path, 'utf8').slice(0, 40))],
    ['holds an agent twice', () => writeFileSync(path, `{"a": "${hex('x')}", "a": "${hex('y')}"}`)],
    ['is no text', () => writeFileSync(path, Buffer.from([0xff, 0xfe, 0x00]))],
    ['is far too large', () => writeFileSync(path, ' '.repeat(1_100_000))],
  ])('are nobody’s while the file %s, which is said once, as is its end', (_how, damage) => {
    put({ scribe: hex('one') });
    const ring = open(false);
    damage();
    for (let n = 0; n < 3; n++) {
      later();
      expect(names(ring)).toEqual([]);
    }
    expect(lines.map(([level]) => level)).toEqual(['error']);
    put({ scribe: hex('one') });
    later();
    expect(names(ring)).toEqual(['scribe']);
    expect(lines.map(([level]) => level)).toEqual(['error', 'info']);
    expect(JSON.stringify(lines)).not.toContain(hex('one').slice(0, 16));
  });

  it.each([
    ['is not there', () => undefined, /not there/],
    ['cannot be parsed', () => writeFileSync(path, '{'), /parsed/],
    ['is a folder', () => mkdirSync(path), /EISDIR/],
  ])('keep the server from starting where the named file %s', (_how, prepare, expected) => {
    prepare();
    expect(() => open()).toThrow(expected);
    expect(() => open()).toThrow(/vault-mcp key add/);
  });

  it('that is also the operator’s is refused', () => {
    put({ scribe: hex('the operator’s') });
    expect(() => open(true, [sha256('the operator’s')])).toThrow(/"scribe" is also the operator's/);
  });
});

describe('keys that a server does not start over', () => {
  const said = (required = true, forbidden: Buffer[] = []) => {
    try {
      return readServedKeys(path, { required, forbidden });
    } catch (error) {
      return (error as Error).message;
    }
  };

  it('come with what mends them, by what is wrong', () => {
    expect(said()).toMatch(/not there\. Make it with vault-mcp key add NAME, or unset agents\.keys_file\.$/);
    writeFileSync(path, '{');
    expect(said(false)).toMatch(/move it away and make keys anew with vault-mcp key add NAME\.$/);
    expect(said(false)).not.toMatch(/keys_file/);
    put({ scribe: hex('the operator’s') });
    expect(said(false, [sha256('the operator’s')])).toMatch(/with vault-mcp key add scribe --replace\.$/);
    rmSync(path);
    expect(said(false)).toEqual(new Map());
  });

  it('are mended by that', async () => {
    const locks = join(folder.path, 'locks');
    const add = () => changeAgentKeys(path, locks, (keys) => void keys.set('scribe', hex('two')));
    await add();
    expect(said()).toEqual(new Map([['scribe', sha256('two')]]));
    put({ scribe: hex('the operator’s') });
    await add();
    expect(said(true, [sha256('the operator’s')])).toEqual(new Map([['scribe', sha256('two')]]));
  });

  it('are told of without the configuration’s name of the file where the configuration has none', () => {
    put({ scribe: hex('one') });
    const ring = open(false);
    rmSync(path);
    later();
    expect(names(ring)).toEqual([]);
    expect(lines.join()).toMatch(/Put it back, or make keys anew/);
    expect(lines.join()).not.toMatch(/keys_file/);
  });
});

describe('a change of the file', () => {
  const locks = () => join(folder.path, 'locks');
  const add = (name: string, digest: string) => changeAgentKeys(path, locks(), (keys) => void keys.set(name, digest));

  it('makes it, readable by its owner alone, and keeps what stands in it', async () => {
    await add('scribe', hex('one'));
    await add('reader', hex('two'));
    expect(names(open())).toEqual(['reader', 'scribe']);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder.path).sort()).toEqual(['agent-keys.json', 'locks']);
  });

  it('that comes with others loses none of them', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, n) => add(`agent-${n}`, hex(String(n)))));
    expect(names(open())).toHaveLength(20);
  });

  it('that is given up changes nothing', async () => {
    await add('scribe', hex('one'));
    const before = readFileSync(path);
    const refused = changeAgentKeys(path, locks(), (keys) => {
      keys.clear();
      throw new Error('no such agent');
    });
    await expect(refused).rejects.toThrow('no such agent');
    expect(readFileSync(path)).toEqual(before);
    expect(readdirSync(folder.path).sort()).toEqual(['agent-keys.json', 'locks']);
  });

  it('of a damaged file is refused, so that nobody in it is lost', async () => {
    writeFileSync(path, '{"scribe"');
    await expect(add('reader', hex('two'))).rejects.toThrow(/cannot be used/);
    expect(readFileSync(path, 'utf8')).toBe('{"scribe"');
  });

  it.runIf(process.getuid?.() !== 0)('says why the file cannot be written', async () => {
    await add('scribe', hex('one'));
    chmodSync(folder.path, 0o500);
    await expect(add('reader', hex('two'))).rejects.toThrow(/cannot be written \(EACCES\)/);
    chmodSync(folder.path, 0o700);
  });
});
