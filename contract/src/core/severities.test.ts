import { expect, test } from 'vitest';
import { findingCategoryNames } from './finding-categories.ts';
import { severities } from './severities.ts';

test('uses the severities and categories of the specification, section 9', () => {
  expect(severities).toEqual(['critical', 'high', 'medium', 'low', 'info']);
  expect(findingCategoryNames).toEqual({
    sast: 'Code Security (SAST)',
    sca: 'Software Composition Analysis',
    iac: 'Infrastructure as Code',
    container: 'Container Security',
    secret: 'Secrets Management',
    scorecard: 'Security Scorecard',
  });
});
