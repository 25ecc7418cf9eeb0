/**
 * The compose files as data: which settings and keys each container is given, how each is fenced in, and that they ask for
 * nothing that the oldest Docker and Compose named in docs/docker.md lack. That Compose takes them, test/containers shows.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mayStandInFile } from '@vault-mcp/shared/config/environment-layer';
import { KEYS } from '@vault-mcp/shared/config/key-table';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../support/doc-pages.ts';

interface Service {
  readonly [key: string]: unknown;
  readonly environment?: Readonly<Record<string, unknown>>;
}

const FILES = readdirSync(ROOT).filter((name) => /^docker-compose.*\.yml$/.test(name));
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
/** Without those that a file takes out: `name: !reset null`. */
const servicesOf = (file: string): [string, Service][] => {
  const text = read(file).replace(/ !(override|reset)\b/g, '');
  const { services } = parse(text, { merge: true }) as { services: Record<string, Service | null> };
  return Object.entries(services).filter((entry): entry is [string, Service] => entry[1] !== null);
};
/** Take out what a vault without `.scripts` cannot have. */
const NEED_2_24 = ['docker-compose.read-only.yml', 'docker-compose.embedded-read-only.yml'];
/** Files that stand by themselves; the others add to services of these. */
const WHOLE = ['docker-compose.yml', 'docker-compose.embedded.yml', 'docker-compose.worker.yml'];
const CONTAINERS = WHOLE.flatMap((file) => servicesOf(file).map(([name, service]) => ({ file, name, service })));

/** Whether a container reads documents, as far as its file decides that. */
function mayRead(file: string, name: string, { environment }: Service): boolean {
  if (file === 'docker-compose.embedded.yml') return name === 'api';
  return name === 'indexer' || String(environment?.INDEXER_ROLES).includes('extract');
}

/** Variables of the settings that `which` picks by name, with those that name a file instead. */
function variables(which: (name: string) => boolean): string[] {
  return [...KEYS.values()].flatMap((key) => {
    const { variable } = key.setting;
    if (variable === null || !which(key.name)) return [];
    return mayStandInFile(key) ? [variable, `${variable}_FILE`] : [variable];
  });
}

/** Decided by the compose files; their `_FILE` forms would say the same a second time. */
const DECIDED = ['REDIS_URL_FILE', 'VAULT_MCP_API_KEY_FILE', 'BIND_HOST'];
const OWN_OF_API = /^server\.(host|port|api_key|metrics_key)$|^gate\.api_key$/;

