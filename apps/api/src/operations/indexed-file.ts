/** What the index knows of a file, for answers that must not depend on there being an index. */
import { AppError } from '@vault-mcp/shared/errors';
import type { IndexReader } from '@vault-mcp/shared/index-db/reader';
import type { FileRow } from '@vault-mcp/shared/index-db/rows';

/** @returns undefined when the file is not indexed, or there is no index yet */
export function indexedFile(reader: Pick<IndexReader, 'fileByPath'>, path: string): FileRow | undefined {
  try {
    return reader.fileByPath(path);
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_ready') return undefined;
    throw error;
  }
}
