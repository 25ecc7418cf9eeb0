/**
 * n8n's workflow files as far as our examples use them: which parameters each node has, and what a run of the workflow
 * asks for, node by node and item by item. Danger: this is a reading of n8n, not n8n; the parameters were compared with
 * the node descriptions that n8n 2.41 publishes.
 */
import { runInNewContext } from 'node:vm';

export interface WorkflowNode {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly typeVersion: number;
  readonly position: readonly [number, number];
  readonly parameters: Parameters;
  readonly credentials?: Readonly<Record<string, { readonly id: null; readonly name: string }>>;
  readonly onError?: 'continueErrorOutput' | 'continueRegularOutput';
}

type Parameters = Readonly<Record<string, unknown>>;
type Link = { readonly node: string; readonly type: string; readonly index: number };

export interface Workflow {
  readonly name: string;
  readonly nodes: readonly WorkflowNode[];
  readonly connections: Readonly<Record<string, Readonly<Record<string, readonly (readonly Link[])[]>>>>;
}

/** By type: the versions used here, and what each parameter may be (nothing said: anything). */
export const KNOWN_NODES: Readonly<
  Record<string, { versions: readonly number[]; parameters: Readonly<Record<string, readonly string[] | null>> }>
> = {
  'n8n-nodes-base.manualTrigger': { versions: [1], parameters: {} },
  'n8n-nodes-base.noOp': { versions: [1], parameters: {} },
  'n8n-nodes-base.stickyNote': { versions: [1], parameters: { content: null, height: null, width: null } },
  'n8n-nodes-base.set': { versions: [3.4], parameters: { assignments: null, options: null } },
  'n8n-nodes-base.splitOut': { versions: [1], parameters: { fieldToSplitOut: null, options: null } },
  'n8n-nodes-base.switch': { versions: [3], parameters: { rules: null, options: null } },
  'n8n-nodes-base.wait': { versions: [1], parameters: { amount: null, unit: ['seconds', 'minutes', 'hours', 'days'] } },
  'n8n-nodes-base.readWriteFile': {
    versions: [1],
    parameters: { operation: ['read', 'write'], fileSelector: null, options: null },
  },
  'n8n-nodes-base.httpRequest': {
    versions: [4.2],
    parameters: {
      method: ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'],
      url: null,
      authentication: ['genericCredentialType'],
      genericAuthType: ['httpHeaderAuth'],
      sendQuery: null,
      queryParameters: null,
      sendHeaders: null,
      headerParameters: null,
      sendBody: null,
      contentType: ['binaryData', 'json', 'raw'],
      inputDataFieldName: null,
      rawContentType: null,
      body: null,
      specifyBody: ['json'],
      jsonBody: null,
      options: null,
    },
  },
  '@n8n/n8n-nodes-langchain.chatTrigger': { versions: [1.1], parameters: { options: null } },
  '@n8n/n8n-nodes-langchain.agent': { versions: [2], parameters: { options: null } },
  '@n8n/n8n-nodes-langchain.lmChatOllama': { versions: [1], parameters: { model: null, options: null } },
  '@n8n/n8n-nodes-langchain.mcpClientTool': {
    versions: [1.1],
    parameters: {
      endpointUrl: null,
      serverTransport: ['httpStreamable'],
      authentication: ['headerAuth'],
      include: ['selected'],
      includeTools: null,
      options: null,
    },
  },
};

export type Item = Readonly<Record<string, unknown>>;

/** What an HTTP Request node sends for one item. */
export interface NodeRequest {
  readonly node: string;
  readonly method: string;
  readonly url: URL;
  /** As they are written. */
  readonly headers: Readonly<Record<string, string>>;
  readonly contentType: string | undefined;
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
}

