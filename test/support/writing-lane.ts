/**
 * Somebody who writes into a folder of their own without pause, over both surfaces, and knows after each answer what has
 * to stand there: for tests that kill the server. What was sent and not answered may have happened, or not.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** A server that answers, and the key to it. */
export interface Asked {
  readonly url: string;
  readonly key: string;
}

/** Path in the lane's folder → text. */
type Notes = Readonly<Record<string, string>>;

interface Step {
  /** As REST or as a tool takes it. */
  readonly call: RestCall | ToolCall;
  readonly after: Notes;
  /** The note whose etag the answer has to state. */
  readonly written?: string;
}

interface RestCall {
  readonly method: string;
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface ToolCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

const TEXT = { 'content-type': 'text/markdown' };
const JSON_BODY = { 'content-type': 'application/json' };
/** Sizes of notes in characters: one block of the disk, a few, and what takes several writes. */
const SIZES = [10, 3_000, 60_000, 400_000];

export class WritingLane {
  readonly name: string;
  /** Writes that were answered. */
  answered = 0;
  readonly #folder: string;
  #notes: Notes;
  /** What the call that is on its way would leave. */
  #maybe: Notes | null = null;
  #turn = 0;

  /** Makes the folder, with the notes to begin with. */
  constructor(vault: string, name: string) {
    this.name = name;
    this.#folder = join(vault, name);
    this.#notes = {
      'log.md': logOf('0'),
      'text.md': '# Text\n',
      'page-0.md': '# Page\n\n## Part\n\n[text](text.md)\n',
      'links.md': this.#links('page-0'),
    };
    mkdirSync(this.#folder);
    for (const [note, text] of Object.entries(this.#notes)) writeFileSync(join(this.#folder, note), text);
  }

  /**
   * Writes until the server is gone.
   *
   * @throws Error for an answer other than success, or one that states another etag than the text has
   */
  async writeUntilGone(server: Asked): Promise<void> {
    for (;;) {
      const step = this.#steps[this.#turn++ % this.#steps.length]?.();
      if (step === undefined) continue;
      this.#maybe = step.after;
      const answer = await ask(server, step.call);
      if (answer === null) return;
      if (step.written !== undefined) requireEtag(answer, step.after[step.written] ?? '');
      this.#notes = step.after;
      this.#maybe = null;
      this.answered++;
    }
  }

  /** What may stand in the folder, each note as its length and hash; more than one while a call went unanswered. */
  promised(): Record<string, string>[] {
    return [this.#notes, ...(this.#maybe === null ? [] : [this.#maybe])].map(digests);
  }

  /** What stands there. From now on that is what was promised. */
  found(): Record<string, string> {
    const entries = readdirSync(this.#folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => !entry.isDirectory());
    const names = files.map(({ parentPath, name }) => relative(this.#folder, join(parentPath, name)));
    this.#notes = Object.fromEntries(names.map((name) => [name, readFileSync(join(this.#folder, name), 'utf8')]));
    this.#maybe = null;
    return digests(this.#notes);
  }

  readonly #steps: readonly (() => Step | undefined)[] = [
    () => this.#write(`new-${this.#turn}.md`),
    () => this.#append(),
    () => this.#patch(),
    () => this.#move(),
    () => this.#write('text.md'),
    () => this.#file(),
    () => this.#delete(),
  ];

  /** Every second time the other surface. */
  #byTool(): boolean {
    return Math.floor(this.#turn / this.#steps.length) % 2 === 1;
  }

  #write(note: string): Step {
    const text = textOf(this.#turn);
    const path = `${this.name}/${note}`;
    const call = this.#byTool()
      ? { tool: 'vault_write', args: { path, content: text, overwrite: true } }
      : { method: 'PUT', target: `/vault/${path}`, headers: TEXT, body: text };
    return { call, after: { ...this.#notes, [note]: text }, written: note };
  }

  /** One of a few, so that most of them are in the place of another, and the text of each is read once. */
  #file(): Step {
    const document = 'Files/plan.pdf';
    const text = textOf(this.#turn % (2 * SIZES.length));
    const target = `/vault/${this.name}/${document}?overwrite&wait=0`;
    return {
      call: { method: 'PUT', target, body: text },
      after: { ...this.#notes, [document]: text },
      written: document,
    };
  }

  #append(): Step {
    const more = `${this.#turn} more\n`;
    const path = `${this.name}/text.md`;
    const call = this.#byTool()
      ? { tool: 'vault_append', args: { path, content: more } }
      : { method: 'POST', target: `/vault/${path}`, headers: TEXT, body: more };
    const text = `${this.#notes['text.md']}\n${more}`;
    return { call, after: { ...this.#notes, 'text.md': text }, written: 'text.md' };
  }

  #patch(): Step {
    const content = `${this.#turn} `.repeat(500).trimEnd();
    const path = `${this.name}/log.md`;
    const patch = { target: 'Log::Now', operation: 'replace', content };
    const call = this.#byTool()
      ? { tool: 'vault_patch', args: { path, ...patch } }
      : { method: 'PATCH', target: `/vault/${path}`, headers: JSON_BODY, body: JSON.stringify(patch) };
    return { call, after: { ...this.#notes, 'log.md': logOf(content) }, written: 'log.md' };
  }

  /** The page that is linked to, with the links. */
  #move(): Step | undefined {
    const from = Object.keys(this.#notes).find((name) => name.startsWith('page-'));
    if (from === undefined) return undefined;
    const to = `page-${this.#turn}.md`;
    const args = { source: `${this.name}/${from}`, destination: `${this.name}/${to}` };
    const call = this.#byTool()
      ? { tool: 'vault_move', args }
      : { method: 'POST', target: '/move', headers: JSON_BODY, body: JSON.stringify(args) };
    const { [from]: page = '', ...others } = this.#notes;
    return { call, after: { ...others, [to]: page, 'links.md': this.#links(to.slice(0, -3)) } };
  }

  #delete(): Step | undefined {
    const note = Object.keys(this.#notes).find((name) => name.startsWith('new-'));
    if (note === undefined) return undefined;
    const path = `${this.name}/${note}`;
    const permanent = this.#turn % 4 === 0;
    const call = this.#byTool()
      ? { tool: 'vault_delete', args: { path, permanent } }
      : { method: 'DELETE', target: `/vault/${path}${permanent ? '?permanent' : ''}` };
    const { [note]: _gone, ...others } = this.#notes;
    return { call, after: others };
  }

  #links(page: string): string {
    return `# Links\n\n[[${this.name}/${page}]] ![[${this.name}/${page}#Part|a part]] [it](${page}.md#part)\n`;
  }
}

function logOf(content: string): string {
  return `# Log\n\n## Now\n\n${content}\n\n## Then\n\nNothing.\n`;
}

function textOf(turn: number): string {
  const line = `${turn} ${'x'.repeat(turn % 50)}\n`;
  return `# Text\n\n${line.repeat(Math.ceil((SIZES[turn % SIZES.length] ?? 0) / line.length))}`;
}

function digests(notes: Notes): Record<string, string> {
  return Object.fromEntries(Object.entries(notes).map(([name, text]) => [name, `${text.length} ${etagOf(text)}`]));
}

function etagOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function requireEtag(answer: Record<string, unknown>, text: string): void {
  if (answer.etag === etagOf(text)) return;
  throw new Error(`another text was written than was asked for: ${JSON.stringify(answer)}`);
}

/** @returns null when the server went away before the end of its answer */
async function ask(server: Asked, call: RestCall | ToolCall): Promise<Record<string, unknown> | null> {
  let status: number;
  let text: string;
  try {
    const response = await send(server, call);
    status = response.status;
    text = await response.text();
  } catch {
    return null;
  }
  const answer = answerIn(status, text);
  if (answer === undefined)
    throw new Error(`${JSON.stringify(call).slice(0, 200)} was answered with ${status} ${text}`);
  return answer;
}

function send({ url, key }: Asked, call: RestCall | ToolCall): Promise<Response> {
  const authorization = `Bearer ${key}`;
  if ('method' in call) {
    const { method, target, headers, body = null } = call;
    return fetch(url + target, { method, headers: { authorization, ...headers }, body });
  }
  const params = { name: call.tool, arguments: call.args };
  return fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { authorization, ...JSON_BODY, accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
}

/** @returns undefined for anything but success */
function answerIn(status: number, text: string): Record<string, unknown> | undefined {
  if (status !== 200) return undefined;
  const event = text.split('\n').find((line) => line.startsWith('data: '));
  const answer = JSON.parse(event?.slice('data: '.length) ?? text) as Record<string, unknown>;
  if (answer.jsonrpc === undefined) return answer;
  const result = answer.result as { isError?: boolean; structuredContent?: Record<string, unknown> } | undefined;
  return result?.isError === true ? undefined : result?.structuredContent;
}
