/**
 * Notes by what their frontmatter says under a key. Danger: a flow acts on every note it is given, so a value is compared
 * exactly (checks/frontmatter-match), and a note that could not be asked is said to be left out.
 */
import { z } from 'zod';
import type { OperationContext } from '../context.ts';
import { dirInput, surveyFolder } from './survey-folder.ts';

export const findByFrontmatterInput = z.strictObject({
  key: z.string().min(1).max(200).describe('A key of the frontmatter, such as status; `a.b` is b within a.'),
  value: z
    .string()
    .max(1000)
    .optional()
    .describe('Exactly this value, or a list that holds it. Without it: every note that has the key.'),
  dir: dirInput,
});

export interface FoundByFrontmatter {
  /** In the order of their paths. */
  readonly notes: { readonly filename: string }[];
  /** Notes and folders that could not be asked, and why. */
  readonly left_out: readonly { readonly path: string; readonly reason: string }[];
}

/** @throws AppError not_found, not_a_directory, invalid_path, unreadable: of the folder */
export async function findByFrontmatter(
  context: Pick<OperationContext, 'vault' | 'config'>,
  { key, value, dir }: z.infer<typeof findByFrontmatterInput>,
): Promise<FoundByFrontmatter> {
  const { answer, leftOut } = await surveyFolder(context, dir, { about: 'frontmatter', key, value });
  return { notes: answer.paths.map((filename) => ({ filename })), left_out: leftOut };
}
