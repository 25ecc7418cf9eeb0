/** `PUT` and `DELETE /folder/…`: a folder made with its parents, or removed. A file in its place is neither. */
import { createFolder, createFolderInput } from '../../operations/create-folder.ts';
import { deleteFolder, deleteFolderInput } from '../../operations/delete-folder.ts';
import { parseInput } from '../../operations/input.ts';
import { callOf } from '../audited.ts';
import { refuseConditions } from '../if-match.ts';
import { type RoutedApp, resource } from '../methods.ts';
import { readQuery } from '../query.ts';
import { OUTCOME_QUERY } from '../write-options.ts';
import { writeRequest } from '../write-request.ts';
import { writtenFolder } from '../written-path.ts';

export function folderRoute(app: RoutedApp): void {
  resource(app, '/folder/*', 'agents', {
    PUT: async (c, context) => {
      const query = readQuery(c, { dry_run: 'flag' });
      const path = writtenFolder(c);
      refuseConditions((name) => c.req.header(name), 'Folders have no etag');
      const input = callOf(c, 'create-folder', parseInput(createFolderInput, { path, ...query }));
      return c.json(await createFolder(context, input, writeRequest(c)));
    },
    DELETE: async (c, context) => {
      const query = readQuery(c, { recursive: 'flag', permanent: 'flag', ...OUTCOME_QUERY });
      const path = writtenFolder(c);
      refuseConditions((name) => c.req.header(name), 'Folders have no etag');
      const input = callOf(c, 'delete-folder', parseInput(deleteFolderInput, { path, ...query }));
      return c.json(await deleteFolder(context, input, writeRequest(c)));
    },
  });
}
