/** Configuration of what callers reach: `server.*`, `mcp.*`, `agents.*`. Holds the keys that open the door. */
import { z } from 'zod';
import { agentsPolicy } from '../agents-policy.ts';
import { flag, list, mapping, number, text } from '../setting.ts';
import { choice, filledText, headerKey, httpUrl, localPath, wholeNumber } from '../value-types.ts';

/** The sets of MCP tools that can be offered. */
export const TOOL_SETS = ['core', 'links', 'memory', 'wiki'] as const;

export const serverSection = z.strictObject({
  host: text(filledText, {
    variable: 'BIND_HOST',
    doc: 'Address to listen on. In embedded mode the default is 127.0.0.1.',
    default: '0.0.0.0',
    embedded: '127.0.0.1',
  }),
  port: number(wholeNumber(0, 65_535), {
    variable: 'BIND_PORT',
    doc: 'Port to listen on. 0 = any free one.',
    default: 8080,
  }),
  read_only: flag({
    variable: 'READ_ONLY',
    doc: 'Hide the write tools and refuse every write.',
    default: false,
  }),
  allowed_hosts: list(
    filledText.transform((value) => value.trim().toLowerCase()),
    {
      variable: 'MCP_ALLOWED_HOSTS',
      doc: 'Host headers that are answered; one without a port matches any port. /healthz is exempt.',
      default: ['vault-mcp', 'api', 'localhost', '127.0.0.1', '[::1]'],
    },
  ),
  public_url: text(httpUrl.nullable(), {
    variable: 'PUBLIC_URL',
    doc: 'The address people reach the server at behind a proxy: its host and origin are allowed too.',
    default: null,
    whenEmpty: null,
  }),
  api_key: text(headerKey.nullable(), {
    variable: 'VAULT_MCP_API_KEY',
    doc: 'The operator’s key, sent as a bearer token. Required for the containers; generated in embedded mode.',
    default: null,
    secret: true,
  }),
  metrics_key: text(headerKey.nullable(), {
    variable: 'METRICS_KEY',
    doc: 'A second key that opens /metrics and nothing else.',
    default: null,
    secret: true,
  }),
});

export const mcpSection = z.strictObject({
  tools: list(
    choice(TOOL_SETS),
    {
      variable: 'MCP_TOOLS',
      doc: 'Sets of tools to offer.',
      default: [...TOOL_SETS],
    },
    { filled: true },
  ),
  max_chars: number(wholeNumber(1_000, 10_000_000), {
    variable: 'MCP_MAX_CHARS',
    doc: 'Longest text one tool answer holds, in characters; the rest is read by offset.',
    default: 60_000,
  }),
});

export const agentsSection = z.strictObject({
  policy: mapping(agentsPolicy.nullable(), {
    doc: 'Agent → rules {prefix, read?, write?: true, false or append}; the longest prefix that states it wins. {} denies all; unset allows all.',
    default: null,
  }),
  keys_file: text(localPath.nullable(), {
    variable: 'AGENTS_KEYS_FILE',
    doc: 'File of agent → SHA-256 of the agent’s key in hex, made by `vault-mcp key add`; unset: agent-keys.json in data.path, if it is there.',
    default: null,
    localPath: true,
    whenEmpty: null,
  }),
});
