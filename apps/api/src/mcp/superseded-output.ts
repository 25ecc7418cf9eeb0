/** How tools that read a note answer which one stands for it now, so that it means the same in each. */
import { z } from 'zod';

export const supersededOutput = z
  .looseObject({ head: z.string().nullable() })
  .optional()
  .describe('Read the head instead; null: problem says why');
