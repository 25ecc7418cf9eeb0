/**
 * What the log says of links that were mended, could be, or are left. Danger: what stands in a link may be anything somebody
 * wrote, so only places and the names of files are logged.
 */
import type { AppError } from '@vault-mcp/shared/errors';
import type { Mending } from '@vault-mcp/shared/link-repair/mend-file';
import type { Logger } from '@vault-mcp/shared/log';

/** Links named of one look. */
const NAMED = 50;

export class MendReport {
  readonly #logger: Logger;
  /** By path, why a file could not be changed, as it was last said. */
  readonly #refused = new Map<string, string>();
  #named = 0;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** @param written false: it is only what could be */
  add(path: string, { mended, left }: Mending, written: boolean): void {
    this.#refused.delete(path);
    const what = written ? 'a link leads where it led before' : 'vault-mcp doctor --fix-links would mend a link';
    for (const { line } of mended) this.#name(() => this.#logger.info({ path, line }, what));
    for (const { line, reason } of left) {
      this.#name(() => this.#logger.info({ path, line, reason }, 'a link is left as it is'));
    }
  }

  /** A file cannot be changed, or not now: said once until something else is to be said of it. */
  refuse(path: string, error: AppError): void {
    if (this.#refused.get(path) === error.message) return;
    this.#refused.set(path, error.message);
    this.#logger.warn({ err: error, path }, 'the links of a file are not mended');
  }

  end(): void {
    const more = this.#named - NAMED;
    if (more > 0) this.#logger.info({ more }, 'more links than are named here: vault-mcp doctor has them');
    this.#named = 0;
  }

  #name(log: () => void): void {
    if (this.#named++ < NAMED) log();
  }
}
