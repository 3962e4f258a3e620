import { expect, test } from 'vitest';
import { parseCensus } from '../ledger/census.ts';
import type { PolicyVersion } from './policies.ts';
import { recordsPaths } from './records.ts';
import { checkRemediations } from './remediation-check.ts';
import { remediationStoriesIn, remediationsIn, remediationText, retestedKind } from './remediations.ts';
import {
  appendEvaluation,
  appendRemediation,
  digestId,
  pause,
  policyId,
  remediationData,
  remediationId,
} from './testing/recorded.ts';
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
  const remediations = linesOf(bundle, recordsPaths.remediations);
  expect(
    remediations.map(({ subject, result, changes, retests }) => [subject, result, changes.length, retests.length]),
  ).toEqual([
    ['change:change_3', 'failed, remediated on 2026-07-05, retested on 2026-07-06 with result pass', 2, 2],
    ['change:change_10', 'failed, not stated as remediated, not retested', 1, 0],
  ]);
  expect(remediations[0]).toMatchObject({
    failure: { verdict: 'fail', reasons: ['no_independent_approval'], evaluation: { size: 5 } },
    retests: [
      { result: 'fail', by: 'per_owner', evaluation: null },
      { result: 'pass', by: null, evaluation: { size: 9 } },
    ],
  });
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
  expect(linesOf(bundle, recordsPaths.policies)).toHaveLength(4);
  for (const kind of [
    'audit.policy.',
    'audit.waiver.',
    'audit.finding.waiver_',
    'audit.remediation.',
    'control.evaluated',
    'audit.repository.',
    'repository.listed',
  ]) {
    const entries = contents.entries.filter(({ entry }) => !entry.includes(`"kind":"${kind}`));
    const disclosuresOf = (kept: readonly { index: number }[]) =>
      contents.disclosures.filter((one) => kept.some(({ index }) => index === one.index));
    expect(entries.length).toBeLessThan(contents.entries.length);
    const without = await verifyBundle(await bytesOf({ ...contents, entries, disclosures: disclosuresOf(entries) }), {
      keys: [key],
    });
    expect(without.sentence, kind).toMatch(
      /does not match the ledger entry of the snapshot|when its repository was enabled|repositories.jsonl does not match|the evaluation in the ledger does not match|refers to an evaluation that the ledger does not have/,
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
  expect(repositories.map(({ id, enabled }) => [id, enabled.length])).toEqual([
    ['repo_1', 2],
    ['repo_hidden', 0],
  ]);
  const report = await verifyBundle(bundle, { keys: [key] });
  expect(report.sentence).toContain('VALID: ');
  expect(report.limits.find((limit) => limit.startsWith('2 repositories were disabled'))).toContain(
    `acme/widgets (repo_1): the start to ${pause.from}, ${pause.to} to the end; acme/hidden (repo_hidden): not recorded`,
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

const failedOn = (at: string) => ({ evaluation: null, result: 'fail', at, by: 'per_owner', entry: 5 });
const stated = (isRemediated: boolean, at: string, entry: number) => ({
  owner: null,
  dueOn: null,
  ticketUrl: null,
  by: 'per_owner',
  isRemediated,
  at,
  entry,
});

test('states the last remediation after a failed retest, and none that was withdrawn', () => {
  const first = stated(true, '2026-07-01T10:00:00.000Z', 1);
  const retests = [failedOn('2026-07-02T10:00:00.000Z')];
  expect(remediationText({ changes: [first], retests: [] })).toBe('failed, remediated on 2026-07-01, not retested');
  expect(remediationText({ changes: [first], retests })).toBe(
    'failed, remediated on 2026-07-01, retested on 2026-07-02 with result fail',
  );
  const again = stated(true, '2026-07-04T10:00:00.000Z', 6);
  expect(remediationText({ changes: [first, again], retests })).toContain('remediated on 2026-07-04');
  const withdrawn = stated(false, '2026-07-05T10:00:00.000Z', 7);
  expect(remediationText({ changes: [first, again, withdrawn], retests })).toBe(
    'failed, not stated as remediated, retested on 2026-07-02 with result fail',
  );
});

test('lists a failure of an earlier period until its last retest passed', () => {
  const of = (from: string, to: string) => ({ period: { from, to }, repositories: null });
  const log = createTestLedger();
  appendChanges(log, 1);
  const subjectsIn = (from: string, to: string) =>
    remediationsIn(log.parsedEntries(), log.texts.length, of(from, to)).map(({ subject }) => subject);
  expect(subjectsIn('2026-07-01T00:00:00.000Z', '2026-10-01T00:00:00.000Z')).toEqual([
    'change:change_3',
    'change:change_10',
  ]);
  // The quarter before the failures, and the one after: one of them is still open.
  expect(subjectsIn('2026-04-01T00:00:00.000Z', '2026-07-01T00:00:00.000Z')).toEqual([]);
  expect(subjectsIn('2026-10-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z')).toEqual(['change:change_10']);
});

test('accepts a retest of a failure in an earlier epoch of the ledger only there', () => {
  const log = createTestLedger();
  const evaluation = appendEvaluation(log.append, { control: 'CHG-01', size: 2, at: '2026-07-02T03:17:00.000Z' });
  const data = { ...remediationData('change:change_3', evaluation), result: 'pass', evaluation: null };
  appendRemediation(log.append, remediationId, data, { at: '2026-07-03T09:00:00.000Z', kind: retestedKind });
  const entries = log.parsedEntries();
  const scope = { period: { from: '2026-07-01T00:00:00.000Z', to: '2026-10-01T00:00:00.000Z' }, repositories: null };
  const stories = remediationStoriesIn(entries, entries.length, scope);
  expect(() => checkRemediations(stories, entries, 1)).toThrow('has a retest without its failure');
  expect(() => checkRemediations(stories, entries, 2)).not.toThrow();
  expect(() => checkRemediations(stories, entries, 0)).toThrow('has a retest without its failure');
});