describe('what compose hands to a container', () => {
  it.each([
    ['docker-compose.yml', 'api', (name: string) => name !== ''],
    ['docker-compose.yml', 'indexer', (name: string) => !OWN_OF_API.test(name)],
    ['docker-compose.yml', 'worker', (name: string) => !OWN_OF_API.test(name)],
    ['docker-compose.embedded.yml', 'api', (name: string) => !/^queue\.|^indexer\.roles$/.test(name)],
    [
      'docker-compose.worker.yml',
      'worker',
      (name: string) => /^(embedding|queue)\.|^(indexer\.roles|log\.level|time_zone)$/.test(name),
    ],
    [
      'docker-compose.extract.yml',
      'worker',
      // Of the vault only how its documents are read; the configuration file comes with the first file.
      (name: string) => /^(indexer\.roles|vault\.(path|doc_ocr.*|doc_max_(seconds|memory.*)))$/.test(name),
    ],
  ] as const)('is, by name, what is its business, and no more: %s, %s', (file, wanted, isItsBusiness) => {
    const [, service] = servicesOf(file).find(([name]) => name === wanted) ?? [];
    const given = Object.keys(service?.environment ?? {}).filter((name) => !DECIDED.includes(name));
    const ofWhole = WHOLE.includes(file) ? ['VAULT_MCP_CONFIG'] : [];
    const expected = [...variables(isItsBusiness), ...ofWhole].filter((name) => !DECIDED.includes(name));
    expect(given.toSorted()).toEqual(expected.toSorted());
  });

  it('is how documents are read, wherever they are, and with how much: the same for whoever reads them', () => {
    const reading = FILES.flatMap((file) =>
      servicesOf(file)
        // One that only takes something out says nothing of how they are read.
        .filter(([name, service]) => !NEED_2_24.includes(file) && mayRead(file, name, service))
        .map(([name, service]) => ({ file, name, given: Object.keys(service.environment ?? {}) })),
    );
    expect(reading.map(({ file, name }) => `${file} ${name}`)).toEqual([
      'docker-compose.embedded.yml api',
      'docker-compose.extract.yml worker',
      'docker-compose.yml indexer',
      'docker-compose.yml worker',
    ]);
    const wanted = variables((name) => /^vault\.doc_(ocr|ocr_languages|max_seconds|max_memory_mib)$/.test(name));
    expect(wanted).toHaveLength(4);
    for (const { file, name, given } of reading) {
      expect([file, name, wanted.filter((variable) => !given.includes(variable))]).toEqual([file, name, []]);
    }
  });

  it('says beside its memory what reading a document takes of it, which a setting decides', () => {
    const memory = KEYS.get('vault.doc_max_memory_mib')?.setting;
    const remark = `# A document is read in a process of its own, with up to ${memory?.variable} (${memory?.default}): raise both together.`;
    for (const [file, limits] of [
      ['docker-compose.yml', ['INDEXER_MEMORY', 'WORKER_MEMORY']],
      ['docker-compose.extract.yml', ['WORKER_MEMORY']],
      ['docker-compose.embedded.yml', ['API_MEMORY']],
    ] as const) {
      const lines = read(file)
        .split('\n')
        .map((line) => line.trim());
      const said = limits.filter((limit) => lines[lines.indexOf(`mem_limit: \${${limit}:-2g}`) - 1] === remark);
      expect([file, said]).toEqual([file, limits]);
    }
  });

  it('is never the whole of a file', () => {
    const taking = FILES.flatMap((file) => servicesOf(file)).filter(([, service]) => 'env_file' in service);
    expect(taking).toEqual([]);
  });
});

describe('every container', () => {
  it.each(CONTAINERS)('has limits, no capability, and logs that end: $name of $file', ({ name, service }) => {
    expect(service).toMatchObject({
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      pids_limit: expect.any(Number),
      mem_limit: expect.stringMatching(/\d[mg]\}?$/),
      restart: expect.stringMatching(/^(unless-stopped|on-failure:\d+|no)$/),
      logging: { driver: 'json-file', options: { 'max-size': '10m', 'max-file': '3' } },
    });
    // Ollama's image is not ours to say so of.
    if (!name.startsWith('ollama')) expect(service).toMatchObject({ read_only: true, init: true });
  });

  it('is asked for its health some times a minute, not all the time', () => {
    const seconds = (text: unknown) => Number(/^(\d+)s$/.exec(String(text))?.[1]);
    const checks = CONTAINERS.map(({ service }) => (service.healthcheck ?? {}) as Record<string, unknown>).filter(
      (check) => Object.keys(check).length > 0,
    );
    // What runs one command and ends has no health to ask for.
    const asked = checks.filter(({ disable }) => disable !== true);
    expect(asked.length).toBeGreaterThan(1);
    for (const { interval } of asked) expect(seconds(interval)).toBeGreaterThanOrEqual(10);
    const ofImages = [...read('Dockerfile').matchAll(/^HEALTHCHECK --interval=(\S+)/gm)];
    expect(ofImages.map(([, interval]) => interval)).toEqual(['10s', '10s', '10s']);
  });
});

const SCRIPTS = '/vault/.scripts';

