/** The images: what they weigh, what they say of themselves, and that what was left out of them is missed by nothing. */
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { scannedPdf, textPdf } from '../fixtures/pdf-files.ts';
import { docker } from '../support/containers/engine.ts';
import { IMAGES, ROOT, withContainers } from '../support/containers/images.ts';
import { type Project, startProject } from '../support/containers/project.ts';
import { page, rowsOf } from '../support/doc-pages.ts';

const BASE = process.env.NODE_IMAGE ?? 'node:24-bookworm-slim';
const OURS = ['api', 'indexer', 'embedded'] as const;

/** What an image adds to the one that it is made from, in MB. */
async function added(image: string): Promise<number> {
  const { output } = await docker('image', 'inspect', '--format', '{{.Size}}', BASE, image);
  const [base = 0, whole = 0] = output.trim().split('\n').map(Number);
  return (whole - base) / 1e6;
}

describe.skipIf(!withContainers)('the images', () => {
  it.each(OURS)('weigh what docs/docker.md says, give or take a tenth: %s', async (name) => {
    const rows = rowsOf(page('docs/docker.md'), '### What the images weigh');
    const [, stated = ''] = rows.find(([image]) => image === `\`vault-mcp-${name}\``) ?? [];
    const megabytes = Number(/^(\d+) MB$/.exec(stated)?.[1]);
    const weighs = await added(IMAGES[name]);
    console.log(`the image ${name} adds ${weighs.toFixed(0)} MB to its base`);
    expect(weighs / megabytes).toBeGreaterThan(0.9);
    expect(weighs / megabytes).toBeLessThan(1.1);
  });

  it.each(OURS)('hold their licence, and nothing that only tests, compiles or serves browsers: %s', async (name) => {
    const find = [
      'find /app',
      String.raw`\( -name "*.test.js" -o -name "*.test.ts" -o -name "*.map" -o -name "*.d.ts" -o -name "*.c"`,
      String.raw`-o -name "*.cc" -o -path "*/pdfjs-dist/build/*" -o -path "*/zod/src/*" \) -type f | head -3; ls /app/LICENSE`,
    ].join(' ');
    const { output } = await docker('run', '--rm', IMAGES[name], 'sh', '-c', find);
    expect(output).toBe('/app/LICENSE\n');
  });
});

describe.skipIf(!withContainers)('documents in containers', () => {
  let project: Project | undefined;
  afterEach(() => project?.down());

  it.each(['docker-compose.yml', 'docker-compose.embedded.yml'])('are read, scans too: %s', async (file) => {
    project = await startProject({
      files: [file],
      vault: async (folder) => {
        await cp(join(ROOT, 'examples/vault/Files'), join(folder, 'Files'), { recursive: true });
        await writeFile(join(folder, 'typed.pdf'), await textPdf(['The gooseberries were picked on a Tuesday.']));
        await writeFile(join(folder, 'scanned.pdf'), await scannedPdf(['THE PARSNIPS WERE DUG OUT LATE']));
      },
    });
    await project.untilReady();
    await project.untilFound('gooseberries', 'typed.pdf');
    await project.untilFound('parsnips', 'scanned.pdf');
    expect((await project.get('/readyz')).body.index).toMatchObject({ documents: 4, quarantined: 0 });
  });
});
