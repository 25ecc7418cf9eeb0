/**
 * docs/configuration.md, made from the schema: `npx vitest run test/contracts/docs.test.ts -u` writes it anew. Danger: a
 * key that is accepted and does nothing misleads, so those stand in a list of their own, which a test empties.
 */
import { mayStandInFile } from '@vault-mcp/shared/config/environment-layer';
import { KEYS, type Key } from '@vault-mcp/shared/config/key-table';

/** Keys of what is still to come: checked at start, and without effect. */
export const WITHOUT_EFFECT: ReadonlySet<string> = new Set([]);

const HEAD = `# Configuration

\`built-in defaults < config.yaml < environment < command-line options\`, every layer optional.
[config.example.yaml](../config.example.yaml) holds every key at its default, to copy from. \`config.yaml\` is looked for in
the repository's root; \`VAULT_MCP_CONFIG\` names another file, which then must exist, and set to nothing it means that no
file is read. An unknown key or variable, a wrong type and a value out of range refuse to start, all of them at once, with
the layer and the nearest key that exists.

Lists are YAML sequences, or text separated by commas in either layer. Secrets come from their variable or from the file
that \`<variable>_FILE\` names, never from config.yaml; addresses that may hold a password may stand in such a file too. "npm start" stands for everything that runs in one process: \`serve\`,
\`mcp\` and the other commands.

This page is made from the schema and held to it by a test. Keys marked "(later)" are checked and have no effect yet.
`;

function shown(value: unknown): string {
  if (value === null) return 'none';
  if (value === '') return 'empty';
  if (Array.isArray(value)) return value.length === 0 ? 'empty' : `\`${value.join(', ')}\``;
  return `\`${String(value)}\``;
}

function defaultOf({ setting }: Key): string {
  if (setting.fileInData !== undefined) return `\`${setting.fileInData}\` in \`data.path\``;
  const { embedded } = setting;
  if (embedded === undefined || embedded === setting.default) return shown(setting.default);
  return `${shown(setting.default)}; npm start: ${embedded === 'required' ? 'see below' : shown(embedded)}`;
}

function variableOf(key: Key): string {
  const { setting } = key;
  if (setting.variable === null) return 'file only';
  const variable = `\`${setting.variable}\``;
  return mayStandInFile(key) ? `${variable}, \`${setting.variable}_FILE\`` : variable;
}

function row(key: Key): string {
  const later = WITHOUT_EFFECT.has(key.name) ? '(later) ' : '';
  const meaning = `${later}${key.setting.doc}`.replaceAll('|', '\\|');
  return `| \`${key.name}\` | ${variableOf(key)} | ${defaultOf(key)} | ${meaning} |`;
}

/** The whole page. */
export function configurationPage(): string {
  const sections = new Map<string, Key[]>();
  for (const key of KEYS.values()) {
    const section = key.name.includes('.') ? key.name.slice(0, key.name.indexOf('.')) : key.name;
    sections.set(section, [...(sections.get(section) ?? []), key]);
  }
  const tables = [...sections].map(
    ([section, keys]) =>
      `\n## ${section}\n\n| Key | Variable | Default | Meaning |\n| --- | --- | --- | --- |\n${keys.map(row).join('\n')}\n`,
  );
  return HEAD + tables.join('') + FOOT;
}

const FOOT = `
## Where npm start differs

\`vault.path\` is a copy of the example vault unless named; \`data.path\` is \`$XDG_DATA_HOME/vault-mcp/<hash of the vault's
path>\` (\`~/.local/share\` where \`XDG_DATA_HOME\` is not set). A key is made where \`VAULT_MCP_API_KEY\` names none, and only
while the server listens on this machine alone. On a terminal only warnings are logged unless \`log.level\` or \`--verbose\`
says otherwise.
`;