/** A file on the disk that n8n reads. */
export interface DiskFile {
  readonly fileName: string;
  readonly mimeType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** What a workflow meets beside the server. */
export interface Surroundings {
  /** Values of the node "Settings" in place of those in the file. */
  readonly set?: Item;
  /** Files by the selector that asks for them. */
  readonly disk?: Readonly<Record<string, readonly DiskFile[]>>;
  /** Called in place of each wait. */
  readonly wait?: () => Promise<void>;
}

export type Send = (request: NodeRequest) => Promise<Response>;
/** Items by node and output. */
export type RunResult = ReadonlyMap<string, readonly (readonly Item[])[]>;

/** @throws Error naming the node whose call was not answered with 2xx, unless the node goes on then */
export async function run(workflow: Workflow, send: Send, around: Surroundings = {}): Promise<RunResult> {
  const now: Run = { send, around, outputs: new Map(), runs: new Map(), files: new WeakMap() };
  const [first] = workflow.nodes.filter(({ type }) => /Trigger$/.test(type));
  const waiting: [string, readonly Item[]][] = first === undefined ? [] : [[first.name, [{}]]];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const [name, items] = next;
    const node = workflow.nodes.find((each) => each.name === name);
    if (node === undefined) throw new Error(`No node is called "${name}".`);
    const made = await runNode(node, items, now);
    now.outputs.set(name, made);
    now.runs.set(name, (now.runs.get(name) ?? 0) + 1);
    for (const [at, links] of (workflow.connections[name]?.main ?? []).entries()) {
      const given = made[at] ?? [];
      if (given.length > 0) waiting.push(...links.map((link) => [link.node, given] as [string, readonly Item[]]));
    }
  }
  return now.outputs;
}

interface Run {
  readonly outputs: Map<string, readonly (readonly Item[])[]>;
  /** How often each node ran. */
  readonly runs: Map<string, number>;
  /** The files of an item by field, which n8n keeps beside its JSON. */
  readonly files: WeakMap<Item, Readonly<Record<string, DiskFile>>>;
  readonly send: Send;
  readonly around: Surroundings;
}

async function runNode(node: WorkflowNode, items: readonly Item[], run: Run): Promise<Item[][]> {
  const { parameters } = node;
  switch (node.type.split('.').at(-1)) {
    case 'set': {
      const { assignments } = parameters.assignments as { assignments: { name: string; value: string }[] };
      const values = assignments.map(({ name, value }) => [name, evaluate(value, {}, node, run)]);
      return [items.map(() => ({ ...Object.fromEntries(values), ...run.around.set }))];
    }
    case 'splitOut':
      return [items.flatMap((item) => item[parameters.fieldToSplitOut as string] as Item[])];
    case 'readWriteFile':
      return [items.flatMap((item) => readFiles(String(evaluate(parameters.fileSelector, item, node, run)), run))];
    case 'switch':
      return branch(node, items, run);
    case 'wait':
      await run.around.wait?.();
      return [[...items]];
    case 'httpRequest': {
      const answers: Item[][] = [[], []];
      for (const item of items) {
        const [output, made] = await callOnce(node, item, run);
        answers[output]?.push(...made);
      }
      return answers;
    }
    default:
      return [[...items]];
  }
}

function readFiles(selector: string, { around, files }: Run): Item[] {
  return (around.disk?.[selector] ?? []).map((file) => {
    const item = { fileName: file.fileName, mimeType: file.mimeType };
    files.set(item, { data: file });
    return item;
  });
}

interface Condition {
  readonly leftValue: unknown;
  readonly rightValue: unknown;
  readonly operator: { readonly type: string; readonly operation: string };
}
interface Rule {
  readonly conditions: { readonly combinator: 'and' | 'or'; readonly conditions: readonly Condition[] };
}

/** An item leaves by the first rule that it meets, else by the output after the last one. */
function branch(node: WorkflowNode, items: readonly Item[], run: Run): Item[][] {
  const { values } = node.parameters.rules as { values: readonly Rule[] };
  const outputs: Item[][] = [...values.map(() => []), []];
  for (const item of items) {
    const met = values.findIndex(({ conditions: { combinator, conditions } }) => {
      const holds = (each: Condition) => isMet(each, (value) => evaluate(value, item, node, run));
      return combinator === 'or' ? conditions.some(holds) : conditions.every(holds);
    });
    outputs.at(met)?.push(item);
  }
  const { fallbackOutput } = node.parameters.options as { fallbackOutput?: string };
  return fallbackOutput === 'extra' ? outputs : outputs.slice(0, -1);
}

