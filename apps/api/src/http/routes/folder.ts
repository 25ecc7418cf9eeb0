/** `PUT` and `DELETE /folder/…`: a folder made with its parents, or removed. A file in its place is neither. */
import { AppError } from '@vault-mcp/shared/errors';
import type { Hono } from 'hono';
import type { WriteContext } from '../../context.ts';
import { createFolder, createFolderInput } from '../../operations/create-folder.ts';
import { deleteFolder, deleteFolderInput } from '../../operations/delete-folder.ts';
import { parseInput } from '../../operations/input.ts';
import { callOf } from '../audited.ts';
import type { HttpContext, HttpEnv } from '../env.ts';
import { conditionsOf } from '../if-match.ts';
import { resource } from '../methods.ts';
import { readQuery } from '../query.ts';
import { OUTCOME_QUERY } from '../write-options.ts';
import { writeRequest } from '../write-request.ts';
import { writtenFolder } from '../written-path.ts';

export function folderRoute(app: Hono<HttpEnv>, context: WriteContext): void {
  resource(app, '/folder/*', {
    PUT: async (c) => {
      const query = readQuery(c, { dry_run: 'flag' });
      const path = writtenFolder(c);
      refuseConditions(c);
      const input = callOf(c, 'create-folder', parseInput(createFolderInput, { path, ...query }));
      return c.json(await createFolder(context, input, writeRequest(c)));
    },
    DELETE: async (c) => {
      const query = readQuery(c, { recursive: 'flag', permanent: 'flag', ...OUTCOME_QUERY });
      const path = writtenFolder(c);
      refuseConditions(c);
      const input = callOf(c, 'delete-folder', parseInput(deleteFolderInput, { path, ...query }));
      return c.json(await deleteFolder(context, input, writeRequest(c)));
    },
  });
}

/** A folder has no version that could be asked for. */
function refuseConditions(c: HttpContext): void {
  if (Object.keys(conditionsOf((name) => c.req.header(name))).length === 0) return;
  throw new AppError('invalid_request', 'Folders have no etag: leave If-Match out.');
}
