import { z } from 'zod';
import { boundedText } from '../core/text.ts';

/** A member as the assignee of a finding. */
export const assignee = z.object({ id: z.string(), name: z.string(), picture: z.string().nullable() });

/** Lists separate labels by commas. */
export const findingLabel = boundedText(50)
  .trim()
  .min(1)
  .regex(/^[^,]*$/, { error: 'must contain no comma' });

/** Maximum number of labels of a finding. */
export const MAX_FINDING_LABELS = 20;
