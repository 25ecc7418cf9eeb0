/**
 * Scans read by workers in containers, for an indexer that leaves them to others: two beside it, and one in a compose
 * project of its own, as on another machine, with the vault mounted there too.
 */
import { networkInterfaces } from 'node:os';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { scannedPdf } from '../fixtures/pdf-files.ts';
import { withContainers } from '../support/containers/images.ts';
import { type Project, type ProjectOptions, startProject } from '../support/containers/project.ts';
import { freePort } from '../support/free-port.ts';

const PASSWORD = 'sw0rdfish';
const ALONE = { INDEXER_ROLES: 'watch,write' };
const scan = async (...texts: string[]) => new Uint8Array(await scannedPdf(texts));

const projects: Project[] = [];
const start = async (options: ProjectOptions) => {
  const project = await startProject(options);
  projects.push(project);
  return project;
};
const down = async () => {
  for (const project of projects.splice(0).reverse()) await project.down();
};

describe.skipIf(!withContainers)('workers beside the indexer', () => {
  const FIRST = 'Garden/Files/harvest.pdf';
  let project: Project;
  const scale = (workers: number) =>
    project.compose('up', '-d', '--no-build', '--no-recreate', '--scale', `worker=${workers}`, 'worker');
  const extraction = async (path: string) => (await project.get(`/vault/${path}?map`)).body.extraction;
  beforeAll(async () => {
    project = await start({ vault: { 'Home.md': '# Home\n' }, environment: ALONE });
    await project.untilReady();
  });
  afterAll(down);

  it('read the scans that it leaves to them', async () => {
    const filed = await project.call('PUT', `/vault/${FIRST}?wait=0`, await scan('THE PARSNIPS WERE DUG OUT LATE'));
    expect(filed).toMatchObject({ status: 200, body: { status: 'filed', extraction: 'pending' } });
    // Nobody is there yet who reads it.
    await project.call('PUT', '/vault/Jam.md?wait=indexed', 'Quince jelly.\n');
    expect(await extraction(FIRST)).toBe('pending');
    await scale(2);
    await project.untilFound('parsnips', FIRST);
    expect(await extraction(FIRST)).toBe('ocr');
  });

  it('see the vault and cannot write it', async () => {
    for (const number of [1, 2]) {
      const { Mounts } = await project.inspect('worker', number);
      expect(Mounts.map(({ Destination, RW }) => [Destination, RW])).toEqual([['/vault', false]]);
    }
    const { output } = await project.exec('worker', 'sh', '-c', 'ls /vault/Garden/Files && touch /vault/Garden/x');
    expect(output).toMatch(/harvest\.pdf.*Read-only file system/s);
  });

  it('lose nothing when one is killed in the middle of a scan', async () => {
    const path = 'Garden/Files/ledger.pdf';
    await scale(1);
    const texts = ['The ledger of the harbour council. '.repeat(20), 'THE GOOSEBERRIES WERE PICKED EARLY'];
    await project.call('PUT', `/vault/${path}?wait=0`, await scan(...texts));
    await project.until(async () => {
      const { output } = await project.exec('worker', 'sh', '-c', 'cat /proc/[0-9]*/comm');
      return output.includes('tesseract');
    }, 'a page to be recognised');
    await project.crash('worker');
    await project.untilFound('gooseberries', path);
    expect((await project.inspect('worker')).RestartCount).toBe(1);
    expect((await project.get('/readyz')).body.index).toMatchObject({ documents: 2, quarantined: 0 });
  });
});

describe.skipIf(!withContainers)('workers in a compose project of their own', () => {
  afterEach(down);

  it('read scans in a vault that is mounted there, and say so of one that is not', async () => {
    const redis = `${ownAddress()}:${await freePort()}`;
    const served = await start({
      files: ['docker-compose.yml', 'docker-compose.remote-workers.yml'],
      environment: { ...ALONE, REDIS_PASSWORD: PASSWORD, REDIS_PORT: redis },
      vault: { 'Home.md': '# Home\n' },
    });
    await served.untilReady();
    const startWorker = (vault: Readonly<Record<string, string>>) =>
      start({
        files: ['docker-compose.worker.yml', 'docker-compose.extract.yml'],
        environment: { REDIS_URL: `redis://:${PASSWORD}@${redis}`, ...vault },
      });
    const path = 'Files/harvest.pdf';
    await served.call('PUT', `/vault/${path}?wait=0`, await scan('THE PARSNIPS WERE DUG OUT LATE'));

    const stranger = await startWorker({});
    const map = async () => (await served.get(`/vault/${path}?map`)).body;
    const says = /does not have it in its vault\. Check that each extract worker has the vault of the indexer mounted/;
    await served.until(async () => says.test(String((await map()).detail)), 'the document to say what holds it up');
    expect(await map()).toMatchObject({ extraction: 'pending' });
    expect(await stranger.logs('worker')).toContain('the vault is empty: is it mounted here?');
    expect(await stranger.logs('worker')).toContain(`${path}: not in /vault`);

    await startWorker({ VAULT_DIR: served.vaultPath });
    await served.untilFound('parsnips', path);
    expect(await map()).toMatchObject({ extraction: 'ocr', pages: 1 });
  });
});

/** An address of this machine that is not its own alone: containers reach it as another machine would. */
function ownAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((of = []) => of);
  const found = addresses.find(({ family, internal }) => family === 'IPv4' && !internal);
  if (found === undefined) throw new Error('This machine has no address but its own.');
  return found.address;
}
