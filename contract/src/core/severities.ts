import { z } from 'zod';

/** Most severe first (spec 9). */
export const severities = ['critical', 'high', 'medium', 'low', 'info'] as const;
export const severity = z.enum(severities);
export type Severity = z.infer<typeof severity>;

export const severityCounts = z.object({
  critical: z.number(),
  high: z.number(),
  medium: z.number(),
  low: z.number(),
  info: z.number(),
});
export type SeverityCounts = z.infer<typeof severityCounts>;
