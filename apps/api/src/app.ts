/**
 * Composes the HTTP surface from what it is given: fences, routes, the MCP endpoint, probes. Does not listen, holds
 * no rule. Danger: the order of the layers is the security of the server: host and origin, then the key, then the
 * path as it was sent, and only then a route.
 */
import { Hono } from 'hono';
import type { ServedContext } from './context.ts';
import { auditCalls } from './http/audited.ts';
import { bearerAuth } from './http/auth.ts';
import type { HttpEnv } from './http/env.ts';
import { respondWithError, routeNotFound } from './http/errors.ts';
import { hostAndOrigin } from './http/host-origin.ts';
import { refuseDotSegments } from './http/raw-path.ts';
import { requestContext } from './http/request-context.ts';
import { calloutsRoute } from './http/routes/callouts.ts';
import { expiriesRoute } from './http/routes/expiries.ts';
import { folderRoute } from './http/routes/folder.ts';
import { frontmatterRoute } from './http/routes/frontmatter.ts';
import { linksRoute } from './http/routes/links.ts';
import { maintenanceRoute } from './http/routes/maintenance.ts';
import { mcpRoute } from './http/routes/mcp.ts';
import { metricsRoute } from './http/routes/metrics.ts';
import { moveRoute } from './http/routes/move.ts';
import { healthRoute, readinessRoute } from './http/routes/probes.ts';
import { reindexRoute } from './http/routes/reindex.ts';
import { searchRoute } from './http/routes/search.ts';
import { simpleSearchRoute } from './http/routes/simple-search.ts';
import { vaultRoute } from './http/routes/vault.ts';
import { outlastUnreadBodies } from './http/unread-body.ts';
import type { McpEndpoint } from './mcp/server.ts';
import type { ApiMetrics } from './metrics.ts';
import type { About } from './operations/status.ts';

export interface AppDeps {
  /** What operations work on; its configuration says which hosts and keys are known. */
  readonly context: ServedContext;
  /** The operator's key, never empty: in embedded mode it may be a generated one, so it is not read from the configuration. */
  readonly apiKey: string;
  /** What `/healthz` proves to know, where a record of this server names it. */
  readonly instanceSecret?: string | undefined;
  /** What `/readyz` says of this program. */
  readonly about: About;
  readonly mcp: McpEndpoint;
  readonly metrics: ApiMetrics;
}

/**
 * @returns a Hono app: `app.fetch` for a server, `app.request` for tests
 * @throws Error when the API key is empty
 */
export function createApp(deps: AppDeps): Hono<HttpEnv> {
  const { config, log } = deps.context;
  const { server } = config;
  const app = new Hono<HttpEnv>();
  app.onError(respondWithError);
  app.notFound(routeNotFound);
  app.use(outlastUnreadBodies());
  app.use(requestContext({ log, metrics: deps.metrics }));
  app.use(auditCalls(deps.context));
  app.use(hostAndOrigin({ allowedHosts: server.allowed_hosts, publicUrl: server.public_url ?? undefined }));
  app.use(bearerAuth({ apiKey: deps.apiKey, metricsKey: server.metrics_key ?? undefined }));
  app.use(refuseDotSegments);
  healthRoute(app, deps.instanceSecret);
  readinessRoute(app, deps.context, deps.about);
  metricsRoute(app, deps.context, deps.about, deps.metrics);
  vaultRoute(app, deps.context);
  folderRoute(app, deps.context);
  moveRoute(app, deps.context);
  searchRoute(app, deps.context);
  simpleSearchRoute(app, deps.context);
  frontmatterRoute(app, deps.context);
  expiriesRoute(app, deps.context);
  calloutsRoute(app, deps.context);
  linksRoute(app, deps.context);
  maintenanceRoute(app, deps.context);
  reindexRoute(app, deps.context);
  mcpRoute(app, deps.context, deps.mcp);
  return app;
}
