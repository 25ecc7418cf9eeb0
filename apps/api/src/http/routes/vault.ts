/** `/vault/…`: one path for reading, writing, changing and removing what stands there. */
import type { Hono } from 'hono';
import type { WriteContext } from '../../context.ts';
import type { HttpEnv } from '../env.ts';
import { resource } from '../methods.ts';
import { patchPath } from './vault-patch.ts';
import { readPath } from './vault-read.ts';
import { appendToPath, deletePath, putPath } from './vault-write.ts';

export function vaultRoute(app: Hono<HttpEnv>, context: WriteContext): void {
  resource(app, '/vault/*', {
    GET: (c) => readPath(c, context),
    PUT: (c) => putPath(c, context),
    POST: (c) => appendToPath(c, context),
    PATCH: (c) => patchPath(c, context),
    DELETE: (c) => deletePath(c, context),
  });
}
