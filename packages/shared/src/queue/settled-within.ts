/** Waiting for work to end, but only so long: what a graceful close needs. */

/**
 * @param work promises, however they settle
 * @param timeoutMs milliseconds to wait at most
 * @returns whether all settled in time
 */
export async function settledWithin(work: readonly Promise<unknown>[], timeoutMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs);
  });
  try {
    return await Promise.race([Promise.allSettled(work).then(() => true as const), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
