import { expect, test } from 'vitest';
import { type RemediationLimit, remediationDeadline } from './remediation.ts';

const days = (critical: number) => ({ critical, high: 0, medium: 0, low: 0, info: 0 });
const limits: RemediationLimit[] = [
  { repositories: ['api'], from: '2026-03-01T00:00:00Z', until: null, days: days(2) },
  { repositories: null, from: null, until: '2026-01-01T00:00:00Z', days: days(30) },
  { repositories: null, from: null, until: null, days: days(7) },
];
const found = (repositoryId: string, at: string) =>
  ({ repositoryId, discoveredAt: new Date(at), severity: 'critical' }) as const;

test('the first limit for the repository and the day of discovery applies', () => {
  expect(remediationDeadline(limits, found('api', '2026-03-01T00:00:00Z'))).toBe('2026-03-03T00:00:00.000Z');
  expect(remediationDeadline(limits, found('api', '2026-02-28T00:00:00Z'))).toBe('2026-03-07T00:00:00.000Z');
  expect(remediationDeadline(limits, found('site', '2026-03-01T00:00:00Z'))).toBe('2026-03-08T00:00:00.000Z');
  expect(remediationDeadline(limits, found('site', '2025-12-01T00:00:00Z'))).toBe('2025-12-31T00:00:00.000Z');
});

test('a severity without a limit, and no limits, have no deadline', () => {
  expect(remediationDeadline(limits, { ...found('api', '2026-03-01T00:00:00Z'), severity: 'high' })).toBeNull();
  expect(remediationDeadline([], found('api', '2026-03-01T00:00:00Z'))).toBeNull();
});
