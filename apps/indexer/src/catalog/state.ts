/** What can be said of the index page. Pure data: the indexer's report carries it to the api. */
import type { IndexerStatus } from '@vault-mcp/shared/index-db/rows';

export type CatalogState = IndexerStatus['indexDoc'];

/** @param isBuilt whether an earlier program has left a whole index behind, and with it a page */
export function pendingState(isBuilt: boolean): CatalogState {
  return { ok: isBuilt, state: 'pending', entries: 0, error: null, detail: null };
}

export function publishedState(entries: number): CatalogState {
  return { ok: true, state: 'published', entries, error: null, detail: null };
}

/**
 * The same where generated pages of other spellings stand beside what is the page, or beside a person's.
 *
 * @param spare their paths; none changes nothing
 */
export function besides(state: CatalogState, spare: readonly string[]): CatalogState {
  if (spare.length === 0) return state;
  const names = spare.map((path) => `"${path}"`).join(' and ');
  const said = `${names} was generated and is kept no more, since other systems take both names for one: delete it.`;
  return { ...state, detail: state.detail === null ? said : `${state.detail} ${said}`, spare };
}

export function emptyState(): CatalogState {
  return { ok: true, state: 'empty', entries: 0, error: null, detail: null };
}

export function disabledState(because: string): CatalogState {
  return { ok: true, state: 'disabled', entries: 0, error: null, detail: because };
}

/** @param because a sentence: what to do, if it was not meant */
export function forbiddenState(because: string): CatalogState {
  return { ...disabledState(because), forbidden: true };
}

export function failedState(error: string): CatalogState {
  return { ok: false, state: 'failed', entries: 0, error, detail: null };
}

/**
 * @param what stands in the page's place, as a sentence's beginning
 * @param handOver a sentence: what to do to have a generated one there
 */
export function foreignState(what: string, handOver: string): CatalogState {
  return { ok: true, state: 'foreign', entries: 0, error: null, detail: `${what}, so it is left alone. ${handOver}` };
}
