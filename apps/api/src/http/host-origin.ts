/**
 * The fence against DNS rebinding and against pages of other sites: only known Host names are served, and a request
 * that says which page it comes from must come from one of ours. Danger: this stands in front of authentication, so
 * that a browser that was lured here learns nothing, not even whether a key is right.
 */
import { AppError } from '@vault-mcp/shared/errors';
import type { MiddlewareHandler } from 'hono';
import { type HttpContext, type HttpEnv, rawPathname } from './env.ts';

export interface HostRules {
  /** `server.allowed_hosts`: host names, IPv6 in brackets; an entry without a port matches any port. */
  readonly allowedHosts: readonly string[];
  /** `server.public_url`: its host and its origin are allowed as well. */
  readonly publicUrl?: string | undefined;
}

interface HostPort {
  readonly name: string;
  readonly port: string | undefined;
}

/** `name`, `name:port`, `[v6]`, `[v6]:port`; undefined when it is none of them. */
export function parseHost(value: string): HostPort | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[^\s:/?#@[\]\\]+)(?::(\d{1,5}))?$/i.exec(value.trim());
  if (match?.[1] === undefined) return undefined;
  return { name: match[1].toLowerCase().replace(/\.$/, ''), port: match[2] };
}

/** Whether a Host header's value stands in the list. */
export function hostAllowed(value: string, allowed: readonly string[]): boolean {
  const asked = parseHost(value);
  if (!asked) return false;
  return allowed.some((entry) => {
    const known = parseHost(entry);
    return known !== undefined && known.name === asked.name && (known.port === undefined || known.port === asked.port);
  });
}

/** Whether an Origin header's value is ours: an http(s) page on an allowed host, or the public URL's own origin. */
export function originAllowed(value: string, allowed: readonly string[], publicOrigin: string | undefined): boolean {
  if (!URL.canParse(value)) return false;
  const origin = new URL(value);
  if (origin.protocol !== 'http:' && origin.protocol !== 'https:') return false;
  // An Origin is scheme and authority only; anything more is not one a browser would send.
  if (value.toLowerCase() !== origin.origin) return false;
  if (origin.origin === publicOrigin) return true;
  return hostAllowed(origin.host, allowed);
}

function hostOf(c: HttpContext): string {
  return c.req.header('host') ?? new URL(c.req.url).host;
}

export function hostAndOrigin(rules: HostRules): MiddlewareHandler<HttpEnv> {
  const publicUrl = rules.publicUrl ? new URL(rules.publicUrl) : undefined;
  const allowed = publicUrl ? [...rules.allowedHosts, publicUrl.host] : rules.allowedHosts;
  return async (c, next) => {
    if (rawPathname(c) === '/healthz') return next();
    if (!hostAllowed(hostOf(c), allowed)) {
      throw new AppError(
        'forbidden',
        'This host name is not served here. Add it to server.allowed_hosts (MCP_ALLOWED_HOSTS), ' +
          'or set server.public_url (PUBLIC_URL) when a proxy stands in front.',
      );
    }
    const origin = c.req.header('origin');
    if (origin !== undefined && !originAllowed(origin, allowed, publicUrl?.origin)) {
      throw new AppError(
        'forbidden',
        'Pages of other sites may not call this server. Name its own address in server.public_url (PUBLIC_URL), ' +
          'or add the host to server.allowed_hosts (MCP_ALLOWED_HOSTS).',
      );
    }
    return next();
  };
}
