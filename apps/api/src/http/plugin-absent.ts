/**
 * Routes of the Obsidian plugin "Local REST API" that are not served here, and what to use in their place: a flow that
 * was written against the plugin learns from its 404 how to go on. Only consulted for paths that met no route, so
 * nothing here can hide one. The page docs/from-local-rest-api.md says the same of each, which a test compares.
 */

/** A route as the plugin documents it. */
export interface AbsentRoute {
  /** With a slash at its end where the plugin writes one; `{…}` stands for what the caller fills in. */
  readonly route: string;
  /** What the 404 advises, a sentence. */
  readonly instead: string;
}

export const ABSENT_PLUGIN_ROUTES: readonly AbsentRoute[] = [
  { route: '/', instead: 'Ask GET /healthz whether the server runs, and GET /readyz whether all is well.' },
  {
    route: '/active/{target}',
    instead: 'No note is open here: name the one you mean, as /vault/<path>.',
  },
  {
    route: '/periodic/{period}/{date}',
    instead:
      'Name the note of the day by its path, such as POST /vault/Journal/2026-01-31.md: it is made when missing.',
  },
  {
    route: '/search/',
    instead:
      'JsonLogic is not evaluated: ask POST /search (no slash at the end), narrowed by type, tag and prefix, or GET /frontmatter for notes by a value of their frontmatter.',
  },
  {
    route: '/search/simple',
    instead: 'It is served with a slash at its end: POST /search/simple/?query=…',
  },
  {
    route: '/tags/',
    instead: 'Ask GET /search?q=…&tag=<tag> for notes with a tag; a note read as JSON lists its own.',
  },
  { route: '/commands/', instead: 'There is no Obsidian here, and so none of its commands.' },
  {
    route: '/commands/{id}/',
    instead: 'There is no Obsidian to run commands in: change notes under /vault/, move them with POST /move.',
  },
  {
    route: '/open/{path}',
    instead: 'There is no window to open it in: follow obsidian://open?file=<path> where Obsidian runs.',
  },
  {
    route: '/events/{emitter}/{event}/{subscription}/',
    instead: 'Poll instead: GET /vault/?recursive lists when each file was changed, If-None-Match spares you its text.',
  },
  {
    route: '/mcp/',
    instead: 'MCP is spoken at /mcp, without a slash at its end.',
  },
  {
    route: '/openapi.yaml',
    instead: 'The description of this API is the file openapi.yaml of the vault-mcp repository.',
  },
  {
    route: '/openapi.json',
    instead: 'The description of this API is the file openapi.yaml of the vault-mcp repository.',
  },
  {
    route: '/obsidian-local-rest-api.crt',
    instead: 'This server speaks plain HTTP; where TLS is needed, the proxy in front of it has the certificate.',
  },
];

/**
 * @param path a request's path that met no route, as it was sent
 * @returns the sentence of its 404, or undefined when the plugin has no such route
 */
export function absentPluginRoute(path: string): string | undefined {
  const absent = ABSENT_PLUGIN_ROUTES.find(({ route }) => belongsTo(route, path));
  if (absent === undefined) return undefined;
  return `${absent.route} of Obsidian's Local REST API plugin is not served here. ${absent.instead}`;
}

/**
 * What to use in place of the plugin's addresses of parts of a note (`/vault/Note.md/heading/A`): to us they are paths
 * below a file, which are refused, so this is said besides.
 */
export function absentPartRoute(path: string): string | undefined {
  if (!/^\/vault\/.*\.md\/(?:heading|block|frontmatter)(?:\/|$)/i.test(path)) return undefined;
  return 'Parts of a note have no addresses here: read one by GET /vault/<note>?section=<heading or ^block>, change one by PATCH /vault/<note> with it as the target.';
}

/**
 * A route with places to fill in stands for everything below its fixed part. The plugin's router does not tell a path
 * with a slash at its end from one without, so neither does this.
 */
function belongsTo(route: string, path: string): boolean {
  const placeholder = route.indexOf('/{');
  if (placeholder < 0) return withoutSlash(path) === withoutSlash(route);
  const fixed = route.slice(0, placeholder);
  return path === fixed || path.startsWith(`${fixed}/`);
}

function withoutSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}
