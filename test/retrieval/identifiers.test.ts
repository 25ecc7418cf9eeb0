/**
 * Identifiers of every shape, each in one note among notes that nearly hold it: the one note is first, always, by words alone, with the
 * stand-in embedder and with the built-in model, which knows nothing of numbers and must not be able to move it.
 */
import type { OperationContext } from '@vault-mcp/api/context';
import { search } from '@vault-mcp/api/operations/search';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type IndexedVault, indexVault } from '../support/indexed-vault.ts';
import { operationContext } from '../support/reading-context.ts';

/** What is asked for, a near miss of it, and its parts apart from each other. */
const IDENTIFIERS: readonly (readonly [kind: string, written: string, nearMiss: string, apart: string])[] = [
  ['a part number', 'MW-70-DMP-2', 'MW-70-DMP-3', 'the DMP of the MW costs 70 and weighs 2'],
  ['a part number with a colour', 'LJ-22-CMY', 'LJ-22-BK', 'the CMY set of 22 by LJ'],
  ['a serial number', '70W-118-4410', '70W-118-4411', '4410 units, 118 of them 70W'],
  ['a serial number with a slash', 'HV/PL/20931', 'HV/PL/20932', 'PL 20931 and HV'],
  ['a plate', 'EL17 KVN', 'EL17 KVM', 'KVN sold an EL17 lamp'],
  ['a plate with hyphens', 'TR-558-LM', 'TR-559-LM', 'LM 558 by TR'],
  ['a postcode', 'EL4 7QN', 'EL4 7QM', '7QN is opposite of EL4'],
  ['a postcode of another country', '1054 AX', '1054 AY', 'AX of the 1054 kind'],
  ['a decision', 'DEC-0054', 'DEC-0055', 'in DEC there were 0054 of them'],
  ['a ticket', 'LNF-412', 'LNF-413', '412 by LNF'],
  ['a snake_case name', 'atomic_write_json', 'atomic_write_yaml', 'json is no atomic write'],
  ['a snake_case name in upper case', 'ERR_GAP_0x11', 'ERR_GAP_0x12', 'a gap of 0x11 is no err'],
  ['a dotted key', 'sync.max_batch_ops', 'sync.max_batch_size', 'ops batch at max in a sync'],
  ['a camelCase name', 'parseVaultPath', 'parseVaultName', 'parse the vault for a path'],
  ['a path', '/srv/lnf/restore', '/srv/lnf/resume', 'restore what lnf has in srv'],
  ['a path of Windows', 'C:\\Lanternfish\\export', 'C:\\Lanternfish\\import', 'export by Lanternfish to C'],
  ['a file name', 'prune_thumbs.py', 'prune_thumbs.sh', 'py thumbs to prune'],
  ['an e-mail address', 'claims@orrery.example', 'office@orrery.example', 'example claims of an orrery'],
  [
    'an e-mail address with a plus',
    'ops+alerts@fish.example',
    'ops+news@fish.example',
    'alerts for ops of the fish example',
  ],
  ['a host', 'sync-1.fish.example', 'sync-2.fish.example', 'example fish 1 in sync'],
  ['an IP address', '192.168.40.20', '192.168.40.21', '20 of 40, 168 of 192'],
  ['a version', 'v4.11.2-b7', 'v4.11.2-b8', 'b7 is not 2, 11 or v4'],
  ['a commit', '9f3c2ab71e', '9f3c2ab71f', '9f3c and 2ab71e'],
  [
    'an account',
    'GB00 TEST 0000 0012 3456 78',
    'GB00 TEST 0000 0012 3456 79',
    '78 of 3456, 0012 and 0000 in a TEST of GB00',
  ],
  ['a booking', 'QK7MZD', 'QK7MZE', 'QK7 and MZD'],
  ['a chassis number', 'ZZ9CRV16XH7042718', 'ZZ9CRV16XH7042719', 'ZZ9 CRV16 XH7042718'],
  ['an order', '302-5518830-1147', '302-5518830-1148', '1147 or 302 or 5518830'],
  ['a telephone number', '07700 900 441', '07700 900 442', '441 of 900 and 07700'],
  ['a name with a plural', 'get_users_7', 'get_user_7', 'the 7 users whom they get'],
  ['a name with an ending', 'parse_running_9', 'parse_run_9', '9 were running to parse it'],
  ['a file name with a plural', 'lib/items_8.ts', 'lib/item_8.ts', '8 items of the lib in ts'],
  ['an address with a plural', 'orders@acme7.example', 'order@acme7.example', 'acme7 has orders for example'],
  ['a decision with a part', 'ADR-5054', 'ADR-5054-B', '5054 of the adr'],
  ['a version with a build', 'v1.2.31', 'v1.2.31.4', 'v1 and 31, not 2'],
  ['a ticket within a longer name', 'load_config_3', 'pre_load_config_3', '3 to load the config'],
  ['a job spelled otherwise', 'job-4471', 'jobs 4471', '4471 on the job'],
];

