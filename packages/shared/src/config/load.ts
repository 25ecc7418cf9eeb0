/**
 * Loads the configuration: `built-in defaults < config.yaml < environment < command-line options`. The only module
 * that reads process.env, and the only one here that touches the disk. Danger: nothing half-valid ever leaves here; every problem of every layer is collected and
 * thrown at once, without quoting a secret.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nest, type RunMode, type Settled, settle } from './complete.ts';
import { crossProblems } from './cross-rules.ts';
import { CONFIG_FILE_VARIABLE, type Environment, environmentLayer, namedFiles } from './environment-layer.ts';
import { fileLayer } from './file-layer.ts';
import { type Layer, optionsLayer } from './layer.ts';
import { searchPath } from './program-places.ts';
import { type Config, configSchema } from './schema.ts';

export interface LoadOptions {
  /** Which defaults apply, and whether Redis and a key must be given. */
  readonly mode: RunMode;
  /** Default process.env. */
  readonly env?: Environment;
  /** Command-line options by dotted key; they win over everything. */
  readonly overrides?: Readonly<Record<string, unknown>>;
  /** Defaults that only the caller can know (the embedded data folder), by dotted key; everything wins over them. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** What relative paths are resolved against; default the working directory. */
  readonly cwd?: string;
  /** Folder searched for config.yaml; default the repository's root (`/app` in the image). */
  readonly root?: string;
  /** Refuse to start without an operator key; default true for the containers, false in embedded mode. */
  readonly requireApiKey?: boolean;
}

/** The configuration cannot be used. `problems` holds all of them, one plain line each; so does the message. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration cannot be used:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/**
 * The settled configuration.
 * @throws ConfigError naming every unknown key, wrong type, value out of range and missing or contradicting setting,
 *   each with its layer (variable, or file and line)
 */
export function loadConfig(options: LoadOptions): Config {
  const { settled, problems } = read(options);
  if (problems.length > 0) throw new ConfigError(problems);
  const config = configSchema.parse(nest(settled.values));
  const contradictions = crossProblems(config, {
    mode: options.mode,
    requireApiKey: options.requireApiKey ?? options.mode === 'containers',
  });
  if (contradictions.length > 0) throw new ConfigError(contradictions);
  return config;
}

/**
 * What somebody set for one key in any layer, before anything else is settled; undefined when only a default would
 * apply. For what has to be known before the configuration can be loaded: which vault, which data folder.
 * @throws ConfigError when any layer has problems of its own
 */
export function chosenValue(name: string, options: LoadOptions): unknown {
  const { layers, settled } = read(options);
  const problems = layers.flatMap((layer) => layer.problems);
  if (problems.length > 0) throw new ConfigError(problems);
  return settled.chosen.has(name) ? settled.values.get(name) : undefined;
}

/**
 * The files that settings stand in, secrets above all: those that variables name, config.yaml, and an `.env` in the working
 * directory, which whoever started the program may have read it from.
 * @returns absolute paths; of the two that nobody names, only those that are there
 */
export function settingFiles(options: Pick<LoadOptions, 'env' | 'cwd' | 'root'> = {}): readonly string[] {
  const cwd = options.cwd ?? process.cwd();
  const unnamed = [join(options.root ?? repositoryRoot(), 'config.yaml'), join(cwd, '.env')].filter((path) =>
    existsSync(path),
  );
  return [...namedFiles(options.env ?? process.env).map((path) => resolve(cwd, path)), ...unnamed];
}

/** Where this user's programs keep their data: `$XDG_DATA_HOME`, else `~/.local/share`. Absolute. */
export function userDataHome(env: Environment = process.env): string {
  const named = env.XDG_DATA_HOME;
  // The XDG specification says to ignore a relative path.
  return named !== undefined && isAbsolute(named) ? named : join(homedir(), '.local', 'share');
}

/**
 * What the programs that this one starts are told of where things are: no setting, and no secret. An empty variable counts
 * as unset; PATH is always told, without what no program should be looked for in (see program-places.ts).
 */
export function programPlaces(env: Environment = process.env): Readonly<Record<string, string>> {
  const { PATH, TESSDATA_PREFIX } = env;
  return { PATH: searchPath(PATH, isFolder), ...(TESSDATA_PREFIX && { TESSDATA_PREFIX }) };
}

/** Where git is looked for, and where it looks for its user's settings. */
export function gitPlaces(env: Environment = process.env): Readonly<Record<string, string>> {
  const { PATH, HOME } = env;
  return { PATH: searchPath(PATH, isFolder), ...(HOME && { HOME }) };
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    // It may not be looked at (no permission, a loop of links): then nothing is to be found in it either.
    return false;
  }
}

interface Reading {
  readonly layers: readonly Layer[];
  readonly settled: Settled;
  readonly problems: readonly string[];
}

function read(options: LoadOptions): Reading {
  const env = options.env ?? process.env;
  const cwd = options.cwd ?? process.cwd();
  const layers = [
    optionsLayer(options.defaults ?? {}),
    configFileLayer(env, cwd, options.root ?? repositoryRoot()),
    environmentLayer(env, (path) => readFileSync(resolve(cwd, path))),
    optionsLayer(options.overrides ?? {}),
  ];
  const settled = settle(layers, options.mode, cwd);
  return { layers, settled, problems: [...layers.flatMap((layer) => layer.problems), ...settled.problems] };
}

function configFileLayer(env: Environment, cwd: string, root: string): Layer {
  const named = env[CONFIG_FILE_VARIABLE];
  if (named === undefined) return fileLayer(join(root, 'config.yaml'), false, readFileSync);
  if (named === '') return optionsLayer({});
  return fileLayer(resolve(cwd, named), true, readFileSync);
}

// From packages/shared/{src,dist}/config/ up to the repository (or /app in the image).
function repositoryRoot(): string {
  return fileURLToPath(new URL('../../../../', import.meta.url));
}