/** @throws Error for a value of another type than the condition's, as its strict validation does, and for what is not used here */
function isMet({ leftValue, rightValue, operator }: Condition, say: (value: unknown) => unknown): boolean {
  const [left, right] = [say(leftValue), say(rightValue)];
  for (const value of [left, right]) {
    if (typeof value !== operator.type) throw new Error(`${String(value)} is no ${operator.type}`);
  }
  switch (`${operator.type} ${operator.operation}`) {
    case 'string equals':
      return left === right;
    case 'number lt':
      return (left as number) < (right as number);
    default:
      throw new Error(`The condition ${operator.type} ${operator.operation} is not known here.`);
  }
}

async function callOnce(node: WorkflowNode, item: Item, run: Run): Promise<[0 | 1, Item[]]> {
  const answer = await run.send(requestOf(node, item, run));
  const text = await answer.text();
  if (!answer.ok) {
    const error = `${node.name}: ${answer.status} ${text}`;
    if (node.onError === undefined) throw new Error(error);
    return [node.onError === 'continueErrorOutput' ? 1 : 0, [{ error }]];
  }
  // Only what is called JSON is parsed, and each member of a list becomes an item.
  if (!(answer.headers.get('content-type') ?? '').includes('application/json')) return [0, [{ data: text }]];
  return [0, [JSON.parse(text)].flat() as Item[]];
}

function requestOf(node: WorkflowNode, item: Item, run: Run): NodeRequest {
  const { name, parameters } = node;
  const say = (value: unknown) => evaluate(value, item, node, run);
  const pairs = (key: string, sent: unknown) => {
    const { parameters: list = [] } = (parameters[key] ?? {}) as { parameters?: { name: string; value: string }[] };
    return sent === true ? list.map((pair) => [pair.name, String(say(pair.value))] as [string, string]) : [];
  };
  const url = new URL(String(say(parameters.url)));
  for (const [key, value] of pairs('queryParameters', parameters.sendQuery)) url.searchParams.append(key, value);
  return {
    node: name,
    method: parameters.method as string,
    url,
    headers: Object.fromEntries(pairs('headerParameters', parameters.sendHeaders)),
    ...(parameters.sendBody === true ? bodyOf(node, item, run) : { contentType: undefined, body: undefined }),
  };
}

function bodyOf(node: WorkflowNode, item: Item, run: Run): Pick<NodeRequest, 'contentType' | 'body'> {
  const { parameters } = node;
  const say = (value: unknown) => evaluate(value, item, node, run);
  switch (parameters.contentType) {
    case 'json':
      return { contentType: 'application/json', body: JSON.stringify(say(parameters.jsonBody)) };
    case 'binaryData': {
      const field = parameters.inputDataFieldName as string;
      const file = run.files.get(item)?.[field];
      if (file === undefined) throw new Error(`${node.name}: the item has no file "${field}".`);
      return { contentType: file.mimeType, body: file.bytes };
    }
    default:
      return { contentType: String(parameters.rawContentType), body: String(say(parameters.body)) };
  }
}

/** The clock of a run, which stands still. */
const NOW: Readonly<Record<string, string>> = { 'yyyy-MM-dd': '2026-03-02', 'HH:mm': '09:30' };

/** A text that begins with `=` holds expressions; one that is nothing else keeps its value's type. */
function evaluate(value: unknown, item: Item, node: WorkflowNode, { outputs, runs }: Run): unknown {
  if (typeof value !== 'string' || !value.startsWith('=')) return value;
  const scope = {
    $json: item,
    $runIndex: runs.get(node.name) ?? 0,
    $now: { toFormat: (format: string) => NOW[format] },
    $: (node: string) => ({ first: () => ({ json: outputs.get(node)?.[0]?.[0] }) }),
    encodeURIComponent,
  };
  const text = value.slice(1);
  const whole = /^\{\{(.*)\}\}$/s.exec(text);
  if (whole !== null && text.lastIndexOf('{{') === 0) return runInNewContext(`(${whole[1]})`, scope);
  return text.replaceAll(/\{\{(.*?)\}\}/gs, (_all, code: string) => String(runInNewContext(`(${code})`, scope)));
}
