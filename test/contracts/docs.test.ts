// The documentation held to the code, in both directions: what a page names exists, and what exists is named.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { mayStandInFile } from '@vault-mcp/shared/config/environment-layer';
import { KEYS } from '@vault-mcp/shared/config/key-table';
import { ERROR_STATUS } from '@vault-mcp/shared/errors';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { buildProgram } from '../../apps/cli/src/program.ts';
import { configurationPage, WITHOUT_EFFECT } from '../support/configuration-page.ts';
import { anchorsOf, codeOf, linksOf, page, pages, patternOf, ROOT, rowsOf } from '../support/doc-pages.ts';
import { readOperations } from '../support/openapi.ts';
import { produces, productSources } from '../support/product-sources.ts';
import { API_KEY, serveVault } from '../support/served-vault.ts';
import { createTempFolder } from '../support/temp-folder.ts';

const README = page('README.md');
/** Of the compose files, and those of Docker and Ollama that docs/docker.md speaks of. */
const CONTAINER_VARIABLES = [
  ...readdirSync(ROOT)
    .filter((name) => /^docker-compose.*\.yml$/.test(name))
    .flatMap((name) => [...readFileSync(join(ROOT, name), 'utf8').matchAll(/\$\{([A-Z_]+)/g)])
    .map(([, name = '']) => name),
  ...['COMPOSE_FILE', 'COMPOSE_PROFILES', 'COMPOSE_PROJECT_NAME', 'OCR_LANGUAGES', 'NODE_IMAGE'],
  ...['HOST', 'KEEP_ALIVE', 'NUM_PARALLEL', 'CONTEXT_LENGTH', 'MAX_LOADED_MODELS'].map((name) => `OLLAMA_${name}`),
];
const code = (text: string): string => text.replaceAll('`', '');
/** Everything that stands in code spans of a cell. */
const spans = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span);

describe('every page', () => {
  it.each(pages().map((each) => [each.path, each] as const))('%s links to what is there', (_path, each) => {
    const broken = linksOf(each).filter(({ target, anchor }) => {
      if (!existsSync(join(ROOT, target))) return true;
      return anchor !== undefined && !anchorsOf(page(target)).has(anchor);
    });
    expect(broken).toEqual([]);
  });

  it.each(pages().map((each) => [each.path, each] as const))('%s names variables that exist', (_path, each) => {
    const ours = [...KEYS.values()].flatMap((key) => {
      const { variable } = key.setting;
      return variable === null ? [] : mayStandInFile(key) ? [variable, `${variable}_FILE`] : [variable];
    });
    const others = [
      'VAULT_MCP_CONFIG',
      'XDG_DATA_HOME',
      'NODE_EXTRA_CA_CERTS',
      'TEST_SHARED_FOLDER',
      'TEST_CONTAINERS',
      'TEST_MEMORY',
      'TEST_HOSTILE',
      'MAY_IMPORT',
      'N8N_RESTRICT_FILE_ACCESS_TO',
      ...CONTAINER_VARIABLES,
    ];
    const named = codeOf(each).flatMap((text) => text.match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g) ?? []);
    expect(named.filter((name) => !ours.includes(name) && !others.includes(name))).toEqual([]);
  });

  it.each(pages().map((each) => [each.path, each] as const))('%s names npm scripts that exist', (_path, each) => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const named = codeOf(each).flatMap((text) =>
      [...text.matchAll(/\bnpm (?:run )?([a-z:-]+)/g)].map(([, name = '']) => name),
    );
    const npmsOwn = ['ci', 'link', 'run'];
    expect(named.filter((name) => !npmsOwn.includes(name) && !(name in scripts))).toEqual([]);
  });
});