/** Neither case nor spaces nor backslashes tell the index that these are more than words, so beside other words they are found as words are. */
const WORDS_TO_THE_INDEX = ['1054 AX', 'parseVaultPath', 'C:\\Lanternfish\\export'];

/** The near miss stands in the shorter note, which ranking by words likes better. */
const NOTES = [
  ...IDENTIFIERS.flatMap(([, written, nearMiss, apart], n) => [
    [`Log/Entry ${n}.md`, `${note(n, `It says \`${written}\` on the label.`)} It was put back afterwards.\n`],
    [`Log/Other ${n}.md`, `${note(n, `It says \`${nearMiss}\` on the label.`)}\n`],
    [`Log/Third ${n}.md`, `${note(n, `Somebody wrote that ${apart}, and that it is on the label.`)}\n`],
  ]),
  ...Array.from({ length: 8 }, (_, n) => [
    `Garden/Greenhouse ${n}.md`,
    `# Greenhouse ${n}\n\nThe greenhouse wants its windows cleaned, and the greenhouse door has to be painted in year ${n}.\n`,
  ]),
];

/** Identifiers that stand in a note's properties alone, each beside a note whose text nearly holds it. */
const IN_PROPERTIES: readonly (readonly [written: string, property: string, nearMiss: string])[] = [
  ['FM-99812-A', 'order: FM-99812-A', 'FM-99812-B'],
  ['ALIAS-5512', 'aliases: [ALIAS-5512]', 'ALIAS-5513'],
  ['DESC-77120', 'description: Came with DESC-77120.', 'DESC-77121'],
  ['20931442', 'policy: 20931442', '20931443'],
];
NOTES.push(
  ...IN_PROPERTIES.flatMap(([, property, nearMiss], n) => [
    [`Properties/Entry ${n}.md`, `---\n${property}\n---\n\n${note(n, 'Nothing is on the label.')}\n`],
    [`Properties/Other ${n}.md`, `${note(n, `It says \`${nearMiss}\` on the label.`)}\n`],
  ]),
);

/** Text enough that no chunk is ranked for being short, alike in all notes so that nothing but the identifier tells them apart. */
function note(n: number, line: string): string {
  return `# Observation ${n}\n\nThe thing was taken out of its box and looked at in daylight. ${line}`;
}

const asked: readonly (readonly [how: string, of: (written: string) => string])[] = [
  ['as it is written', (written) => written],
  ['in lower case', (written) => written.toLowerCase()],
  ['in quotation marks', (written) => `"${written}"`],
  ['beside a word the vault does not have', (written) => `${written} frobnicated`],
  ['after two of them', (written) => `quuxly zorbium ${written}`],
  ['within a question', (written) => `what is ${written} about?`],
  ['between Japanese characters', (written) => `契約番号${written}について`],
  ['between Chinese characters', (written) => `关于${written}的记录`],
];

const askedBesideWords: typeof asked = [
  ['beside a word that other notes have', (written) => `greenhouse ${written}`],
  ['in a question about something else too', (written) => `is the greenhouse door painted, and ${written}?`],
];

async function misses(
  context: OperationContext,
  of: (written: string) => string,
  except: readonly string[] = [],
): Promise<string[]> {
  const missed: string[] = [];
  for (const [index, [, written]] of IDENTIFIERS.entries()) {
    if (except.includes(written)) continue;
    const { results, degraded } = await search(context, { query: of(written) });
    expect(degraded).toEqual([]);
    if (results[0]?.path !== `Log/Entry ${index}.md`) missed.push(`${of(written)}: ${results[0]?.path}`);
  }
  return missed;
}

describe.each([
  ['by words alone', 'lexical', { embedder: null }],
  ['with the stand-in embedder', 'lexical', {}],
  ['with the built-in model', 'builtin', {}],
])('%s', (_arms, provider, over) => {
  let indexed: IndexedVault;
  let context: OperationContext;
  beforeAll(async () => {
    indexed = await indexVault({
      files: Object.fromEntries(NOTES),
      env: { EMBED_PROVIDER: provider, SEARCH_EMBED_TIMEOUT_SECONDS: '60' },
    });
    await indexed.settled({ withinMs: 100_000 });
    await indexed.until(() => indexed.reader.indexerStatus()?.state === 'ready', 'the indexer to say so');
    context = await operationContext(indexed, over);
  });
  afterAll(() => indexed?.remove());

  it.each(asked)('every identifier asked for %s finds its note first', async (_how, of) => {
    expect(await misses(context, of)).toEqual([]);
  });

  it('every identifier that stands in the properties of a note alone finds it first', async () => {
    const found = IN_PROPERTIES.map(async ([written]) => (await search(context, { query: written })).results[0]?.path);
    expect(await Promise.all(found)).toEqual(IN_PROPERTIES.map((_each, n) => `Properties/Entry ${n}.md`));
  });

  it.each(askedBesideWords)(
    'every one that the index can tell, asked for %s, finds its note first',
    async (_how, of) => {
      expect(await misses(context, of, WORDS_TO_THE_INDEX)).toEqual([]);
    },
  );
});
