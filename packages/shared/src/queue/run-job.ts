/**
 * What both adapters do with a job once it is theirs: check the handlers are complete, parse the payload, call the
 * handler. Danger: name and payload come from outside this process and may be of another version, so nothing is
 * believed before it is parsed.
 */
import { z } from 'zod';
import { definitionOf, isJobName, JOBS, type JobName, type JobNameIn, type QueueName } from './jobs.ts';
import { type HandlersFor, type JobContext, type JobHandler, PermanentJobError } from './producer.ts';

/** @throws Error naming the jobs of `queue` without a handler, and handlers that are no job of it */
export function assertHandlersComplete<Q extends QueueName>(queue: Q, handlers: HandlersFor<Q>): void {
  const expected = Object.keys(JOBS).filter((name) => JOBS[name as JobName].queue === queue);
  const given = Object.keys(handlers).filter((name) => typeof handlers[name as JobNameIn<Q>] === 'function');
  const missing = expected.filter((name) => !given.includes(name));
  const foreign = Object.keys(handlers).filter((name) => !expected.includes(name));
  if (missing.length > 0) throw new Error(`Queue "${queue}" has no handler for: ${missing.join(', ')}.`);
  if (foreign.length > 0) throw new Error(`Queue "${queue}" has no such job: ${foreign.join(', ')}.`);
}

/**
 * Parses and runs one job.
 * @throws PermanentJobError for a name this queue does not know or a payload that does not parse; whatever the
 *   handler throws otherwise
 */
export async function runJob<Q extends QueueName>(
  handlers: HandlersFor<Q>,
  name: string,
  data: unknown,
  context: JobContext,
): Promise<void> {
  if (!isJobName(name) || !Object.hasOwn(handlers, name)) {
    throw new PermanentJobError(`"${name}" is no job of this queue; it was added by another version.`);
  }
  const parsed = definitionOf(name).payload.safeParse(data);
  if (!parsed.success) {
    throw new PermanentJobError(`The payload of "${name}" does not parse: ${z.prettifyError(parsed.error)}`);
  }
  // The table ties name, payload and handler together; indexing by a runtime name is what the compiler cannot follow.
  const handler = (handlers as unknown as Record<string, JobHandler<typeof name>>)[name];
  await handler?.(parsed.data, context);
}
