/**
 * Composes the HTTP surface from what it is given: fences, routes, the MCP endpoint, probes. Does not listen, holds
 * no rule. Danger: the order of the layers is the security of the server: host and origin, then the key, then the
 * path as it was sent, and only then a route.
 */
import type { Config } from '@vault-mcp/shared/config/schema';
import type { Logger } from '@vault-mcp/shared/log';
import type { AuditLog } from '@vault-mcp/shared/records/audit';
import { Hono } from 'hono';
import type { Audience, Callers } from './callers.ts';
import { auditCalls } from './http/audited.ts';
import { bearerAuth } from './http/auth.ts';
import type { HttpEnv } from './http/env.ts';
import { respondWithError, routeNotFound } from './http/errors.ts';
import { hostAndOrigin } from './http/host-origin.ts';
import type { RoutedApp } from './http/methods.ts';
import { refuseDotSegments } from './http/raw-path.ts';
import { requestContext } from './http/request-context.ts';
import { calloutsRoute } from './http/routes/callouts.ts';
import { consolidateRoute } from './http/routes/consolidate.ts';
import { discardsRoute } from './http/routes/discards.ts';
import { expiriesRoute } from './http/routes/expiries.ts';
import { folderRoute } from './http/routes/folder.ts';
import { frontmatterRoute } from './http/routes/frontmatter.ts';
import { linksRoute } from './http/routes/links.ts';
import { maintenanceRoute } from './http/routes/maintenance.ts';
import { mcpRoute } from './http/routes/mcp.ts';
import { metricsRoute } from './http/routes/metrics.ts';
import { moveRoute } from './http/routes/move.ts';
import { healthRoute, readinessRoute } from './http/routes/probes.ts';
import { proposeRoute } from './http/routes/propose.ts';
import { reindexRoute } from './http/routes/reindex.ts';
import { searchRoute } from './http/routes/search.ts';
import { simpleSearchRoute } from './http/routes/simple-search.ts';
import { vaultRoute } from './http/routes/vault.ts';
import { wikiAppendRoute } from './http/routes/wiki-append.ts';
import { wikiIngestRoute } from './http/routes/wiki-ingest.ts';
import { outlastUnreadBodies } from './http/unread-body.ts';
import type { McpEndpoint } from './mcp/server.ts';
import type { ApiMetrics } from './metrics.ts';
import type { About } from './operations/status.ts';

export interface AppDeps {
  /** Who is let in, and what their calls work on. */
  readonly callers: Callers;
  /** Says which hosts are known. */
  readonly config: Config;
  readonly log: Logger;
  readonly audit: AuditLog;
  /** What `/healthz` proves to know, where a record of this server names it. */
  readonly instanceSecret?: string | undefined;
  /** What `/readyz` says of this program. */
  readonly about: About;
  readonly mcp: McpEndpoint;
  readonly metrics: ApiMetrics;
}

export interface ComposedApp {
  /** `fetch` for a server, `request` for tests. */
  readonly app: Hono<HttpEnv>;
  /** By method and pattern (`GET /links`), whose business each route is. */
  readonly classes: ReadonlyMap<string, Audience>;
}

export function createApp(deps: AppDeps): Hono<HttpEnv> {
  return composeApp(deps).app;
}

export function composeApp({ callers, config, log, audit, metrics, ...deps }: AppDeps): ComposedApp {
  const { server } = config;
  const hono = new Hono<HttpEnv>();
  hono.onError(respondWithError);
  hono.notFound(routeNotFound);
  hono.use(outlastUnreadBodies());
  hono.use(requestContext({ log, metrics }));
  hono.use(auditCalls({ audit }));
  hono.use(hostAndOrigin({ allowedHosts: server.allowed_hosts, publicUrl: server.public_url ?? undefined }));
  hono.use(bearerAuth(callers));
  hono.use(refuseDotSegments);
  const app: RoutedApp = { hono, callers, classes: new Map() };
  healthRoute(app, deps.instanceSecret);
  readinessRoute(app, deps.about);
  metricsRoute(app, deps.about, metrics);
  vaultRoute(app);
  folderRoute(app);
  moveRoute(app);
  searchRoute(app);
  simpleSearchRoute(app);
  frontmatterRoute(app);
  expiriesRoute(app);
  calloutsRoute(app);
  linksRoute(app);
  maintenanceRoute(app);
  proposeRoute(app);
  consolidateRoute(app);
  discardsRoute(app);
  wikiAppendRoute(app);
  wikiIngestRoute(app);
  reindexRoute(app);
  mcpRoute(app, deps.mcp);
  return { app: hono, classes: app.classes };
}
