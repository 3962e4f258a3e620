import { z } from 'zod';

/** The category of a weakness, named after the kind of scanner that detects it (spec 9). */
export const findingCategories = ['sast', 'sca', 'iac', 'container', 'secret', 'scorecard'] as const;
export const findingCategory = z.enum(findingCategories);
export type FindingCategory = z.infer<typeof findingCategory>;

export const findingCategoryNames: Record<FindingCategory, string> = {
  sast: 'Code Security (SAST)',
  sca: 'Software Composition Analysis',
  iac: 'Infrastructure as Code',
  container: 'Container Security',
  secret: 'Secrets Management',
  scorecard: 'Security Scorecard',
};
