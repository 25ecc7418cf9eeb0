// openapi.yaml as a whole: a valid document, examples that are what they stand for, and exactly the routes, methods,
// parameters and fields that are served. What each operation answers is held in openapi-reads and openapi-writes.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appWith, contractChecks, isWrite, JSON_BODY, NOTE, pathOf } from '../support/contract-checks.ts';
import { examplesOf, type Operation, readOperations, validateDocument } from '../support/openapi.ts';
import { type ServedVault, serveVault } from '../support/served-vault.ts';

const { operations, operation } = contractChecks(await readOperations());

/** One route serves what the document has to tell apart: paths of OpenAPI hold no slash, and are never empty. */
const ROUTES: Readonly<Record<string, string>> = {
  '/vault/': '/vault/*',
  '/vault/{path}': '/vault/*',
  '/vault/{document}.pdf': '/vault/*',
  '/folder/{path}': '/folder/*',
  '/mcp/only/{path}': '/mcp/only/*',
  '/memory/discards/{n}': '/memory/discards/:n',
  '/memory/discards/{n}/restore': '/memory/discards/:n/restore',
};
const routeOf = ({ path }: Operation): string => ROUTES[path] ?? path;

let served: ServedVault;
beforeAll(async () => {
  served = await serveVault({ 'Garden/Pear tree.md': '# Pear tree\n' });
});
afterAll(() => served.close());

describe('openapi.yaml', () => {
  it('is a valid OpenAPI document', async () => {
    expect(await validateDocument()).toEqual({ valid: true });
  });

  it('holds every route that is served, and no other', () => {
    const routes = appWith(served.context)
      .routes.filter(({ method }) => method !== 'ALL')
      .map(({ method, path }) => `${method} ${path}`);
    const described = new Set(operations.map((each) => `${each.method} ${routeOf(each)}`));
    expect(routes.toSorted()).toEqual([...described].toSorted());
  });

  it.each(operations.map((each) => [each.id, each] as const))('has only right examples of %s', (_id, each) => {
    const contents = [each.request, ...Object.values(each.responses).map(({ content = {} }) => content)];
    expect(contents.flatMap(examplesOf).filter(({ problems }) => problems.length > 0)).toEqual([]);
  });

  it.each(operations.filter(isWrite).map((each) => [each.id, each] as const))(
    'shows what %s is sent and answers',
    (_id, each) => {
      const shown = (content: object | undefined) =>
        Object.values(content ?? {}).every((media) => 'example' in media || 'examples' in media);
      expect(shown(each.request)).toBe(true);
      const unshown = Object.entries(each.responses).filter(([, { content }]) => !shown(content));
      expect(unshown.map(([status]) => status)).toEqual([]);
    },
  );
});

describe('parameters', () => {
  it.each(
    operations
      .filter(({ path }) => !/^\/(mcp|healthz|readyz|metrics)/.test(path))
      .map((each) => [each.id, each] as const),
  )('%s takes those described, and refuses any other by naming them', async (id, each) => {
    const answer = await served.get(`${pathOf(each)}?nonsense=1`, { method: each.method });
    expect(answer.status).toBe(400);
    const { error } = (await answer.json()) as { error: string };
    const taken = /It takes: (.*)\.$/.exec(error)?.[1]?.split(', ') ?? [];
    const described = each.parameters.filter((parameter) => parameter.in === 'query');
    const own = id === 'listVault' ? ['map', 'raw', 'section'] : [];
    expect(taken.toSorted()).toEqual([...described.map(({ name }) => name), ...own].toSorted());
  });

  it.each(['searchByJson', 'reindex', 'moveEntry', 'listCalloutsByJson', 'restoreDiscard', 'consolidate'])(
    '%s takes the fields described, and refuses any other',
    async (id) => {
      const described = operation(id);
      const fields = Object.keys(described.request['application/json']?.schema.properties ?? {});
      await expectFields(
        pathOf(described),
        'POST',
        { q: 'a', source: 'a.md', destination: 'b.md', ceiling: 0.1 },
        fields,
      );
    },
  );

  it('propose takes the fields described, and refuses any other', async () => {
    const fields = Object.keys(operation('propose').request['application/json']?.schema.properties ?? {});
    await expectFields('/memory/propose', 'POST', { title: 'A', type: 'fact', namespace: '', body: 'A.' }, fields);
  });

  it('patchNote takes the fields described, and refuses any other', async () => {
    const { request } = operation('patchNote');
    const [patch, replacement] = anyOf(request['application/json']?.schema);
    const fields = Object.keys(patch?.properties ?? {});
    await expectFields(`/vault/${NOTE}`, 'PATCH', {}, fields);
    const text = Object.keys(replacement?.properties ?? {});
    await expectFields(`/vault/${NOTE}`, 'PATCH', {}, text, { 'target-type': 'text' });
  });

  /** Sends a field too many, and looks for those that the refusal says there are. */
  async function expectFields(path: string, method: string, body: object, fields: string[], headers = {}) {
    const answer = await served.get(path, {
      method,
      headers: { ...JSON_BODY, ...headers },
      body: JSON.stringify({ ...body, nonsense: 1 }),
    });
    const { code, error } = (await answer.json()) as { code: string; error: string };
    expect(code).toBe('invalid_request');
    const taken = /there are ([\w, ]+)/.exec(error)?.[1]?.split(', ') ?? [];
    expect(taken.toSorted()).toEqual(fields.toSorted());
  }

  function anyOf(schema: object | undefined): { properties?: object }[] {
    return (schema as { anyOf?: { properties?: object }[] }).anyOf ?? [];
  }
});

describe('methods', () => {
  const paths = [...new Set(operations.map((each) => pathOf(each)))];

  it.each(paths)('that %s does not list are refused with those it does', async (path) => {
    const [route] = operations.filter((each) => pathOf(each) === path).map(routeOf);
    const listed = new Set(operations.filter((each) => routeOf(each) === route).map(({ method }) => method));
    const allow = [...listed].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'].filter((each) => !listed.has(each))) {
      const answer = await served.get(path, { method });
      const allowed = answer.headers.get('allow')?.split(', ') ?? [];
      expect([method, answer.status, allowed.toSorted()]).toEqual([method, 405, allow.toSorted()]);
      expect(await answer.json()).toEqual({ code: 'method_not_allowed', error: expect.any(String) });
    }
  });

  it.each([
    ...['PUT', 'POST', 'PATCH', 'DELETE'].map((method) => [method, '/vault/', 'is_directory'] as const),
    ...['PUT', 'DELETE'].map((method) => [method, '/folder/', 'invalid_path'] as const),
  ])('%s never means the root (%s)', async (method, path, code) => {
    const answer = await served.get(path, { method });
    expect([answer.status, await answer.json()]).toEqual([400, { code, error: expect.any(String) }]);
  });

  it('answer HEAD like GET, without the body', async () => {
    for (const each of operations.filter(({ method, path }) => method === 'GET' && path !== '/search')) {
      const [get, head] = [await served.get(pathOf(each)), await served.get(pathOf(each), { method: 'HEAD' })];
      expect([each.path, head.status]).toEqual([each.path, get.status]);
      expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
      expect(await head.text()).toBe('');
      await get.arrayBuffer();
    }
  });
});
