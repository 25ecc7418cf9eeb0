/** The Dockerfile held to what it repeats of package.json, and to what each of its images has to have. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../support/doc-pages.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const text = read('Dockerfile')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '');
const manifest = JSON.parse(read('package.json')) as { version: string; license: string; engines: { node: string } };
/** Instructions by stage, what a stage is made from included. */
const stages = new Map<string, string>();
for (const part of text.split(/^(?=FROM )/m).slice(1)) {
  const [, base = '', name = ''] = /^FROM (\S+) AS (\S+)/.exec(part) ?? [];
  stages.set(name, `${stages.get(base) ?? ''}${part}`);
}
const IMAGES = ['api', 'indexer', 'embedded'];

describe('the Dockerfile', () => {
  it('says version and licence as package.json does, once', () => {
    expect(text.match(/\bVERSION=\S+/g)?.[0]).toBe(`VERSION=${manifest.version}`);
    expect(text.match(/\bLICENCE=\S+/g)).toEqual([`LICENCE=${manifest.license}`]);
    expect(text.match(/^ARG .*\bVERSION=/gm)).toHaveLength(1);
  });

  it('has a default base that the product runs on and the workflow tests', () => {
    const [, tag = ''] = /^ARG NODE_IMAGE=node:(\d+)-bookworm-slim$/m.exec(text) ?? [];
    expect(Number(tag)).toBeGreaterThanOrEqual(Number(/\d+/.exec(manifest.engines.node)?.[0]));
    const { jobs } = parse(read('.github/workflows/ci.yml')) as {
      jobs: { test: { strategy: { matrix: { node: string[] } } } };
    };
    expect(jobs.test.strategy.matrix.node).toContain(tag);
    for (const [name, instructions] of stages) expect(instructions, name).toMatch(/^FROM \$\{NODE_IMAGE\}/);
  });

  it('installs what the lock file says and nothing else', () => {
    const installed = text.match(/\bnpm (?:ci|install|i|update|exec)\b/g) ?? [];
    expect(installed.length).toBeGreaterThan(1);
    expect(new Set(installed)).toEqual(new Set(['npm ci']));
    const { workspaces } = JSON.parse(read('package.json')) as { workspaces: string[] };
    // What npm would miss of the lock file's workspaces.
    const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, { link?: boolean }> };
    const locals = Object.keys(packages).filter((name) => name !== '' && !name.includes('node_modules'));
    expect(locals.length).toBeGreaterThanOrEqual(workspaces.length);
    for (const local of locals) {
      expect(existsSync(join(ROOT, local, 'package.json'))).toBe(true);
      expect(stages.get('installed')).toContain(`COPY ${local}/package.json ${local}/`);
    }
  });

  it.each(IMAGES)('makes an image that says what it is, how to ask for its health, and is not root’s: %s', (image) => {
    const instructions = stages.get(image) ?? '';
    for (const label of ['title', 'description', 'version', 'revision', 'source', 'licenses']) {
      expect(instructions).toContain(`org.opencontainers.image.${label}=`);
    }
    expect(instructions.match(/^USER .*$/gm)).toEqual(['USER 1000:1000']);
    expect(instructions.match(/^HEALTHCHECK /gm)).toHaveLength(1);
    const programs = [...instructions.matchAll(/^(?:CMD|HEALTHCHECK).*?(apps\/[\w/.-]+\.js)/gm)];
    expect(programs).toHaveLength(2);
    for (const [, program = ''] of programs) {
      const source = program.replace('/dist/', '/src/').replace(/\.js$/, '.ts');
      expect(existsSync(join(ROOT, source)), program).toBe(true);
      expect(instructions).toContain(`COPY --from=compiled /app/${program.slice(0, program.indexOf('/dist/'))}/dist`);
    }
  });

  it('leaves what compiles, what tests and what is secret out of them', () => {
    for (const image of IMAGES)
      expect(stages.get(image)).not.toMatch(/\bg\+\+|\bmake\b|COPY \. |ARG \S*(KEY|TOKEN|PASS)/);
    expect(
      read('.dockerignore')
        .split('\n')
        .find((line) => line !== '' && !line.startsWith('#')),
    ).toBe('*');
  });
});
