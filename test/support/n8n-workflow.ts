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
      contentType: ['json', 'raw'],
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
  readonly body: string | undefined;
}

export type Send = (request: NodeRequest) => Promise<Response>;
/** Items by node and output. */
export type RunResult = ReadonlyMap<string, readonly (readonly Item[])[]>;

/**
 * @param set values of the node "Settings" in place of those in the file
 * @throws Error naming the node whose call was not answered with 2xx, unless the node goes on then
 */
export async function run(workflow: Workflow, send: Send, set: Item = {}): Promise<RunResult> {
  const outputs = new Map<string, readonly (readonly Item[])[]>();
  const [first] = workflow.nodes.filter(({ type }) => /Trigger$/.test(type));
  const waiting: [string, readonly Item[]][] = first === undefined ? [] : [[first.name, [{}]]];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const [name, items] = next;
    const node = workflow.nodes.find((each) => each.name === name);
    if (node === undefined) throw new Error(`No node is called "${name}".`);
    const made = await runNode(node, items, { outputs, send, set });
    outputs.set(name, made);
    for (const [at, links] of (workflow.connections[name]?.main ?? []).entries()) {
      const given = made[at] ?? [];
      if (given.length > 0) waiting.push(...links.map((link) => [link.node, given] as [string, readonly Item[]]));
    }
  }
  return outputs;
}

interface Run {
  readonly outputs: Map<string, readonly (readonly Item[])[]>;
  readonly send: Send;
  readonly set: Item;
}

async function runNode(node: WorkflowNode, items: readonly Item[], run: Run): Promise<Item[][]> {
  const { parameters } = node;
  switch (node.type.split('.').at(-1)) {
    case 'set': {
      const { assignments } = parameters.assignments as { assignments: { name: string; value: string }[] };
      const values = assignments.map(({ name, value }) => [name, evaluate(value, {}, run)]);
      return [items.map(() => ({ ...Object.fromEntries(values), ...run.set }))];
    }
    case 'splitOut':
      return [items.flatMap((item) => item[parameters.fieldToSplitOut as string] as Item[])];
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

function requestOf({ name, parameters }: WorkflowNode, item: Item, run: Run): NodeRequest {
  const say = (value: unknown) => evaluate(value, item, run);
  const pairs = (key: string, sent: unknown) => {
    const { parameters: list = [] } = (parameters[key] ?? {}) as { parameters?: { name: string; value: string }[] };
    return sent === true ? list.map((pair) => [pair.name, String(say(pair.value))] as [string, string]) : [];
  };
  const url = new URL(String(say(parameters.url)));
  for (const [key, value] of pairs('queryParameters', parameters.sendQuery)) url.searchParams.append(key, value);
  const json = parameters.contentType === 'json';
  const body = json ? JSON.stringify(say(parameters.jsonBody)) : String(say(parameters.body));
  return {
    node: name,
    method: parameters.method as string,
    url,
    headers: Object.fromEntries(pairs('headerParameters', parameters.sendHeaders)),
    contentType:
      parameters.sendBody !== true ? undefined : json ? 'application/json' : String(parameters.rawContentType),
    body: parameters.sendBody === true ? body : undefined,
  };
}

/** The clock of a run, which stands still. */
const NOW: Readonly<Record<string, string>> = { 'yyyy-MM-dd': '2026-03-02', 'HH:mm': '09:30' };

/** A text that begins with `=` holds expressions; one that is nothing else keeps its value's type. */
function evaluate(value: unknown, item: Item, { outputs }: Run): unknown {
  if (typeof value !== 'string' || !value.startsWith('=')) return value;
  const scope = {
    $json: item,
    $now: { toFormat: (format: string) => NOW[format] },
    $: (node: string) => ({ first: () => ({ json: outputs.get(node)?.[0]?.[0] }) }),
    encodeURIComponent,
  };
  const text = value.slice(1);
  const whole = /^\{\{(.*)\}\}$/s.exec(text);
  if (whole !== null && text.lastIndexOf('{{') === 0) return runInNewContext(`(${whole[1]})`, scope);
  return text.replaceAll(/\{\{(.*?)\}\}/gs, (_all, code: string) => String(runInNewContext(`(${code})`, scope)));
}
