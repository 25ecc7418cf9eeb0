/** Links that follow what another program renames, in the composed product: the indexer writes them into the owner's vault. */
import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withContainers } from '../support/containers/images.ts';
import { type Project, startProject } from '../support/containers/project.ts';

const PASS = `const db = require('better-sqlite3')('/data/index.db', { readonly: true });
console.log(db.prepare("SELECT value FROM meta WHERE key = 'pass'").pluck().get());`;

describe.skipIf(!withContainers)('links in a vault that another program works on', () => {
  let project: Project;
  beforeAll(async () => {
    project = await startProject({
      vault: {
        'House/Roof.md': '# Roof\n\nSlates.\n',
        'House/Shed.md': '# Shed\n',
        'Home.md': 'See [[Roof|the roof]] and [[Shed]].\n',
      },
      settings: {
        ...{ EMBED_PROVIDER: 'lexical', WATCH_DEBOUNCE_SECONDS: '0.1' },
        ...{ LINKS_REPAIR: 'true', LINKS_AUTO_QUALIFY: 'true' },
      },
    });
    await project.untilReady();
    // What happens before the vault was quiet for the first time happens all at once, for all that anybody knows.
    await project.until(async () => {
      const { output } = await project.exec('indexer', 'node', '-e', PASS);
      return Number(output) > 1;
    }, 'a quiet moment');
  });
  afterAll(() => project?.down());

  it('follow a rename and tell namesakes apart, and the file stays its owner’s', async () => {
    const home = join(project.vaultPath, 'Home.md');
    await rename(join(project.vaultPath, 'House/Roof.md'), join(project.vaultPath, 'House/Tiles.md'));
    await writeFile(join(project.vaultPath, 'Shed.md'), '# Another shed\n');
    const mended = 'See [[Tiles|the roof]] and [[House/Shed]].\n';
    await project.until(async () => (await readFile(home, 'utf8')) === mended, 'both links to follow');
    expect(await stat(home)).toMatchObject({ uid: 1000, gid: 1000 });
    await project.until(async () => {
      const { body } = await project.get('/links?path=House/Tiles.md');
      return JSON.stringify(body).includes('"path":"Home.md"');
    }, 'the index to have the new link');
  });
});
