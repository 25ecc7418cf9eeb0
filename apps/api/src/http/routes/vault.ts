/** `/vault/…`: one path for reading, writing, changing and removing what stands there. */
import { type RoutedApp, resource } from '../methods.ts';
import { patchPath } from './vault-patch.ts';
import { readPath } from './vault-read.ts';
import { appendToPath, deletePath, putPath } from './vault-write.ts';

export function vaultRoute(app: RoutedApp): void {
  resource(app, '/vault/*', 'agents', {
    GET: readPath,
    PUT: putPath,
    POST: appendToPath,
    PATCH: patchPath,
    DELETE: deletePath,
  });
}
