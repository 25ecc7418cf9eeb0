/**
 * One `docker compose up` of the real docker-compose.yml, on a vault of its own, with volumes of its own. Danger: what is
 * left running after a test takes the next one's memory, so every project is taken down with its volumes by who started it.
 */
import { chown, mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DockerComposeEnvironment, StartupCheckStrategy } from 'testcontainers';
import { freePort } from '../free-port.ts';
import { createTempFolder, type TempFolder } from '../temp-folder.ts';
import { type Engine, openEngine } from './engine.ts';
import { IMAGES, ROOT } from './images.ts';
import { createCaller, type VaultCaller } from './vault-caller.ts';

export const KEY = 'key-of-the-containers';

export interface ProjectOptions {
  /** Text by path, or what fills the folder. */
  readonly vault?: Readonly<Record<string, string>> | ((folder: string) => void | Promise<void>);
  /** Who owns the vault, and whom the programs run as unless `environment` says otherwise. Default 1000:1000. */
  readonly owner?: readonly [uid: number, gid: number];
  /** Of the shell that calls compose, beside what every project needs; undefined takes one away. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Compose files; default docker-compose.yml. */
  readonly files?: readonly string[];
  /** Settings of the programs, as an `.env` beside the compose file would hold them; default: words only, quick to notice. */
  readonly settings?: Readonly<Record<string, string>>;
  /** More compose, by service, merged over the files. */
  readonly override?: Readonly<Record<string, object>>;
  readonly profiles?: readonly string[];
  /** Services to start; default all. */
  readonly services?: readonly string[];
}

export interface Project extends VaultCaller, Engine {
  readonly vaultPath: string;
  /** Writes a file into the vault from outside, as its owner would. */
  put(path: string, content: string): Promise<void>;
  down(): Promise<void>;
}

/** What makes tests quick without being what they test: no model, and a short look before indexing. */
const QUICK = { EMBED_PROVIDER: 'lexical', WATCH_DEBOUNCE_SECONDS: '0.1' };
const PROGRAMS = ['api', 'indexer', 'worker'];
let named = 0;

/** Each test waits for what it needs; some containers are meant to end at once. */
class NoWait extends StartupCheckStrategy {
  override async checkStartupState(): Promise<'SUCCESS'> {
    return 'SUCCESS';
  }
}

/** @throws Error with compose's words when it does not come up; everything is taken down then */
export async function startProject(options: ProjectOptions = {}): Promise<Project> {
  const folder = await createTempFolder('containers');
  const owner = options.owner ?? [1000, 1000];
  const { vaultPath, put } = await makeVault(folder, options.vault ?? {}, owner);

  const name = projectName();
  const port = await freePort();
  const variables = variablesFor({ vaultPath, port, owner }, options.environment ?? {});
  const files = [...(options.files ?? ['docker-compose.yml']), await overrideFile(folder, options)];
  const compose = new DockerComposeEnvironment(ROOT, files)
    .withProjectName(name)
    .withEnvironment(variables)
    .withProfiles(...(options.profiles ?? []))
    .withDefaultWaitStrategy(new NoWait())
    .withClientOptions({ commandOptions: ['--no-build'] });
  try {
    const environment = await compose.up(options.services && [...options.services]);
    return {
      ...{ vaultPath, put },
      ...createCaller(`http://127.0.0.1:${port}`, KEY),
      ...openEngine({ name, files, variables }),
      async down() {
        await environment.down();
        await folder.remove();
      },
    };
  } catch (error) {
    await folder.remove();
    throw error;
  }
}

/** No other project on this machine has it. */
export function projectName(): string {
  named += 1;
  return `vault-mcp-test-${process.pid}-${named}`;
}

/** A filled vault within the folder, and how its owner adds to it. */
export async function makeVault(
  folder: TempFolder,
  content: NonNullable<ProjectOptions['vault']>,
  owner: readonly [number, number],
): Promise<Pick<Project, 'vaultPath' | 'put'>> {
  const vaultPath = join(folder.path, 'vault');
  await mkdir(vaultPath);
  await fill(vaultPath, content, owner);
  return { vaultPath, put: (path, text) => putAs(vaultPath, path, text, owner) };
}

function variablesFor(
  { vaultPath, port, owner: [uid, gid] }: { vaultPath: string; port: number; owner: readonly [number, number] },
  more: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const variables = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    REDIS_IMAGE: process.env.REDIS_IMAGE,
    API_IMAGE: IMAGES.api,
    INDEXER_IMAGE: IMAGES.indexer,
    EMBEDDED_IMAGE: IMAGES.embedded,
    OLLAMA_IMAGE: IMAGES.ollama,
    VAULT_DIR: vaultPath,
    VAULT_MCP_API_KEY: KEY,
    VAULT_MCP_PORT: `127.0.0.1:${port}`,
    PUID: String(uid),
    PGID: String(gid),
    ...more,
  };
  // testcontainers adds all of this process's environment: what is not to be there must not be here either.
  for (const [name, value] of Object.entries(more)) if (value === undefined) delete process.env[name];
  const given = Object.entries(variables).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(given);
}

/** The services of ours that these files have. */
function programsOf(files: readonly string[]): readonly string[] {
  if (files.some((file) => file.includes('embedded'))) return ['api'];
  return files.some((file) => file.includes('docker-compose.worker')) ? ['worker'] : PROGRAMS;
}

async function overrideFile(folder: TempFolder, options: ProjectOptions): Promise<string> {
  const services: Record<string, object> = {};
  const settings = options.settings ?? QUICK;
  for (const program of programsOf(options.files ?? [])) services[program] = { environment: settings };
  for (const [service, more] of Object.entries(options.override ?? {})) {
    services[service] = { ...services[service], ...more };
  }
  const path = join(folder.path, 'override.json');
  // JSON is YAML.
  await writeFile(path, JSON.stringify({ services }));
  return path;
}

async function fill(
  folder: string,
  vault: NonNullable<ProjectOptions['vault']>,
  owner: readonly [number, number],
): Promise<void> {
  if (typeof vault === 'function') await vault(folder);
  else for (const [path, content] of Object.entries(vault)) await putAs(folder, path, content, owner);
  await chown(folder, ...owner);
  for (const path of await readdir(folder, { recursive: true })) await chown(join(folder, path), ...owner);
}

async function putAs(root: string, path: string, content: string, owner: readonly [number, number]): Promise<void> {
  const absolute = join(root, path);
  const made = await mkdir(dirname(absolute), { recursive: true });
  await writeFile(absolute, content);
  await chown(absolute, ...owner);
  for (let folder = dirname(absolute); made && folder.startsWith(made); folder = dirname(folder)) {
    await chown(folder, ...owner);
  }
}