describe('the README', () => {
  it('lists every command of vault-mcp and no other', async () => {
    const { commands } = await program();
    const listed = rowsOf(README, '## Command line').map(([command = '']) => code(command).replace('vault-mcp ', ''));
    expect(listed.toSorted()).toEqual(commands.map((command) => command.name()).toSorted());
  });

  it('names commands and options that exist, wherever it does', async () => {
    const { commands } = await program();
    const known = new Map(commands.map((command) => [command.name(), optionsOf(command)]));
    const lines = codeOf(README).flatMap((text) => text.split('\n'));
    for (const [, name = '', rest = ''] of lines.flatMap((line) => [...line.matchAll(/vault-mcp ([a-z]+)\b(.*)/g)])) {
      expect([...known.keys()]).toContain(name);
      for (const option of rest.match(/(?<=\s)--?[a-z-]+/g) ?? []) expect(known.get(name)).toContain(option);
    }
    for (const [command = '', does = ''] of rowsOf(README, '## Command line')) {
      const options = spans(does).filter((span) => span.startsWith('--'));
      const ofCommand = known.get(code(command).replace('vault-mcp ', ''));
      for (const option of options) expect(ofCommand).toContain(option);
    }
  });

  it('lists every REST call and no other', async () => {
    const served = (await readOperations()).map(({ method, path }) => `${method} ${path}`);
    const listed = rowsOf(README, '## REST').flatMap(([call = '']) => spans(call));
    expect(listed.toSorted()).toEqual(served.toSorted());
  });

  it('names parameters that its REST calls take', async () => {
    const operations = await readOperations();
    for (const [call = '', answers = ''] of rowsOf(README, '## REST')) {
      const [method, path] = (spans(call)[0] ?? '').split(' ');
      const names = operations.find((each) => each.method === method && each.path === path)?.parameters;
      const named = spans(answers).map((span) => span.replace(/^\?|=$/g, ''));
      const query = named.filter((name) => /^[a-z_]+$/.test(name));
      for (const name of query) expect(names?.map((parameter) => parameter.name)).toContain(name);
    }
  });

  it('lists every MCP tool and no other', async () => {
    const files = await createTempFolder('docs');
    const served = await serveVault({ 'Note.md': '# Note\n' }, { 'files.root': files.path });
    const client = new Client({ name: 'docs', version: '1' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL('/mcp', served.url), {
        requestInit: { headers: { authorization: `Bearer ${API_KEY}` } },
      }),
    );
    const { tools } = await client.listTools();
    await client.close();
    await served.close();
    await files.remove();
    const listed = rowsOf(README, '## Connect an agent').map(([tool = '']) => code(tool));
    expect(listed.toSorted()).toEqual(tools.map(({ name }) => name).toSorted());
  });

  it('shows five ways to write, by tools and calls that exist', async () => {
    const ways = rowsOf(README, '## Writing');
    expect(ways).toHaveLength(5);
    const tools = rowsOf(README, '## Connect an agent').map(([tool = '']) => code(tool));
    const calls = (await readOperations()).map(({ method, path }) => `${method} ${path}`);
    for (const [what, overMcp = '', overRest = ''] of ways) {
      expect(tools, what).toEqual(expect.arrayContaining(spans(overMcp).filter((span) => span.startsWith('vault_'))));
      const named = spans(overRest).filter((span) => /^[A-Z]+ \//.test(span));
      expect(named, what).not.toEqual([]);
      expect(calls, what).toEqual(expect.arrayContaining(named));
    }
    const shown = ways.flatMap(([, overMcp = '']) => spans(overMcp).filter((span) => span.startsWith('vault_')));
    expect(shown.toSorted()).toEqual([
      'vault_append',
      'vault_patch',
      'vault_replace_text',
      'vault_set_body',
      'vault_set_frontmatter',
      'vault_write',
    ]);
  });

  it('names tools that it lists, wherever it does', () => {
    const tools = rowsOf(README, '## Connect an agent').map(([tool = '']) => code(tool));
    const named = codeOf(README).flatMap((text) => text.match(/\bvault_[a-z_]+/g) ?? []);
    expect(named.filter((name) => !tools.includes(name))).toEqual([]);
  });

  it('names configuration keys that exist', () => {
    const sections = new Set([...KEYS.keys()].map((name) => name.split('.')[0]));
    const named = codeOf(README).filter((text) => /^[a-z_]+\.[a-z_]+$/.test(text) && sections.has(text.split('.')[0]));
    const files = ['index.db', 'audit.db', 'server.json', 'index.md'];
    expect(named.filter((name) => !KEYS.has(name) && !files.includes(name))).toEqual([]);
  });

  it('shows folders that are there, and every one at the top', () => {
    const tree = /^## Inside\n\n```\n([\s\S]*?)^```$/m.exec(README.text)?.[1] ?? '';
    const shown = tree
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' ')[0] ?? '');
    expect(shown.filter((folder) => !existsSync(join(ROOT, folder)))).toEqual([]);
    const packages = ['apps', 'packages'].flatMap((kind) =>
      readdirSync(join(ROOT, kind)).map((name) => `${kind}/${name}`),
    );
    expect(shown).toEqual(expect.arrayContaining(packages));
  });
});

describe('docs/configuration.md', () => {
  it('is what the schema makes it', async () => {
    await expect(configurationPage()).toMatchFileSnapshot(join(ROOT, 'docs/configuration.md'));
  });

  it('says that a key has no effect only while that is so', () => {
    // The configuration's own sources name every key.
    const text = productSources(undefined, /^config\//);
    const read = [...WITHOUT_EFFECT].filter((name) => {
      const [section = '', leaf = ''] = name.includes('.') ? name.split('.') : ['config', name];
      const access = new RegExp(`\\b${section}\\.${leaf}\\b|\\{[^{}]*\\b${leaf}\\b[^{}]*\\} = [\\w.]*\\b${section}\\b`);
      return access.test(text);
    });
    expect(read).toEqual([]);
    expect([...WITHOUT_EFFECT].filter((name) => !KEYS.has(name))).toEqual([]);
  });
});

describe('docs/errors.md', () => {
  const errors = page('docs/errors.md');
  const rows = rowsOf(errors, '## The codes');

  it('holds every code with its status, and no other', () => {
    const listed = rows.map(([name = '', status]) => [code(name), Number(status)]);
    expect(listed.toSorted()).toEqual(Object.entries(ERROR_STATUS).toSorted());
  });

  it('says of each when it comes and what to do', () => {
    for (const row of rows) expect(row.filter((cell) => cell !== '')).toHaveLength(4);
  });

  it('holds only what some source answers', () => {
    const sources = productSources();
    expect(rows.map(([name = '']) => code(name)).filter((name) => !produces(sources, name))).toEqual([]);
  });
});

describe('shown output', () => {
  it('matches with whatever stands for its ellipses, and with nothing else', () => {
    const pattern = patternOf('one\n…\nlast … line\n');
    expect('one\nlast long line\n').toMatch(pattern);
    expect('one\ntwo\nthree\nlast  line\n').toMatch(pattern);
    expect('one\nlast line\n').not.toMatch(pattern);
    expect('one\nlast a line\nmore\n').not.toMatch(pattern);
  });
});

async function program(): Promise<Command> {
  const names = (await buildProgram([], '1', () => {})).commands.map((command) => command.name());
  return buildProgram(names, '1', () => {});
}

function optionsOf(command: Command): string[] {
  return [...command.options.flatMap(({ long, short }) => [long ?? '', short ?? '']), '--help', '-h'];
}
