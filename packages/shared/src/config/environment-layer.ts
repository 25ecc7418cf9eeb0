/**
 * The environment as a layer. Only variables the key table names are read; a secret, or an address that may hold one, may
 * instead be read from the file that `<variable>_FILE` names.
 *
 * Unknown variables are normally somebody else's. Two kinds are taken for mistakes and refused, since a setting that
 * is silently ignored is worse than a refused start: anything else starting with `VAULT_MCP_` (except what
 * Kubernetes injects for a service of that name), and a variable at most two letters away from a known one that is
 * itself unset (`SEARCH_DEFUALT_K`).
 */
import { distance } from 'fastest-levenshtein';
import { fromVariable } from './coerce.ts';
import { KEYS, type Key } from './key-table.ts';
import { type Layer, LayerBuilder } from './layer.ts';
import { type ReadFile, readFailure } from './read-file.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The variable that names another config.yaml; empty = read none. */
export const CONFIG_FILE_VARIABLE = 'VAULT_MCP_CONFIG';

const OWN_PREFIX = 'VAULT_MCP_';
// VAULT_MCP_PORT is also the host port in docker-compose.yaml; the rest is what Kubernetes sets for a service.
const FOREIGN = /^VAULT_MCP_(PORT|SERVICE)(_|$)/;

export function environmentLayer(env: Environment, readFile: ReadFile): Layer {
  const layer = new LayerBuilder();
  for (const key of KEYS.values()) {
    const variable = key.setting.variable;
    if (variable === null) continue;
    if (mayStandInFile(key) && env[`${variable}_FILE`] !== undefined) readFromFile(layer, env, key, variable, readFile);
    else if (key.setting.secret === true) readSecret(layer, env, key, variable);
    else readPlain(layer, env, key, variable);
  }
  refuseNearMisses(layer, env);
  return layer;
}

/** The files that variables name: secrets in files, and another config.yaml. As they are written. */
export function namedFiles(env: Environment): string[] {
  const variables = [...KEYS.values()].flatMap((key) =>
    key.setting.variable !== null && mayStandInFile(key) ? `${key.setting.variable}_FILE` : [],
  );
  return [CONFIG_FILE_VARIABLE, ...variables].flatMap((variable) => env[variable] || []);
}

function readPlain(layer: LayerBuilder, env: Environment, key: Key, variable: string): void {
  const raw = env[variable];
  if (raw === undefined) return;
  if (raw !== '') {
    layer.set(key, fromVariable(key.setting.kind, raw), variable);
  } else if (key.setting.whenEmpty !== undefined) {
    layer.set(key, key.setting.whenEmpty, variable);
  } else {
    layer.refuse(variable, `${key.name} is empty; give a value or unset the variable`);
  }
}

function readSecret(layer: LayerBuilder, env: Environment, key: Key, variable: string): void {
  const value = env[variable];
  if (value !== undefined) takeSecret(layer, key, value, variable);
}

/** Whether a key may be read from the file that `<variable>_FILE` names. */
export function mayStandInFile({ setting }: Key): boolean {
  return setting.secret === true || setting.sensitive === true;
}

function readFromFile(layer: LayerBuilder, env: Environment, key: Key, variable: string, readFile: ReadFile): void {
  const fileVariable = `${variable}_FILE`;
  const path = env[fileVariable];
  if (env[variable] !== undefined) {
    layer.refuse(variable, `is set together with ${fileVariable}; keep one of them`);
    return;
  }
  if (!path) {
    layer.refuse(fileVariable, `is empty; name the file that holds ${key.name} or unset the variable`);
    return;
  }
  let text: string;
  try {
    text = readFile(path).toString('utf8');
  } catch (error) {
    layer.refuse(fileVariable, `cannot read ${path}: ${readFailure(error)}`);
    return;
  }
  // An editor or `echo` ends the file with a newline that is no part of the value.
  takeSecret(layer, key, text.replace(/\r?\n$/, ''), fileVariable);
}

function takeSecret(layer: LayerBuilder, key: Key, value: string, where: string): void {
  if (value.trim() !== '') layer.set(key, value, where);
  else if (key.setting.secret === true) layer.refuse(where, `${key.name} is empty; an empty key never means "no key"`);
  else layer.refuse(where, `${key.name} is empty; give a value or unset the variable`);
}

function refuseNearMisses(layer: LayerBuilder, env: Environment): void {
  const known = knownVariables();
  for (const name of Object.keys(env)) {
    if (known.has(name) || FOREIGN.test(name)) continue;
    const meant = [...known].find((variable) => env[variable] === undefined && looksLike(name, variable));
    if (meant !== undefined) layer.refuse(name, `is not a variable of vault-mcp; did you mean ${meant}?`);
    else if (name.startsWith(OWN_PREFIX)) layer.refuse(name, 'is not a variable of vault-mcp; unset it');
  }
}

function knownVariables(): Set<string> {
  const known = new Set([CONFIG_FILE_VARIABLE]);
  for (const key of KEYS.values()) {
    const { variable } = key.setting;
    if (variable === null) continue;
    known.add(variable);
    if (mayStandInFile(key)) known.add(`${variable}_FILE`);
  }
  return known;
}

// Short names (TZ, TRASH) are two letters away from too much.
function looksLike(name: string, variable: string): boolean {
  if (variable.length < 8 || Math.abs(name.length - variable.length) > 2) return false;
  return distance(name, variable) <= 2;
}
