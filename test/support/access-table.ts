/**
 * Whose business each route and each tool is, by hand: a new one that nobody has classed, or that is served to somebody
 * else than written here, fails a test. `agents`: an agent's, within its rights, and nobody's without one under a policy.
 */
import type { Audience } from '@vault-mcp/api/callers';

export const ROUTE_CLASSES: Readonly<Record<string, Audience>> = {
  'GET /healthz': 'anyone',
  'GET /readyz': 'operator',
  'GET /metrics': 'scraper',
  'GET /vault/*': 'agents',
  'PUT /vault/*': 'agents',
  'POST /vault/*': 'agents',
  'PATCH /vault/*': 'agents',
  'DELETE /vault/*': 'agents',
  'PUT /folder/*': 'agents',
  'DELETE /folder/*': 'agents',
  'POST /move': 'agents',
  'GET /search': 'agents',
  'POST /search': 'agents',
  'POST /search/simple/': 'agents',
  'GET /frontmatter': 'agents',
  'GET /expiries': 'agents',
  'GET /callouts': 'agents',
  'POST /callouts': 'agents',
  'GET /links': 'agents',
  'GET /maintenance': 'operator',
  'POST /maintenance': 'operator',
  'GET /maintenance/checks': 'operator',
  'POST /memory/propose': 'agents',
  'POST /memory/consolidate': 'operator',
  'GET /memory/discards': 'operator',
  'GET /memory/discards/:n': 'operator',
  'POST /memory/discards/:n/restore': 'operator',
  'POST /wiki/append': 'agents',
  'POST /wiki/ingest': 'agents',
  'POST /reindex': 'operator',
  'POST /mcp': 'agents',
  'POST /mcp/only/*': 'agents',
};

/** With the most that a tool does to what is there. */
export const TOOL_CLASSES: Readonly<Record<string, readonly ['agents' | 'operator', 'read' | 'add' | 'change']>> = {
  vault_search: ['agents', 'read'],
  vault_read: ['agents', 'read'],
  vault_list: ['agents', 'read'],
  vault_map: ['agents', 'read'],
  vault_links: ['agents', 'read'],
  vault_patch: ['agents', 'add'],
  vault_replace_text: ['agents', 'change'],
  vault_append: ['agents', 'add'],
  vault_write: ['agents', 'add'],
  vault_set_body: ['agents', 'change'],
  vault_set_frontmatter: ['agents', 'change'],
  vault_delete: ['agents', 'change'],
  vault_move: ['agents', 'change'],
  vault_create_folder: ['agents', 'add'],
  vault_delete_folder: ['agents', 'change'],
  vault_propose: ['agents', 'add'],
  wiki_append: ['agents', 'add'],
  wiki_ingest: ['agents', 'add'],
  files_write: ['agents', 'change'],
};
