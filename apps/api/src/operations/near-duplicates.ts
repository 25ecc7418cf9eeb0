/**
 * The pairs of notes that say nearly the same, as the index has them now. Danger: the first comparison takes seconds, so it
 * runs on a thread of its own, and its answer is kept as long as the index is the same.
 */
import type { IndexReader } from '@vault-mcp/shared/index-db/reader';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import type { NearDuplicatesAnswer } from '../checks/near-duplicates.ts';
import type { OperationContext } from '../context.ts';
import { surveyThreadOf } from './survey-folder.ts';

const kept = new WeakMap<
  IndexReader,
  { readonly generation: number; readonly answer: Promise<NearDuplicatesAnswer> }
>();

/** @throws AppError not_ready: there is no index, or it takes too long */
export async function nearDuplicates({
  vault,
  reader,
  config,
}: Pick<OperationContext, 'vault' | 'reader' | 'config'>): Promise<NearDuplicatesAnswer> {
  const generation = reader.generation();
  const last = kept.get(reader);
  if (last?.generation === generation) return last.answer;
  const request = { folder: '' as VaultPath, maxBytes: 0, ignore: [], readable: null };
  const asked = surveyThreadOf(vault, 'vectors').ask(request, {
    about: 'near-duplicates',
    indexPath: config.index.path,
  });
  const answer = asked.then((surveyed) => surveyed.answer);
  kept.set(reader, { generation, answer });
  answer.catch(() => {
    if (kept.get(reader)?.answer === answer) kept.delete(reader);
  });
  return answer;
}
