/**
 * What must hold between keys, once each of them is valid by itself. Pure: a configuration in, problems out, each a
 * line that says what to set.
 */
import { sep } from 'node:path';
import type { RunMode } from './complete.ts';
import { missingForOpenAi } from './remote-endpoint.ts';
import type { Config } from './schema.ts';

/** The folder inside the data folder that the first run serves: the one vault that may lie there. */
export const EXAMPLE_VAULT_DIR = 'example-vault';

export interface CrossRuleContext {
  readonly mode: RunMode;
  readonly requireApiKey: boolean;
}

export function crossProblems(config: Config, context: CrossRuleContext): string[] {
  return [
    ...containerProblems(config, context),
    ...(config.embedding.provider === 'openai' ? missingForOpenAi(config.embedding) : []),
    ...sizeProblems(config),
    ...folderProblems(config),
    ...filesRootProblems(config),
    ...roleProblems(config),
    ...policyProblems(config),
  ];
}

/** The indexer sees the whole vault: it would write a hidden note's path into the note of whoever guesses its name. */
function policyProblems({ agents, links }: Config): string[] {
  if (agents.policy === null || !links.auto_qualify) return [];
  return [
    'links.auto_qualify cannot be used with agents.policy, since it would tell agents the paths of notes that are hidden from them; ' +
      'leave one of the two out (doctor proposes the same links to you)',
  ];
}

/** Whoever writes the index must hear of changes, and whoever hears of them must be able to write: two halves are none. */
function roleProblems({ indexer }: Config): string[] {
  const { roles } = indexer;
  if (roles.includes('watch') === roles.includes('write')) return [];
  const [half, other] = roles.includes('watch') ? ['watch', 'write'] : ['write', 'watch'];
  return [
    `indexer.roles has ${half} without ${other}; name both for the one process that writes the index (watch,write, alone ` +
      'or with extract, embed), or neither for one that works for it (extract, embed or both)',
  ];
}

function containerProblems({ server, queue }: Config, { mode, requireApiKey }: CrossRuleContext): string[] {
  const problems: string[] = [];
  if (requireApiKey && server.api_key === null) {
    problems.push('server.api_key is missing; set VAULT_MCP_API_KEY or VAULT_MCP_API_KEY_FILE');
  }
  if (mode === 'containers' && queue.redis_url === null) {
    problems.push('queue.redis_url is missing; set REDIS_URL, or run everything in one process with vault-mcp serve');
  }
  return problems;
}

function sizeProblems({ chunking, embedding }: Config): string[] {
  const problems: string[] = [];
  if (chunking.overlap_tokens >= chunking.target_tokens) {
    problems.push('chunking.overlap_tokens must be less than chunking.target_tokens');
  }
  if (chunking.min_tokens > chunking.target_tokens) {
    problems.push('chunking.min_tokens must be at most chunking.target_tokens');
  }
  if (embedding.backoff_max_seconds < embedding.backoff_seconds) {
    problems.push('embedding.backoff_max_seconds must be at least embedding.backoff_seconds');
  }
  return problems;
}

/**
 * Data inside the vault would be served and indexed unless a dotted folder hides it; a vault inside the data folder
 * would go with it when somebody deletes what is said to cost only time.
 */
function folderProblems({ vault, data, index, agents }: Config): string[] {
  const problems: string[] = [];
  const placed = { 'data.path': data.path, 'index.path': index.path, 'index.cache_path': index.cache_path };
  for (const [key, path] of Object.entries(placed)) {
    if (path !== null && liesOpenIn(vault.path, path)) {
      problems.push(`${key} lies inside the vault, where it would be served; put it outside or into a dotted folder`);
      break; // the files follow the folder: one line is enough
    }
  }
  if (agents.keys_file !== null && liesOpenIn(vault.path, agents.keys_file)) {
    problems.push(
      'agents.keys_file lies inside the vault, where it would be served; put it outside or into a dotted folder',
    );
  }
  const inside = innerPath(data.path, vault.path);
  if (inside !== undefined && inside !== '' && inside !== EXAMPLE_VAULT_DIR) {
    problems.push('vault.path lies inside data.path, which may be deleted at any time; keep them apart');
  }
  return problems;
}

/** What is written below files.root passes by the vault's scopes and locks, and would reach the records. */
function filesRootProblems({ vault, data, files }: Config): string[] {
  const { root } = files;
  if (root === null) return [];
  const others = { 'vault.path': vault.path, 'data.path': data.path };
  return Object.entries(others).flatMap(([key, path]) => {
    if (innerPath(path, root) === undefined && innerPath(root, path) === undefined) return [];
    return [`files.root and ${key} must be folders apart, neither inside the other; choose another FILES_ROOT`];
  });
}

function liesOpenIn(folder: string, path: string): boolean {
  const inner = innerPath(folder, path);
  return inner !== undefined && !inner.split(sep).some((segment) => segment.startsWith('.'));
}

/** `path` relative to `folder` when it is that folder or inside it. Both absolute. */
function innerPath(folder: string, path: string): string | undefined {
  if (path === folder) return '';
  const root = folder.endsWith(sep) ? folder : folder + sep;
  return path.startsWith(root) ? path.slice(root.length) : undefined;
}
