/** Whether work holds the event loop from its beginning to its end, as work on a thread of its own must not. */

/** @returns whether the event loop had a turn while `work` went on */
export async function letsOthersIn(work: () => Promise<unknown>): Promise<boolean> {
  let turned = false;
  const timer = setImmediate(() => {
    turned = true;
  });
  await work();
  clearImmediate(timer);
  return turned;
}
