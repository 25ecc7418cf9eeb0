/** An empty vault for each test of filing documents, and the call that files one. */
import { createHash } from 'node:crypto';
import type { Upload } from '@vault-mcp/shared/vault/incoming-document';
import { parseVaultPath } from '@vault-mcp/shared/vault/path';
import type { FileDocumentOptions, FiledDocument } from '@vault-mcp/shared/vault/write-document';
import { afterEach, beforeEach } from 'vitest';
import { createWritableVault, type WritableVault } from './writable-vault.ts';

/** Largest document here, in bytes. */
export const MAX = 100;
export const PLACE = 'House/Files/Lease.pdf';

export const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** Bytes that come in parts of three; `stated` as a sender would state their length. */
export function uploadOf(text: string, stated = false): Upload {
  async function* parts() {
    for (let at = 0; at < text.length; at += 3) yield Buffer.from(text.slice(at, at + 3), 'latin1');
  }
  return { body: parts(), statedBytes: stated ? text.length : null };
}

/** @returns the vault of the running test */
export function filingSuite(): () => WritableVault {
  let on: WritableVault;
  beforeEach(async () => {
    on = await createWritableVault();
  });
  afterEach(() => on.remove());
  return () => on;
}

/** Files into a folder named `Files`. */
export function fileWith(
  writer: WritableVault['writer'],
  path: string,
  text: string | Upload,
  options: Partial<FileDocumentOptions> = {},
): Promise<FiledDocument> {
  const upload = typeof text === 'string' ? uploadOf(text) : text;
  return writer.fileDocument(parseVaultPath(path), upload, { maxBytes: MAX, folderName: 'Files', ...options });
}
