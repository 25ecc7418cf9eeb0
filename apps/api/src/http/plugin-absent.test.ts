import { describe, expect, it } from 'vitest';
import { ABSENT_PLUGIN_ROUTES, absentPluginRoute } from './plugin-absent.ts';

describe("a path of the Obsidian plugin's that is not served", () => {
  it.each([
    ['/', 'healthz'],
    ['/active', '/vault/<path>'],
    ['/active/', '/vault/<path>'],
    ['/active/heading/Log', '/vault/<path>'],
    ['/periodic/daily/', 'POST /vault/Journal'],
    ['/periodic/daily/2026/01/31/', 'POST /vault/Journal'],
    ['/search/', 'POST /search'],
    ['/search/simple', 'POST /search/simple/'],
    ['/tags/', 'tag=<tag>'],
    ['/tags', 'tag=<tag>'],
    ['/commands/', 'no Obsidian'],
    ['/commands/graph%3Aopen/', 'POST /move'],
    ['/open/Car/Tyres.md', 'obsidian://open'],
    ['/events/vault/modify/', 'If-None-Match'],
    ['/mcp/', '/mcp,'],
    ['/openapi.yaml', 'openapi.yaml of the vault-mcp repository'],
    ['/openapi.json', 'openapi.yaml of the vault-mcp repository'],
    ['/obsidian-local-rest-api.crt', 'proxy'],
  ])('%s is told what to use instead', (path, instead) => {
    const sentence = absentPluginRoute(path);
    expect(sentence).toContain("Obsidian's Local REST API plugin");
    expect(sentence).toContain(instead);
  });

  it.each(['/Active/', '/activeness', '/search/complex/', '/tagsoup', '/mcp/x', '/commandsx/'])(
    '%j is none of them',
    (path) => {
      expect(absentPluginRoute(path)).toBeUndefined();
    },
  );

  it('is advised in one sentence of its own, which ends', () => {
    for (const { route, instead } of ABSENT_PLUGIN_ROUTES) {
      expect(route).toMatch(/^\//);
      expect(instead).toMatch(/^[A-Z].*(\.|…)$/);
    }
  });
});
