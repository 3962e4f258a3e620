import { expect, test } from 'vitest';
import { planHistory } from './history.ts';
import { demoRepositories } from './repositories.ts';

const hourMs = 3_600_000;

test('plans commits after the first one, throughout a week', { tags: ['full'] }, () => {
  const sunday = Date.UTC(2026, 10, 29);
  for (let hour = 0; hour < 7 * 24; hour += 3) {
    for (const [index, repository] of demoRepositories.entries()) {
      const until = sunday + hour * hourMs;
      const { commits } = planHistory(repository, { seed: 2026 + index, until, pullRequests: 80 });
      const [first] = commits;
      expect(Math.min(...commits.map(({ at }) => at))).toBe(first?.at);
      expect(Math.max(...commits.map(({ at }) => at))).toBeLessThanOrEqual(until);
    }
  }
});