describe('the compose files', () => {
  it.each(FILES)('ask for nothing that came after Compose 2.20 and Docker 20.10: %s', (file) => {
    const newer: Readonly<Record<string, RegExp>> = {
      'env_file with path and required (Compose 2.24)': /env_file:\s*(\[\s*\{|\n\s*- *path)/,
      '!override (Compose 2.24)': /!override/,
      '!reset (unreliable before Compose 2.24)': /!reset/,
      'include (Compose 2.20.3)': /^include:/m,
      'content of a config (Compose 2.23)': /^\s*content:/m,
      'start_interval (Docker 25; Compose refuses it with an older one)': /start_interval/,
      'subpath of a volume (Docker 26)': /subpath:/,
      'develop, post_start, gpus, models, provider': /^\s*(develop|post_start|pre_stop|gpus|models|provider):/m,
    };
    const found = Object.entries(newer).filter(([, pattern]) => pattern.test(read(file)));
    // Nothing older takes out what a first file has. docs/docker.md and the file itself say what it needs.
    const excepted = Object.keys(newer).filter((what) => /^!/.test(what) && NEED_2_24.includes(file));
    expect(found.map(([what]) => what)).toEqual(excepted);
    expect(/Compose 2\.24/.test(read(file))).toBe(NEED_2_24.includes(file));
    expect(read('Dockerfile')).not.toMatch(/--start-interval|^# syntax=|<<-?['"]?EOF|--mount=|COPY.*--(parents|link)/m);
  });

  it('have nothing made in the vault but `.scripts`: what else is mounted has to be there already', () => {
    const mounts = FILES.flatMap((file) =>
      servicesOf(file).flatMap(([, { volumes = [] }]) => volumes as (string | Record<string, unknown>)[]),
    );
    for (const mount of mounts) {
      if (typeof mount === 'string') expect(mount).toMatch(/^[a-z]+:\/[a-z./]+$/);
      else if (mount.target !== SCRIPTS) {
        expect(mount).toMatchObject({ type: 'bind', target: '/vault', bind: { create_host_path: false } });
      }
    }
  });

  it('have workers read documents in a vault that they cannot write, with memory for it, on this machine and on others', () => {
    const { worker, indexer } = Object.fromEntries(servicesOf('docker-compose.yml'));
    const { worker: added } = Object.fromEntries(servicesOf('docker-compose.extract.yml'));
    for (const service of [worker, added]) {
      expect(service?.environment).toMatchObject({ INDEXER_ROLES: `\${WORKER_ROLES:-extract,embed}` });
      expect(service?.volumes).toMatchObject([
        { target: '/vault', read_only: true, bind: { create_host_path: false } },
      ]);
      expect(service?.user).toBe(indexer?.user);
      // As much as the indexer, which reads them in the same way.
      expect(service?.mem_limit).toBe(String(indexer?.mem_limit).replace('INDEXER', 'WORKER'));
    }
    // Where there is no vault there is nothing to read.
    const { worker: alone } = Object.fromEntries(servicesOf('docker-compose.worker.yml'));
    expect(alone?.environment).toMatchObject({ INDEXER_ROLES: 'embed' });
    expect(alone).not.toHaveProperty('volumes');
    for (const limit of ['pids_limit', 'tmpfs']) expect(alone?.[limit]).toEqual(worker?.[limit]);
  });

  it.each([
    ['docker-compose.yml', 'api'],
    ['docker-compose.yml', 'indexer'],
    ['docker-compose.yml', 'cli'],
    ['docker-compose.embedded.yml', 'api'],
  ])('close `.scripts` to who can write the vault, after its owner has made it: %s, %s', (file, name) => {
    const { api, [name]: program, 'scripts-folder': made } = Object.fromEntries(servicesOf(file));
    expect(program?.volumes).toContainEqual({
      ...{ type: 'bind', source: `\${VAULT_DIR}/.scripts`, target: SCRIPTS, read_only: true },
      bind: { create_host_path: true },
    });
    // Closed whole where agents are to read and never write.
    expect(program?.volumes).toContainEqual(
      expect.objectContaining({ target: '/vault', read_only: `\${READ_ONLY:-false}` }),
    );
    expect(program?.depends_on).toMatchObject({ 'scripts-folder': { condition: 'service_completed_successfully' } });
    expect(program?.user).toBe(made?.user);
    expect(made).toMatchObject({ image: api?.image, network_mode: 'none' });
  });
});
