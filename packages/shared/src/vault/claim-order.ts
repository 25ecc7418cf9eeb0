/**
 * Who comes before whom among the calls of one process that claim paths: a call waits for every earlier one that claims
 * the same path, all of a folder above it, or something below a folder that it claims whole. Pure. Danger: a thousand
 * calls may wait for one folder, so that coming and going must cost no more than the depth of a path.
 */

export interface ClaimedKey {
  /** Key of a path (pathKey), so that spellings of one name meet. */
  readonly key: string;
  /** Everything below it too. */
  readonly tree: boolean;
}

/** A call's place in the order. */
export interface Place<T> {
  readonly call: T;
  /** Counts up with every call that comes. */
  readonly arrival: number;
  readonly claims: readonly ClaimedKey[];
}

interface Standing<T> {
  readonly place: Place<T>;
  before: Standing<T> | undefined;
  after: Standing<T> | undefined;
}

/** Calls in order of arrival, any of which may leave at any time. */
class Line<T> {
  first: Standing<T> | undefined;
  last: Standing<T> | undefined;

  join(place: Place<T>): Standing<T> {
    const standing: Standing<T> = { place, before: this.last, after: undefined };
    if (this.last === undefined) this.first = standing;
    else this.last.after = standing;
    this.last = standing;
    return standing;
  }

  leave({ before, after }: Standing<T>): void {
    if (before === undefined) this.first = after;
    else before.after = after;
    if (after === undefined) this.last = before;
    else after.before = before;
  }
}

export class ClaimOrder<T> {
  #arrivals = 0;
  /** By key: those who claim just that path, those who claim all below it, and those who claim something below it. */
  readonly #at = new Map<string, Line<T>>();
  readonly #treesAt = new Map<string, Line<T>>();
  readonly #below = new Map<string, Line<T>>();
  readonly #present = new Map<Place<T>, Presence<T>>();

  /** Puts a call behind all that are there. */
  enter(call: T, claims: readonly ClaimedKey[]): Place<T> {
    const place = { call, claims, arrival: ++this.#arrivals };
    const presence: Presence<T> = { among: [], leaving: [] };
    const join = (lines: Map<string, Line<T>>, key: string): Standing<T> => {
      const line = lines.get(key) ?? new Line<T>();
      lines.set(key, line);
      const standing = line.join(place);
      presence.leaving.push(() => {
        line.leave(standing);
        if (line.first === undefined) lines.delete(key);
      });
      return standing;
    };
    for (const { key, tree } of claims) {
      presence.among.push(join(this.#at, key));
      if (tree) join(this.#treesAt, key);
      for (const folder of foldersAbove(key)) join(this.#below, folder);
    }
    this.#present.set(place, presence);
    return place;
  }

  /** An earlier call that this one has to wait for; it may have to wait for others when that one has left. */
  blockerOf(place: Place<T>): Place<T> | undefined {
    for (const standing of this.#present.get(place)?.among ?? []) {
      let { before } = standing;
      // A call that names one path twice does not wait for itself.
      while (before?.place === place) before = before.before;
      if (before !== undefined) return before.place;
    }
    for (const { key, tree } of place.claims) {
      const lines = foldersAbove(key).map((folder) => this.#treesAt.get(folder));
      if (tree) lines.push(this.#below.get(key));
      // The first is the earliest: when it is no earlier than this call, none is.
      for (const line of lines) {
        if (line?.first !== undefined && line.first.place.arrival < place.arrival) return line.first.place;
      }
    }
    return undefined;
  }

  leave(place: Place<T>): void {
    for (const leave of this.#present.get(place)?.leaving ?? []) leave();
    this.#present.delete(place);
  }
}

interface Presence<T> {
  /** For each claim, where the call stands among those of the same path. */
  readonly among: Standing<T>[];
  readonly leaving: (() => void)[];
}

/** Keys of the folders that a key is below, from the top down. */
export function foldersAbove(key: string): string[] {
  const segments = key.split('/');
  return segments.slice(1).map((_, i) => segments.slice(0, i + 1).join('/'));
}
