/** Reading a configuration file or a secret’s file, as far as it needs no disk: the type, and why it failed. Pure. */

/** Gives a file’s bytes; throws what the file system throws. */
export type ReadFile = (path: string) => Buffer;

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'this user may not read it',
  EPERM: 'this user may not read it',
  EISDIR: 'it is a folder (Docker makes one where a mounted file is missing)',
  ELOOP: 'its symbolic links go round in a circle',
};

/** @param error what a file-system call threw */
export function readFailure(error: unknown): string {
  const code = (error as NodeJS.ErrnoException | null)?.code ?? '';
  return REASONS[code] ?? (error instanceof Error ? error.message : String(error));
}
