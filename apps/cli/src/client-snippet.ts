/**
 * What to paste where, to reach a server: one line for a shell, one for an MCP client. Pure.
 */

/**
 * @param url `http://host:port`
 * @param key the key, or a shell expression for it when it must not be shown
 */
export function clientSnippet(url: string, key: string): string {
  return [
    'Ask it from a shell:',
    '',
    `  curl -H "Authorization: Bearer ${key}" "${url}/search?q=heating"`,
    '',
    'Add it to an MCP client, for example:',
    '',
    `  claude mcp add --transport http vault ${url}/mcp --header "Authorization: Bearer ${key}"`,
    '',
    'or, where a client takes JSON:',
    '',
    `  ${JSON.stringify({ mcpServers: { vault: { url: `${url}/mcp`, headers: { Authorization: `Bearer ${key}` } } } })}`,
    '',
  ].join('\n');
}
