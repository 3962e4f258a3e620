import { expect, test } from 'vitest';
import { parseCensus } from '../ledger/census.ts';
import type { PolicyVersion } from './policies.ts';
import { recordsPaths } from './records.ts';
import { digestId, pause, policyId } from './testing/recorded.ts';
import { appendChanges, buildTestBundle, bytesOf, createTestLedger, key, type TestLedger } from './testing/scene.ts';
import { verifyBundle } from './verify.ts';
import { openZip } from './zip-read.ts';

const textOf = (bundle: Uint8Array, path: string) => new TextDecoder().decode(openZip(bundle).file(path));
const linesOf = (bundle: Uint8Array, path: string) =>
  textOf(bundle, path)
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

test('reports policies, waivers and digests of a bundle as the ledger has them', async () => {
  const log = createTestLedger();
  const { bundle } = await buildTestBundle(log, appendChanges(log, 30));
  const policies: PolicyVersion[] = linesOf(bundle, recordsPaths.policies);
  // Policies archived before the period are excluded.
  expect(policies.map(({ id, version, ended }) => [id, version, ended === null])).toEqual([
    [policyId, 2, false],
    [policyId, 3, false],
    [policyId, 4, false],
    [policyId, 5, true],
  ]);
  expect(policies[0]).toMatchObject({ mode: 'warn', settings: { 'CHG-01': { approvals: 2 } }, made: { by: null } });
  const waivers = linesOf(bundle, recordsPaths.waivers);
  expect(waivers.map(({ about, decided, ended }) => [about.id ?? about.finding, decided?.as, ended?.as])).toEqual([
    ['exc_1', 'approved', undefined],
    ['finding_1', undefined, undefined],
  ]);
  const digest = JSON.parse(textOf(bundle, `digests/${digestId}.json`));
  expect(digest.reviews.map(({ decision, completes }: Record<string, unknown>) => [decision, completes])).toEqual([
    ['follow_up', false],
    ['reviewed', true],
  ]);
  expect((await verifyBundle(bundle, { keys: [key] })).steps[7]?.message).toContain(
    '1 digest compared with the ledger',
  );
});

/** The index after the first census, which precedes the period. */
const afterFirstCensus = ({ parsedEntries }: TestLedger): number => {
  const census = parsedEntries().find(({ kind }) => kind === 'census');
  return census ? parseCensus(census.subject).to + 1 : 0;
};

test('requires evidence requested before the counted period to be disclosed', async () => {
  const log = createTestLedger();
  const rows = appendChanges(log, 60);
  const from = afterFirstCensus(log);
  expect(from).toBeGreaterThan(10);
  const { bundle, contents } = await buildTestBundle(log, rows, { from });
  const report = await verifyBundle(bundle, { keys: [key] });
  expect(report.sentence).toContain('VALID: ');
  expect(linesOf(bundle, recordsPaths.policies)).toHaveLength(3);
  for (const kind of [
    'audit.policy.',
    'audit.waiver.',
    'audit.finding.waiver_',
    'audit.repository.',
    'repository.listed',
  ]) {
    const entries = contents.entries.filter(({ entry }) => !entry.includes(`"kind":"${kind}`));
    expect(entries.length).toBeLessThan(contents.entries.length);
    const without = await verifyBundle(await bytesOf({ ...contents, entries }), { keys: [key] });
    expect(without.sentence, kind).toMatch(
      /does not match the ledger entry of the snapshot|when its repository was enabled|repositories.jsonl does not match|the evaluation in the ledger does not match/,
    );
  }
});

test('reports only digests of repositories in a narrowed bundle, and what it supersedes', async () => {
  const log = createTestLedger();
  const rows = appendChanges(log, 30);
  const elsewhere = await buildTestBundle(log, [], { repositories: ['elsewhere'] });
  expect(openZip(elsewhere.bundle).paths.filter((path) => path.startsWith('digests/'))).toEqual([]);
  expect((await verifyBundle(elsewhere.bundle, { keys: [key] })).steps[7]?.state).toBe('ok');
  const { bundle: later } = await buildTestBundle(log, rows, { supersedes: 'bundle_1' });
  expect(await verifyBundle(later, { keys: [key] })).toMatchObject({ valid: true });
  expect(JSON.parse(textOf(later, 'manifest.json')).supersedes).toBe('bundle_1');
});

test('lists the repositories that were disabled at some time of the period', async () => {
  const log = createTestLedger();
  const { bundle } = await buildTestBundle(log, appendChanges(log, 10));
  const repositories = linesOf(bundle, recordsPaths.repositories);
  // A repository that the host no longer listed before the period is excluded.
  expect(repositories.map(({ name, enabled }) => [name, enabled.length])).toEqual([
    ['acme/widgets', 2],
    ['acme/hidden', 0],
  ]);
  const report = await verifyBundle(bundle, { keys: [key] });
  expect(report.sentence).toContain('VALID: ');
  expect(report.limits.find((limit) => limit.startsWith('2 repositories were disabled'))).toContain(
    `acme/hidden (repo_hidden): not recorded; acme/widgets (repo_1): the start to ${pause.from}, ${pause.to} to the end`,
  );
  expect(linesOf(bundle, 'evidence/CHG-04.jsonl').map(({ verdict, reasons }) => [verdict, ...reasons])).toEqual([
    ['pass', 'protected_all_day'],
    ['missing_evidence', 'repository_disabled'],
    ...Array.from({ length: 4 }, () => ['pass', 'protected_all_day']),
  ]);
  expect(report.limits.find((limit) => limit.includes('not counted independently'))).toContain('SCN-02');
  expect(linesOf(bundle, 'evidence/SCN-02.jsonl').map(({ reasons }) => reasons)).toEqual([
    ['enabled_recently', 'repository_disabled'],
  ]);
});
