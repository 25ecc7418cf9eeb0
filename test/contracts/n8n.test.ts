/**
 * The example workflows for n8n: their nodes have the parameters that n8n knows, what they send is what openapi.yaml
 * describes, and run node by node against a real server they do what their notes say.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { textPdf } from '../fixtures/pdf-files.ts';
import { page, ROOT, rowsOf } from '../support/doc-pages.ts';
import { v1Client } from '../support/mcp-clients.ts';
import {
  type DiskFile,
  type Item,
  KNOWN_NODES,
  type NodeRequest,
  run,
  type Workflow,
  type WorkflowNode,
} from '../support/n8n-workflow.ts';
import { contractProblems, type Operation, readOperations } from '../support/openapi.ts';
import { API_KEY, type ServedVault, serveVault } from '../support/served-vault.ts';

const FOLDER = join(ROOT, 'examples/n8n');
const load = (file: string): Workflow => JSON.parse(readFileSync(join(FOLDER, file), 'utf8'));
const files = readdirSync(FOLDER).filter((file) => file.endsWith('.json'));
const all = files.map((file) => [file, load(file)] as const);
const DOC = page('docs/n8n.md');
const JSON_ACCEPT = { headers: { accept: 'application/json' } };

describe.each(all)('%s', (file, { name, nodes, connections }) => {
  it('has nodes of known types and versions, with parameters that these have', () => {
    for (const node of nodes) expect(problemsOfNode(node)).toEqual([]);
  });

  it('connects nodes that are there, each of them once by name and by id', () => {
    const names = nodes.map((node) => node.name);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(nodes.map(({ id }) => id)).size).toBe(names.length);
    const links = Object.values(connections).flatMap((byType) => Object.values(byType).flat(2));
    expect(names).toEqual(expect.arrayContaining([...Object.keys(connections), ...links.map(({ node }) => node)]));
    const reached = [...Object.keys(connections), ...links.map(({ node }) => node)];
    const alone = nodes.filter((node) => !reached.includes(node.name)).map(({ type }) => type);
    expect(alone).toEqual(['n8n-nodes-base.stickyNote']);
  });

  it('holds no key, names its credential, and says on its note what to set', () => {
    const called = nodes.flatMap((node) => Object.values(node.credentials ?? {}));
    expect(called.map((each) => each.id)).toEqual(called.map(() => null));
    const [note] = nodes.filter(({ type }) => type.endsWith('stickyNote'));
    const ours = nodes.filter(({ type }) => /httpRequest|mcpClientTool/.test(type));
    expect(ours.map((node) => node.credentials?.httpHeaderAuth?.name)).toEqual(ours.map(() => 'vault-mcp key'));
    expect(note?.parameters.content).toContain('`vault-mcp key`');
    expect(JSON.stringify(nodes)).not.toMatch(/Bearer [A-Za-z0-9]{8}/);
    expect(DOC.text).toContain(`(../examples/n8n/${file})`);
    expect(name).toMatch(/^vault-mcp: /);
  });
});

describe('a run of', () => {
  let served: ServedVault;
  let operations: Operation[];
  const sent: NodeRequest[] = [];
  beforeAll(async () => {
    operations = await readOperations();
    const notes = {
      'Household/Home insurance (2026) #1.md': '# Home insurance\n\nA burst pipe is paid for, within 100%.\n',
      'Garden/Pear tree.md': '# Pear tree\n\nPlanted by the shed.\n',
    };
    served = await serveVault(notes, { 'notes.timestamp_key': '' });
  });
  afterAll(() => served.close());

  /** Sends what a node asks for, and holds request and answer to openapi.yaml. */
  async function send(request: NodeRequest): Promise<Response> {
    sent.push(request);
    const operation = operationOf(request);
    expect(problemsOf(operation, request)).toEqual([]);
    const headers = { ...request.headers, ...(request.contentType && { 'content-type': request.contentType }) };
    const body = request.body === undefined ? {} : { body: request.body };
    const { pathname, search } = request.url;
    const answer = await served.get(pathname + search, { method: request.method, headers, ...body });
    expect(await contractProblems(operation, answer.clone() as Response)).toEqual([]);
    return answer;
  }

  function operationOf({ node, method, url }: NodeRequest): Operation {
    const fits = operations.filter((each) => {
      const pattern = each.path.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/, '.+');
      return each.method === method && new RegExp(`^${pattern}$`).test(url.pathname);
    });
    // A document's path is a note's too: the one that says more of it is meant.
    const [fit] = fits.toSorted((one, other) => other.path.length - one.path.length);
    if (fit === undefined) throw new Error(`${node}: openapi.yaml has no ${method} ${url.pathname}`);
    return fit;
  }

  const settings = { server: 'http://vault.test' };

  it('search-notes.json finds passages and reads the note of each', async () => {
    const outputs = await run(load('search-notes.json'), send, { set: settings });
    const passages = outputs.get('One item per passage')?.[0] ?? [];
    expect(passages[0]).toMatchObject({ path: 'Household/Home insurance (2026) #1.md' });
    const notes = outputs.get('Read the note')?.[0] ?? [];
    expect(notes).toHaveLength(passages.length);
    expect(notes[0]).toMatchObject({ path: passages[0]?.path, etag: expect.any(String) });
    expect(notes[0]?.body).toContain('within 100%');
  });

  it('append-to-note.json makes a note, adds a line and marks it', async () => {
    const first = await run(load('append-to-note.json'), send, { set: settings });
    expect(first.get('Add a line')?.[0]).toMatchObject([{ path: 'Journal/2026-03-02.md', created: true }]);
    expect(first.get('Done')?.[0]).toHaveLength(1);
    await run(load('append-to-note.json'), send, { set: { ...settings, text: '- second' } });
    const note = readFileSync(join(served.vaultPath, 'Journal/2026-03-02.md'), 'utf8');
    expect(note).toBe('---\nstatus: new\n---\n- 09:30 filter of the heat pump cleaned\n- second');
  });

  it('append-to-note.json leaves by its second output when somebody was faster', async () => {
    const faster = async (request: NodeRequest) => {
      if (request.method === 'PATCH') await served.get('/vault/Raced.md', { method: 'POST', body: '- faster' });
      return send(request);
    };
    const outputs = await run(load('append-to-note.json'), faster, {
      set: { ...settings, note: 'Raced.md', text: '- slow' },
    });
    expect(outputs.get('Done')).toBeUndefined();
    expect(outputs.get('Somebody was faster')?.[0]?.[0]?.error).toContain('precondition_failed');
    expect(readFileSync(join(served.vaultPath, 'Raced.md'), 'utf8')).toBe('- slow\n- faster');
  });

  describe('file-a-pdf.json', () => {
    const pdf = (fileName: string, bytes: Buffer) => ({
      fileName,
      mimeType: 'application/pdf',
      bytes: new Uint8Array(bytes),
    });
    const files = (...disk: readonly DiskFile[]) => ({
      set: { ...settings, files: '/in/*.pdf' },
      disk: { '/in/*.pdf': disk },
      // A busy machine may need longer than the answer to the filing waits.
      wait: () => sleep(1_000),
    });

    it('files each PDF as it is, and tells those apart that have no text', async () => {
      const lease = await textPdf([`The tenant keeps the rain barrel. ${'And the spade. '.repeat(10)}`]);
      const disk = [pdf('Lease (2026) #1 100%.pdf', lease), pdf('torn.pdf', Buffer.from('no PDF in truth'))];
      const outputs = await run(load('file-a-pdf.json'), send, files(...disk));
      const path = 'Household/Files/Lease (2026) #1 100%.pdf';
      expect(outputs.get('Search finds it')?.[0]).toMatchObject([{ path, extraction: 'extracted' }]);
      expect(outputs.get('Text is missing')?.[0]).toMatchObject([
        { path: 'Household/Files/torn.pdf', extraction: 'failed', detail: expect.stringMatching(/\S/) },
      ]);
      expect(readFileSync(join(served.vaultPath, path))).toEqual(lease);
      const { results } = (await (await served.get('/search?q=rain+barrel', JSON_ACCEPT)).json()) as {
        results: Item[];
      };
      expect(results[0]).toMatchObject({ path, breadcrumb: 'Page 1' });
      const again = await run(load('file-a-pdf.json'), send, files(...disk));
      expect(again.get('File it')?.[0]).toMatchObject([{ status: 'unchanged' }, { status: 'unchanged' }]);
    });

    it('overwrites nothing: another one by a name that is taken leaves by the second output', async () => {
      const [first, second] = [Buffer.from('no PDF in truth, the first'), Buffer.from('the second')];
      await run(load('file-a-pdf.json'), send, files(pdf('taken.pdf', first)));
      const outputs = await run(load('file-a-pdf.json'), send, files(pdf('taken.pdf', second)));
      expect(outputs.get('Not filed')?.[0]?.[0]?.error).toContain('already_exists');
      expect(readFileSync(join(served.vaultPath, 'Household/Files/taken.pdf'))).toEqual(first);
    });

    /** The answer to the filing itself comes before its text. */
    const atOnce = (request: NodeRequest) => {
      if (request.method === 'PUT') request.url.searchParams.set('wait', '0');
      return send(request);
    };

    it('asks again for a text that takes its time', async () => {
      const slow = await textPdf([`The gutter is cleared in November. ${'By hand. '.repeat(20)}`]);
      let waits = 0;
      const wait = async () => {
        waits += 1;
        await vi.waitFor(async () => {
          const answer = await served.get('/vault/Household/Files/slow.pdf?map', JSON_ACCEPT);
          expect(await answer.json()).toMatchObject({ extraction: 'extracted' });
        }, 30_000);
      };
      const outputs = await run(load('file-a-pdf.json'), atOnce, { ...files(pdf('slow.pdf', slow)), wait });
      expect(outputs.get('File it')?.[0]).toMatchObject([{ extraction: 'pending' }]);
      expect(waits).toBe(1);
      expect(outputs.get('Search finds it')?.[0]).toMatchObject([{ extraction: 'extracted', pages: 1 }]);
    });

    it('gives up on a text that never comes, and says why', async () => {
      const answer = { path: 'Household/Files/never.pdf', extraction: 'pending', detail: 'Ask again in a moment.' };
      let waits = 0;
      const wait = async () => {
        waits += 1;
      };
      const never = async () => Response.json(answer);
      const disk = files(pdf('never.pdf', Buffer.from('x')));
      const outputs = await run(load('file-a-pdf.json'), never, { ...disk, wait });
      expect(waits).toBe(20);
      expect(outputs.get('Text is missing')?.[0]).toEqual([answer]);
    });
  });

  it('each of them sends every call that its HTTP Request nodes hold', () => {
    const nodes = all.flatMap(([, workflow]) => workflow.nodes).filter(({ type }) => type.endsWith('httpRequest'));
    expect([...new Set(sent.map(({ node }) => node))].toSorted()).toEqual(nodes.map(({ name }) => name).toSorted());
  });

  it('ask-your-notes.json offers an agent tools that there are, at an address that lets it in', async () => {
    const [node] = load('ask-your-notes.json').nodes.filter(({ type }) => type.endsWith('mcpClientTool'));
    const { pathname } = new URL(node?.parameters.endpointUrl as string);
    // n8n speaks by the older line of the official client.
    const client = await v1Client({
      url: new URL(pathname, served.url),
      headers: { authorization: `Bearer ${API_KEY}` },
    });
    const { tools } = await client.listTools();
    await client.close();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(node?.parameters.includeTools as string[]));
  });
});

