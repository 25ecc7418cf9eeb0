/**
 * What it means for the page that it could not be written. Danger: whatever the owner may have meant by it (a page of his
 * own, a folder that nobody may change) is well and waits for him; whatever passes (a full disk) is a failure that shows.
 */
import { AppError } from '@vault-mcp/shared/errors';
import { GENERATED_KEY, GENERATOR, INDEX_PAGE } from '@vault-mcp/shared/vault/index-page';
import { type CatalogState, disabledState, failedState, forbiddenState, foreignState } from './state.ts';

const OF_A_PERSON =
  `To have the notes listed there, move it away, delete it, or, if it may be replaced, put the line ` +
  `"${GENERATED_KEY}: ${GENERATOR}" into its frontmatter.`;
const IN_THE_WAY = 'To have the notes listed there, move it away.';

/** A person's own page. */
export class ForeignPage extends Error {
  override readonly name = 'ForeignPage';
  readonly path: string;

  constructor(path: string) {
    super(`${path} is a person's own`);
    this.path = path;
  }
}

/** @throws what is nobody's fault outside of this program */
export function stateAfter(error: unknown): CatalogState {
  if (error instanceof ForeignPage) {
    return foreignState(`"${error.path}" is not marked as generated`, OF_A_PERSON);
  }
  if (!(error instanceof AppError)) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === undefined || !/^E[A-Z]+$/.test(code)) throw error;
    return failedState(`${INDEX_PAGE} could not be written (${code}): check the disk that holds the vault.`);
  }
  // A link in the page's place, or one whose name differs from it by its case.
  if (error.code === 'invalid_path' || error.code === 'already_exists') {
    return foreignState(error.message.replace(/\.$/, ''), IN_THE_WAY);
  }
  switch (error.code === 'out_of_scope' ? (error.cause as { code?: unknown } | undefined)?.code : undefined) {
    case 'EROFS':
      return disabledState('The vault is mounted read-only.');
    case 'EACCES':
    case 'EPERM':
      return forbiddenState(FORBIDDEN);
    default:
      return failedState(error.message);
  }
}

const FORBIDDEN =
  `The indexer has no permission to write ${INDEX_PAGE}: grant it write access to the vault's own folder, and to the page ` +
  'if there is one. If nobody is to write there, set catalog.enabled (CATALOG_ENABLED) to false.';

export function folderInTheWay(path: string): CatalogState {
  return foreignState(`"${path}" is a folder`, IN_THE_WAY);
}
