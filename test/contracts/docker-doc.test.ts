/**
 * docs/docker.md held to the compose files: what it says to set is there with that default, and the containers, volumes,
 * files and limits that it names are those that would run.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { codeOf, page, ROOT, rowsOf } from '../support/doc-pages.ts';

interface Service {
  readonly mem_limit?: string;
  readonly ports?: readonly string[];
  readonly volumes?: readonly { readonly target?: string }[];
}

interface Compose {
  readonly name: string;
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes?: Readonly<Record<string, unknown>>;
}

const DOC = page('docs/docker.md');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const compose = parse(read('docker-compose.yml'), { merge: true }) as Compose;
const spans = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span);
const lines = codeOf(DOC).flatMap((text) => text.split('\n'));

describe('docs/docker.md', () => {
  it('says what to set, with the default that there is', () => {
    for (const [names = '', , value = ''] of rowsOf(DOC, '## Start')) {
      const said = spans(value);
      for (const [at, name] of spans(names).entries()) {
        expect(read('.env.example'), name).toMatch(new RegExp(`^(# )?${name}=`, 'm'));
        const [, inCompose] = new RegExp(`\\$\\{${name}:-([^}]+)\\}`).exec(read('docker-compose.yml')) ?? [];
        if (said[at] !== undefined) expect([name, said[at]]).toEqual([name, inCompose]);
      }
    }
  });

  it('names containers and volumes that there are', () => {
    const named = lines.flatMap((line) => {
      const [, called] = /^docker compose (?:-f \S+ )?run (?:--rm |-v \S+ )+(\S+)/.exec(line) ?? [];
      if (called !== undefined) return [called];
      const [, rest = ''] = /^docker compose (?:-f \S+ )?(?:stop|start|logs|exec) (?:-f )?(.*)$/.exec(line) ?? [];
      return line.includes(' exec ') ? rest.split(' ').slice(0, 1) : rest.split(' ').filter((word) => word !== '');
    });
    expect(named.length).toBeGreaterThan(4);
    expect(named.filter((name) => name !== '-f' && !(name in compose.services))).toEqual([]);
    const volumes = lines.flatMap((line) => [...line.matchAll(/-v ([a-z-]+)_([a-z]+):/g)]);
    expect(volumes.length).toBeGreaterThan(0);
    for (const [, project, volume = ''] of volumes) {
      expect(project).toBe(compose.name);
      expect(Object.keys(compose.volumes ?? {})).toContain(volume);
    }
    const backedUp = rowsOf(DOC, '## What to back up').flatMap(([where = '']) =>
      /^volume/.test(where) ? spans(where) : [],
    );
    expect(backedUp.toSorted()).toEqual(Object.keys(compose.volumes ?? {}).toSorted());
  });

  it('states the limits of memory that are set', () => {
    const rows = rowsOf(DOC, '### Memory').flatMap(([container = '']) => spans(container));
    expect(rows.toSorted()).toEqual(Object.keys(compose.services).toSorted());
    for (const [container = '', limit = '', by = ''] of rowsOf(DOC, '### Memory')) {
      const [name = ''] = spans(container);
      const set = compose.services[name]?.mem_limit ?? '';
      const [, variable, value = set] = /^\$\{([A-Z_]+):-(.+)\}$/.exec(set) ?? [];
      expect([name, limit]).toEqual([name, value.replace(/g$/, ' GB').replace(/m$/, ' MB')]);
      if (variable !== undefined) expect(spans(by)).toEqual([variable]);
    }
  });

  it('mounts the scripts of a path with a colon as all others, but for who makes the folder', () => {
    const [shown] = codeOf(DOC).filter((text) => text.includes('/vault/.scripts'));
    for (const name of ['api', 'indexer', 'cli']) {
      const mountIn = ({ services }: Pick<Compose, 'services'>) =>
        services[name]?.volumes?.find((volume) => volume.target === '/vault/.scripts');
      expect(mountIn(parse(shown ?? '') as Compose), name).toEqual({
        ...mountIn(compose),
        bind: { create_host_path: false },
      });
    }
  });

  it('names files that are there', () => {
    const files = lines.flatMap(
      (line) => line.match(/\bdocker-compose[\w.-]*\.yml|\.env\.example|apps\/\S+\.js/g) ?? [],
    );
    const sources = files.map((file) => file.replace('/dist/', '/src/').replace(/\.js$/, '.ts'));
    const written = ['docker-compose.override.yml'];
    expect(sources.filter((file) => !written.includes(file) && !existsSync(join(ROOT, file)))).toEqual([]);
  });
});