describe('the node in README.md', () => {
  const snippet = /```json\n(\{ "nodes": .*?)\n```/s.exec(page('README.md').text)?.[1] ?? '';
  const { nodes } = JSON.parse(snippet) as Workflow;

  it('is one that n8n knows, and holds no key', () => {
    expect(nodes.map(({ type }) => type)).toEqual(['n8n-nodes-base.httpRequest']);
    for (const node of nodes) expect(problemsOfNode(node)).toEqual([]);
    expect(snippet).not.toMatch(/Bearer/);
  });

  it('asks what openapi.yaml describes', async () => {
    const { parameters } = nodes[0] as unknown as {
      parameters: { url: string; queryParameters: { parameters: { name: string }[] } };
    };
    const operation = (await readOperations()).find(({ method, path }) => method === 'GET' && path === '/search');
    expect(new URL(parameters.url).pathname).toBe('/search');
    const known = operation?.parameters.map(({ name }) => name);
    for (const { name } of parameters.queryParameters.parameters) expect(known).toContain(name);
  });
});

describe('docs/n8n.md', () => {
  it('lists the nodes and versions that the workflows use, and no others', () => {
    const used = new Set(
      all.flatMap(([, { nodes }]) => nodes.map(({ type, typeVersion }) => `${type} ${typeVersion}`)),
    );
    const listed = rowsOf(DOC, '## Versions').map(([, type = '', version]) => `${type.replaceAll('`', '')} ${version}`);
    expect(listed.toSorted()).toEqual([...used].toSorted());
  });
});

/** What of a node n8n does not know. */
function problemsOfNode({ name, type, typeVersion, parameters }: WorkflowNode): string[] {
  const known = KNOWN_NODES[type];
  if (known === undefined || !known.versions.includes(typeVersion)) return [`${name}: no node ${type} ${typeVersion}`];
  return Object.entries(parameters).flatMap(([parameter, value]) => {
    const choices = known.parameters[parameter];
    if (choices === undefined) return [`${name}: no parameter ${parameter}`];
    return choices === null || choices.includes(value as string) ? [] : [`${name}: no ${parameter} ${String(value)}`];
  });
}

const ajv = new Ajv2020({ strict: false });

/** What of a request openapi.yaml does not describe. */
function problemsOf(operation: Operation, request: NodeRequest): string[] {
  const known = (place: 'query' | 'header') =>
    operation.parameters.filter((each) => each.in === place).map(({ name }) => name);
  const query = [...request.url.searchParams.keys()].filter((name) => !known('query').includes(name));
  const headers = Object.keys(request.headers).filter((name) => name !== 'Accept' && !known('header').includes(name));
  const unknown = [...query, ...headers].map((name) => `${name} is not described`);
  if (request.contentType === undefined) return unknown;
  const content = operation.request[request.contentType];
  if (content === undefined) return [...unknown, `content type ${request.contentType} is not described`];
  const text = typeof request.body === 'string' ? request.body : Buffer.from(request.body ?? []).toString('latin1');
  const body = request.contentType === 'application/json' ? JSON.parse(text) : text;
  return ajv.validate(content.schema, body) ? unknown : [...unknown, ajv.errorsText()];
}
