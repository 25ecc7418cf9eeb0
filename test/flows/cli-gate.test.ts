/** `vault-mcp gate calibrate` as a person meets it, on the compiled program. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CliHome } from '../support/cli.ts';

const SUBJECTS = ['boiler', 'garden', 'ledger', 'violin', 'harbour', 'compiler'];

let home: CliHome;
beforeEach(() => {
  home = new CliHome();
});
afterEach(() => home.close());

/** Notes with words of their subject in common; every fourth has two sections that are far longer than a chunk has to be. */
function writeNotes(count: number): void {
  for (let n = 0; n < count; n++) {
    const subject = SUBJECTS[n % SUBJECTS.length] as string;
    const words = (from: number, many: number) =>
      Array.from({ length: many }, (_, i) => `${subject}${from + ((i * 5 + n) % 60)}`).join(' ');
    home.write(`${n}.md`, `# ${subject} ${n}\n\n## First\n\n${words(0, 200)}\n\n## Second\n\n${words(40, 200)}\n`);
  }
}

const calibrate = (...more: string[]) => home.run(['gate', 'calibrate', ...home.here, ...more]);
const reindex = () => home.run(['reindex', '--lexical', ...home.here]);

describe('gate calibrate', () => {
  it('suggests ceilings from an index that was made, as lines to paste', async () => {
    writeNotes(36);
    await reindex();
    const { code, stdout, stderr } = await calibrate('--lexical');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('Looked at 36 of 36 notes, with the vectors of lexical-hash-1.\n');
    expect(stdout).toMatch(/^ +far +near +same$/m);
    expect(stdout.match(/< ceiling$/gm)).toHaveLength(2);
    expect(stdout).toMatch(
      /^Suggested is 0\.\d+, which lets through 0\.?\d* % of far, \d+ % of near, \d+ % of same\.$/m,
    );
    expect(stdout).toMatch(/\nGATE_DISTANCE_CEILING=0\.\d+\nGATE_BM25_CEILING=-\d+(\.\d+)?\n$/);
  });

  it('says in JSON what it measured, also what the ceilings in force let through, and leaves a row in the audit log', async () => {
    writeNotes(36);
    await reindex();
    const env = { GATE_DISTANCE_CEILING: '2', GATE_BM25_CEILING: '0' };
    const { code, stdout } = await home.run(
      ['gate', 'calibrate', '--lexical', '--json', '--samples', '30', ...home.here],
      env,
    );
    const all = { far: 1, near: 1, same: 1 };
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      space: expect.stringMatching(/^[0-9a-f]{64}$/),
      model: 'lexical-hash-1',
      configured_model: 'lexical-hash-1',
      notes: 36,
      with_vectors: 36,
      sampled: 30,
      distance: {
        values: { far: 435, near: 30, same: 30 },
        bins: expect.toSatisfy((bins: unknown[]) => bins.length === 20),
        suggested: { ceiling: expect.any(Number), admits: expect.any(Object) },
        in_force: { ceiling: 2, admits: all },
      },
      bm25: {
        values: { far: 30, near: 30, same: 30 },
        bins: expect.any(Array),
        suggested: { ceiling: expect.any(Number), admits: expect.any(Object) },
        in_force: { ceiling: 0, admits: all },
      },
      set: { GATE_DISTANCE_CEILING: expect.any(String), GATE_BM25_CEILING: expect.any(String) },
      remarks: [],
    });
    const audit = await home.run(['audit', '--json', '--operation', 'calibrate-gate', ...home.here]);
    expect(JSON.parse(audit.stdout).calls).toMatchObject([{ surface: 'cli', agent: 'operator', outcome: 'ok' }]);
  });

  it('of a few notes shows what they measure, suggests nothing and ends with 1', async () => {
    writeNotes(8);
    await reindex();
    const { code, stdout } = await calibrate('--lexical');
    expect(code).toBe(1);
    expect(stdout).toContain('Too few notes to suggest anything: there are 8, and it takes 30.');
    expect(stdout).toContain('Nothing to set.');
    expect(stdout).not.toContain('< ceiling');
  });

  it('suggests no distance for an embedder whose vectors these are not', async () => {
    writeNotes(36);
    await reindex();
    const { code, stdout } = await calibrate('--json');
    const { model, set, remarks } = JSON.parse(stdout);
    expect({ code, model, set }).toEqual({ code: 1, model: null, set: { GATE_BM25_CEILING: expect.any(String) } });
    expect(remarks).toEqual([expect.stringContaining('not those of universal-sentence-encoder-lite')]);
  });

  it('reads along while a server works on the index', async () => {
    writeNotes(36);
    await reindex();
    const server = home.start(['serve', '--lexical', '--port', '0', ...home.here]);
    await server.until(/127\.0\.0\.1:\d+/);
    const { code, stdout } = await calibrate('--lexical', '--json');
    expect([code, JSON.parse(stdout).sampled]).toEqual([0, 36]);
  });

  it('without an index says what to run', async () => {
    writeNotes(1);
    const { code, stdout, stderr } = await calibrate();
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toBe(
      'vault-mcp: There is no index to measure: run `vault-mcp reindex`, or start the server, and try again.\n',
    );
  });

  it.each([
    ['no command of its own', ['gate']],
    ['another command', ['gate', 'open']],
    ['too few samples', ['gate', 'calibrate', '--samples', '29']],
  ])('(%s) is a wrong call', async (_what, args) => {
    const { code, stdout } = await home.run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  it('has help with its exit codes', async () => {
    const { code, stdout } = await home.run(['gate', 'calibrate', '--help']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/--samples[\s\S]*--json[\s\S]*Exit codes:/);
  });
});
