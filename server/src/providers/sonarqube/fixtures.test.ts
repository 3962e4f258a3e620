import { expect, test } from 'vitest';
import { createOutbound } from '#core/outbound.ts';
import { startJsonServer } from '#testing/json-server.ts';
import type { PartResult } from '../scanner-connector.ts';
import oldHotspot from './fixtures/hotspot-8.json' with { type: 'json' };
import hotspots from './fixtures/hotspots.json' with { type: 'json' };
import oldHotspots from './fixtures/hotspots-8.json' with { type: 'json' };
import issues from './fixtures/issues.json' with { type: 'json' };
import rule from './fixtures/rule.json' with { type: 'json' };
import { scanner } from './scanner.ts';

const scan = {
  id: '1',
  createdAt: new Date(0),
  branch: null,
  commit: null,
  repoUrl: null,
  complete: true,
  incomplete: [],
  parts: null,
};

/** `shown`: the answer for a single hotspot; undefined: 404. */
async function readResults(shown: unknown) {
  const { url, requests } = await startJsonServer(({ path }) => {
    const { pathname, searchParams: query } = new URL(path, 'http://host');
    if (pathname === '/api/hotspots/search') return query.get('status') === 'TO_REVIEW' ? oldHotspots : hotspots;
    const answers: Record<string, unknown> = {
      '/api/authentication/validate': { valid: true },
      '/api/issues/search': issues,
      '/api/hotspots/show': shown,
      '/api/rules/show': rule,
    };
    return answers[pathname];
  });
  const session = await scanner
    .create(createOutbound([url]), '')
    .open({ tenant: '', apiKey: 'token', baseURL: url }, true);
  const found: PartResult[] = [];
  for await (const page of session.results({ id: 'acme:widgets' }, scan)) found.push(...page);
  return { results: found.map(({ result }) => result), requests: requests.map(({ path }) => path) };
}

test('reads a vulnerability with its flow from source to sink', async () => {
  const { results } = await readResults(oldHotspot);
  expect(results[0]).toMatchObject({
    ruleId: 'pythonsecurity:S3649',
    title: 'Database queries should not be vulnerable to injection attacks',
    severity: 'critical',
    category: 'sast',
    path: 'src/db.py',
    line: 42,
    content: '0123456789abcdef0123456789abcdef',
    evidence: { region: { column: 5, endColumn: 29 } },
    flow: [{ line: 40 }, { line: 42 }],
    state: 'open',
    assessment: { language: 'Python' },
  });
});

test('reads the rule of a security hotspot from the hotspot itself if the list of an old version omits it', async () => {
  const { results, requests } = await readResults(oldHotspot);
  expect(results.slice(1)).toMatchObject([
    { ruleId: 'python:S2068', severity: 'high', cwes: [798, 259], path: 'src/db.py', line: 9, state: 'open' },
    { ruleId: 'python:S2068', state: 'suppressed', suppressed: { reason: 'safe' } },
  ]);
  expect(requests.filter((path) => path.startsWith('/api/hotspots/show'))).toEqual([
    '/api/hotspots/show?hotspot=AYsightline0002',
  ]);
});

test('does not omit a security hotspot whose rule is unknown', async () => {
  await expect(readResults(undefined)).rejects.toThrow('is not the API of SonarQube');
});
