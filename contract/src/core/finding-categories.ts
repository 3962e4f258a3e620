import { z } from 'zod';

/** What kind of weakness it is, after the kind of scanner that looks for it (spec 9). */
export const categories = ['sast', 'sca', 'iac', 'container', 'secret', 'scorecard'] as const;
export const category = z.enum(categories);
export type Category = z.infer<typeof category>;

export const categoryNames: Record<Category, string> = {
  sast: 'Code Security (SAST)',
  sca: 'Software Composition Analysis',
  iac: 'Infrastructure as Code',
  container: 'Container Security',
  secret: 'Secrets Management',
  scorecard: 'Security Scorecard',
};
