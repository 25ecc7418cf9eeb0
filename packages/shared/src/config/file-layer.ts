/**
 * config.yaml as a layer: parsed as YAML 1.2 core with few aliases, walked key by key so that every complaint names a
 * line. Unknown keys are refused with the nearest known one, secrets are refused outright.
 */
import { type Document, isAlias, isMap, isScalar, LineCounter, type Node, type Pair, parseDocument } from 'yaml';
import { fromYaml } from './coerce.ts';
import { KEYS, nearestKey, SECTIONS } from './key-table.ts';
import { type Layer, LayerBuilder } from './layer.ts';
import { type ReadFile, readFailure } from './read-file.ts';

/** Larger than any sane configuration; keeps a wrongly mounted file from being parsed. */
const MAX_BYTES = 1_048_576;
const MAX_ALIASES = 50;

/**
 * @param path the file, absolute
 * @param required the file was named by somebody: then it must exist
 */
export function fileLayer(path: string, required: boolean, readFile: ReadFile): Layer {
  const layer = new LayerBuilder();
  const text = readText(layer, path, required, readFile);
  if (text !== undefined) new FileWalk(layer, path, text).run();
  return layer;
}

function readText(layer: LayerBuilder, path: string, required: boolean, readFile: ReadFile): string | undefined {
  try {
    const bytes = readFile(path);
    if (bytes.length > MAX_BYTES) {
      layer.refuse(path, `is larger than ${MAX_BYTES} bytes; this is no configuration file`);
      return undefined;
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) layer.refuse(path, 'is not valid UTF-8');
    else if (required || (error as NodeJS.ErrnoException).code !== 'ENOENT') {
      layer.refuse(path, `cannot be read: ${readFailure(error)}`);
    }
    return undefined;
  }
}

class FileWalk {
  private readonly layer: LayerBuilder;
  private readonly path: string;
  private readonly lines = new LineCounter();
  private readonly document: Document;

  constructor(layer: LayerBuilder, path: string, text: string) {
    this.layer = layer;
    this.path = path;
    this.document = parseDocument(text, {
      version: '1.2',
      schema: 'core',
      lineCounter: this.lines,
      prettyErrors: false,
    });
  }

  run(): void {
    const { errors, warnings } = this.document;
    if (errors.length > 0 || warnings.length > 0) {
      for (const { message, pos } of [...errors, ...warnings].slice(0, 5)) {
        this.layer.refuse(
          this.at(pos[0]),
          `is not valid YAML: ${message.replace(/^Maximum call.*/s, 'nested too deep')}`,
        );
      }
      return;
    }
    this.eachPair(this.document.contents, '', (name, node, where) => {
      if (SECTIONS.has(name)) this.section(name, node, where);
      else if (name.includes('.') && KEYS.has(name)) this.layer.refuse(where, nestingAdvice(name));
      else this.value(name, node, where);
    });
  }

  private section(name: string, node: Node | null, where: string): void {
    this.eachPair(node, `${name}.`, (key, inner, innerWhere) => this.value(key, inner, innerWhere), where);
  }

  private value(name: string, node: Node | null, where: string): void {
    const key = KEYS.get(name);
    if (key === undefined) {
      this.layer.refuse(where, `${name} is not a configuration key; did you mean ${nearestKey(name)}?`);
      return;
    }
    if (key.setting.secret === true) {
      const variable = key.setting.variable;
      this.layer.refuse(where, `${name} is a secret and may not stand in a file; set ${variable} or ${variable}_FILE`);
      return;
    }
    if (key.setting.kind === 'mapping' && isEmpty(node)) {
      this.layer.refuse(where, `${name} is empty; write {} for a mapping that holds nothing, or null for none`);
      return;
    }
    try {
      const raw: unknown = node === null ? null : node.toJS(this.document, { maxAliasCount: MAX_ALIASES });
      this.layer.set(key, fromYaml(key.setting.kind, raw), where);
    } catch (error) {
      this.layer.refuse(where, `${name} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  /** Calls `visit` for each entry of a mapping; an empty node counts as an empty mapping. */
  private eachPair(
    node: unknown,
    prefix: string,
    visit: (name: string, value: Node | null, where: string) => void,
    where = this.path,
  ): void {
    const target = isAlias(node) ? node.resolve(this.document) : node;
    if (target === null || target === undefined || (isScalar(target) && target.value === null)) return;
    if (!isMap(target)) {
      this.layer.refuse(
        where,
        `${prefix === '' ? 'the file' : prefix.slice(0, -1)} must be a mapping of keys to values`,
      );
      return;
    }
    for (const pair of target.items as Pair<Node, Node | null>[]) {
      visit(`${prefix}${String(pair.key)}`, pair.value, this.at(pair.key.range?.[0] ?? 0));
    }
  }

  private at(offset: number): string {
    return `${this.path} line ${this.lines.linePos(offset).line}`;
  }
}

/** Nothing behind the colon: somebody took the lines below out, and may have meant either of what it could stand for. */
function isEmpty(node: Node | null): boolean {
  return node === null || (isScalar(node) && node.value === null && (node.source ?? '') === '');
}

function nestingAdvice(name: string): string {
  const dot = name.indexOf('.');
  return `${name} must be written nested, as ${name.slice(dot + 1)} under ${name.slice(0, dot)}:`;
}
