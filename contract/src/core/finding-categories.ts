import { z } from 'zod';

/** The category of a weakness, named after the kind of scanner that detects it (spec 9). */
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
