// In what order an upload over REST is refused when it has several faults: size, nothing came, path, suffix, folder, what is
// there. Each pair of them is put together, however the body comes and whatever is wrong with the path.
import { describe, expect, it } from 'vitest';
import { restWritingSuite } from '../support/rest-writing.ts';

const MAX_BYTES = 1_000;

/** In the order of the contract, each with the code that it is refused by. */
const FAULTS = [
  ['size', 'document_too_large'],
  ['nothing came', 'empty_document'],
  ['path', 'invalid_path'],
  ['suffix', 'unsupported_suffix'],
  ['folder', 'wrong_parent_folder'],
  ['there', 'already_exists'],
] as const;

type Fault = (typeof FAULTS)[number][0];

/** Folders that no path may lead through, as they are sent. */
const BAD_FOLDERS = {
  'is dotted': '.git',
  'holds a separator': 'a%2Fb',
  'holds a backslash': 'a%5Cb',
  'holds a control character': 'a%0Ab',
  'is badly encoded': 'a%E0%A4',
  'ends in a space': 'note.%20',
  'is named like a note': 'note.md',
  'has an empty part': 'House/',
} as const;

/** Where something is there already, in the only bad folder that there can be. */
const THERE = ['House', '.git'].flatMap((folder) =>
  ['Files/', ''].flatMap((parent) => ['pdf', 'docx'].map((suffix) => `${folder}/${parent}lease.${suffix}`)),
);

function pathWith(faults: readonly Fault[], badFolder: string): string {
  const has = (fault: Fault) => faults.includes(fault);
  const folder = has('path') ? badFolder : 'House';
  const name = `${has('there') ? 'lease' : 'new'}.${has('suffix') ? 'docx' : 'pdf'}`;
  return `/vault/${folder}/${has('folder') ? '' : 'Files/'}${name}`;
}

function bodyWith(faults: readonly Fault[]): Uint8Array {
  if (faults.includes('size')) return new Uint8Array(MAX_BYTES + 1).fill(0x78);
  return faults.includes('nothing came') ? new Uint8Array() : new Uint8Array(1).fill(0x78);
}

/** Without its length, which is then known only at its end. */
const inChunks = (bytes: Uint8Array) =>
  ({ body: new Blob([new Uint8Array(bytes)]).stream(), duplex: 'half' }) as unknown as RequestInit;

/** Each pair that can be, the one that is told first. */
const PAIRS = FAULTS.flatMap(([first, code], at) =>
  FAULTS.slice(at + 1).map(([second]) => [first, second, code] as const),
).filter(([first, second]) => !(first === 'size' && second === 'nothing came'));

describe('of two faults of an upload', () => {
  const rest = restWritingSuite(Object.fromEntries(THERE.map((path) => [path, 'other bytes'])), {
    'vault.doc_max_bytes': MAX_BYTES,
  });

  const refused = async (faults: readonly Fault[], code: string, badFolder: string, query = '') => {
    const path = `${pathWith(faults, badFolder)}${query}`;
    for (const sent of [{ body: new Uint8Array(bodyWith(faults)) }, inChunks(bodyWith(faults))]) {
      await rest.refused(() => rest.ask('PUT', path, sent), code);
    }
  };

  it.each(PAIRS)('the first is told: %s before %s', async (first, second, code) => {
    await refused([first, second], code, BAD_FOLDERS['is dotted']);
    await refused([first, second], code, BAD_FOLDERS['is dotted'], '?dry_run');
  });

  it.each(Object.entries(BAD_FOLDERS))(
    'a path that %s is told of after the body, and before all else',
    async (_how, folder) => {
      await refused(['size', 'path'], 'document_too_large', folder);
      await refused(['nothing came', 'path'], 'empty_document', folder);
      await refused(['path', 'suffix', 'folder'], 'invalid_path', folder);
    },
  );

  it('each is told alone, by its own code', async () => {
    for (const [fault, code] of FAULTS) await refused([fault], code, BAD_FOLDERS['is dotted']);
  });

  it('size and emptiness are told of a folder’s spelling of a document too, and no other folder is taken for an upload', async () => {
    const empty = { body: new Uint8Array() };
    await rest.refused(() => rest.ask('PUT', '/vault/House/Files/lease.pdf/', empty), 'empty_document');
    for (const path of ['/vault/House/Files/lease.pdf/', '/vault/House/']) {
      await rest.refused(() => rest.ask('PUT', path, { body: 'x' }), 'is_directory');
    }
    await rest.refused(() => rest.ask('PUT', '/vault/House/', empty), 'is_directory');
  });

  it('the size that is refused is named with the path as it was sent', async () => {
    const { body } = await rest.refused(
      () => rest.ask('PUT', '/vault/.git/Files/new.pdf', { body: new Uint8Array(bodyWith(['size'])) }),
      'document_too_large',
    );
    expect(body.error).toContain('".git/Files/new.pdf" was not filed');
  });
});
