/**
 * Work on one path in turn, on different paths side by side. Danger: of two jobs for one path the one that read the
 * older bytes could store last, and the index would be wrong until the next reconcile.
 */

export type PathTurns = <T>(key: string, work: () => Promise<T>) => Promise<T>;

export function createPathTurns(): PathTurns {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key);
    // A failure is its own caller's; the next in turn goes on.
    const turn = before ? before.then(work, work) : work();
    last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (last.get(key) === turn) last.delete(key);
    }
  };
}
