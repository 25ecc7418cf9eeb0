/**
 * What to paste where, to reach a server: one line for a shell, one for an MCP client. Pure.
 */

/**
 * @param url `http://host:port`
 * @param key the key, or a shell expression for it when it must not be shown
 * @param agent in whose name the calls are made, where the key alone would not do
 */
export function clientSnippet(url: string, key: string, agent?: string): string {
  const headers = { Authorization: `Bearer ${key}`, ...(agent === undefined ? {} : { 'X-Vault-Agent': agent }) };
  const flags = (flag: string) =>
    Object.entries(headers)
      .map(([name, value]) => `${flag} "${name}: ${value}"`)
      .join(' ');
  return [
    'Ask it from a shell:',
    '',
    `  curl ${flags('-H')} "${url}/search?q=heating"`,
    '',
    'Add it to an MCP client, for example:',
    '',
    `  claude mcp add --transport http vault ${url}/mcp ${flags('--header')}`,
    '',
    'or, where a client takes JSON:',
    '',
    `  ${JSON.stringify({ mcpServers: { vault: { url: `${url}/mcp`, headers } } })}`,
    '',
  ].join('\n');
}
