import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import { hourlySnapshots } from '@sightline/evidence/controls/testing/change-variants.ts';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { factId, newId } from '#core/ids.ts';
import { appendEntries, createLedgerEntry } from '#core/ledger.ts';
import type { Tx } from '#database/database.ts';
import { createTestRepository } from '#testing/findings.ts';
import { startTestServer, superuserUrl, type TestOrganization, type TestServer } from '#testing/server.ts';
import { sequenceAndSign } from '../../../ledger/ledger/commands.ts';
import { evaluatePopulation } from '../evaluate-population.ts';
import type { PopulationQuery } from './population.ts';

let server: TestServer;
let superuser: pg.Client;
let org: TestOrganization;
let repository: string;
beforeAll(async () => {
  server = await startTestServer();
  superuser = new pg.Client({ connectionString: superuserUrl(server.databaseUrl) });
  await superuser.connect();
});
beforeEach(async () => {
  org = await server.make.organization('Acme');
  repository = await createTestRepository(server, org);
  // The repository was enabled long ago, and its host reports.
  await setEnabled(true, ago(20));
  await snapshot(new Date().toISOString());
});
afterAll(async () => {
  await superuser.end();
  await server.close();
});

const day = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * day).toISOString();
// Every version of a record has the merge time of the first.
const mergedAt = ago(4);
const midnight = (days: number) => `${ago(days).slice(0, 10)}T00:00:00.000Z`;
const query = (tx: Tx, text: string, values: unknown[] = []) => tx.query({ name: '', text, values });

/** Writes a fact with its ledger entry, and passes the entry id. */
const fact = (write: (tx: Tx, id: string) => Promise<unknown>) =>
  server.services.database.withOrg(org.id, async (tx) => {
    const at = new Date().toISOString();
    const entry = {
      id: newId(),
      org: org.id,
      kind: 'test.fact',
      asOf: at,
      receivedAt: at,
      person: null,
      source: 'test',
    };
    await write(tx, entry.id);
    await appendEntries(tx, org.id, [createLedgerEntry({ ...entry, subject: {}, personal: {} }, undefined)]);
  });

const setEnabled = (isEnabled: boolean, at: string) =>
  fact((tx, id) =>
    query(
      tx,
      `insert into audit_event (org_id, id, at, actor_kind, actor_id, action, subject_kind, subject_id)
       values ($1, $2, $3, 'system', 'clock', $4, 'repository', $5)`,
      [org.id, id, at, isEnabled ? 'repository.enabled' : 'repository.disabled', repository],
    ),
  );

const known = (value: unknown) => ({ state: 'complete', value });
const [author, reviewer] = [newId(), newId()].map((person) => ({ kind: 'human', identity: 'resolved', person }));
const approval = (by = reviewer) => ({
  id: newId(),
  by,
  verdict: 'approved',
  submittedAt: ago(5),
  dismissedAt: known(null),
  commit: known('head'),
  byActiveMember: known(true),
  memberSince: known('2026-01-01T00:00:00.000Z'),
});
const parts = (other: object = {}) => ({
  headSha: known('head'),
  authors: known([author]),
  lastPusher: known(author),
  earlierPushers: known([]),
  unattestedCommits: known(0),
  unreviewedFiles: known(0),
  hostActivity: known('pull_request_merge'),
  lastPushAt: known(ago(6)),
  sessionOwners: known([]),
  reviews: known([approval()]),
  mergedBy: known(author),
  mergeRequestedBy: { state: 'missing' },
  checks: known([]),
  requiredChecks: known([]),
  sourceBranch: known('next'),
  labels: known([]),
  tickets: known([]),
  linkedIssues: known(1),
  ai: known([]),
  agents: known([]),
  pathMatches: known([]),
  changedLines: known(12),
  configuredServers: known([]),
  ...other,
});

interface RecordedChange {
  id?: string;
  version?: number;
  mergeMethod?: string;
  branch?: string;
  number?: number | null;
}
const addRecord = (
  made: object,
  { id = newId(), version = 1, mergeMethod = 'pull_request', branch = 'main', number = 1 }: RecordedChange = {},
) =>
  fact((tx, entry) =>
    query(
      tx,
      `insert into change_record (org_id, id, version, repository_id, branch, is_default_branch, merge_method, number, merged_at, parts, sources,
         authors, persons, missing, approval, has_agent, cause, entry_id)
       values ($1, $2, $3, $4, $5, $5 = 'main', $6, $7, $8, $9, '{}', '{}', '{}', '{}', 'unknown', false, 'merge', $10)`,
      [org.id, id, version, repository, branch, mergeMethod, number, mergedAt, JSON.stringify(made), entry],
    ),
  );

interface TestPush {
  id?: string;
  version?: number;
  forced?: string;
  completeness?: string;
  commits?: string[];
}
const addPush = ({ id = newId(), version = 1, forced = 'no', completeness = 'complete', commits = [] }: TestPush) =>
  fact((tx, entry) =>
    query(
      tx,
      `insert into branch_push (org_id, id, version, repository_id, branch, before_sha, after_sha, pushed_at, time_source, forced, completeness,
         commits, source, activity, entry_id)
       values ($1, $2, $3, $4, 'main', 'a', 'b', $5, 'host', $6, $7, $8, 'webhook', 'pull_request_merge', $9)`,
      [org.id, id, version, repository, ago(4), forced, completeness, commits, entry],
    ),
  );
const addReachedCommit = (
  push: string,
  sha: string,
  cameBy: string,
  { version = 1, number = null as number | null } = {},
) =>
  fact((tx, entry) =>
    query(
      tx,
      `insert into reached_commit (org_id, repository_id, branch, push_id, sha, version, reached_by, number, entry_id)
       values ($1, $2, 'main', $3, $4, $5, $6, $7, $8)`,
      [org.id, repository, push, sha, version, cameBy, number, entry],
    ),
  );
const rules = {
  requiredReviews: known(1),
  dismissesStaleReviews: known(true),
  allowsForcePush: known(false),
  allowsDeletion: known(false),
  includesAdmins: known(true),
  requiredChecks: known([]),
  requiredCheckCount: known(1),
  requiredApps: known([]),
  unboundChecks: known(1),
};
const snapshot = (at: string, other: object = {}) =>
  fact((tx, entry) =>
    query(
      tx,
      `insert into protection_snapshot (org_id, id, repository_id, branch, captured_at, trigger, state, rules, entry_id)
       values ($1, $2, $3, 'main', $4, 'poll', 'read', $5, $6)`,
      [org.id, newId(), repository, at, JSON.stringify({ ...rules, ...other }), entry],
    ),
  );

const period = { from: midnight(10), to: midnight(-1) };

async function queryAt(span = period): Promise<PopulationQuery> {
  const checkpoint = await sequenceAndSign(server.services.ledger, org.id);
  if (!checkpoint) throw new Error('no checkpoint');
  const { epoch, size, signedAt } = checkpoint;
  return { orgId: org.id, period: span, asOf: { epoch, size, at: signedAt.toISOString() } };
}
async function evaluate(id: ControlId, at?: PopulationQuery) {
  const now = at ?? (await queryAt());
  const { run } = await server.services.database.withOrg(org.id, (tx) => evaluatePopulation(tx, now, id));
  return { ...run, verdicts: run.rows.map(({ verdict, reasons }) => [verdict, ...reasons].join(' ')) };
}

describe('the population of change controls', () => {
  test('contains each change in its latest version at the ledger size', async () => {
    const id = factId('change', repository, 1);
    await addRecord(parts({ reviews: known([]) }), { id });
    const then = await queryAt();
    expect(await evaluate('CHG-01', then)).toMatchObject({
      verdicts: ['fail no_independent_approval'],
      status: 'failing',
      rows: [{ subject: `change:${id}`, leaf: expect.any(Number) }],
    });
    await addRecord(parts(), { id, version: 2 });
    await addRecord(parts({ reviews: { state: 'missing' } }));
    expect((await evaluate('CHG-01')).verdicts.toSorted()).toEqual([
      'missing_evidence reviews_missing',
      'pass independent_approval',
    ]);
    expect((await evaluate('CHG-01', then)).verdicts).toEqual(['fail no_independent_approval']);
  });

  test('contains a direct push for CHG-01 and none for pull request controls', async () => {
    await addRecord(parts({ reviews: known([]) }), { mergeMethod: 'direct_push', number: null });
    expect((await evaluate('CHG-01')).verdicts).toEqual(['fail direct_push no_independent_approval']);
    for (const id of ['CHG-03', 'CHG-05', 'CHG-06'] as const)
      expect((await evaluate(id)).status).toBe('not_applicable');
  });

  test('covers all facts of a merge: merger, checks, tickets and agents', async () => {
    await addRecord(parts({ reviews: known([]), requiredChecks: known(['build']), linkedIssues: known(0) }));
    expect((await evaluate('CHG-03')).verdicts).toEqual(['fail merged_by_author no_independent_approval']);
    expect((await evaluate('CHG-05')).verdicts).toEqual(['fail required_check_missing']);
    expect((await evaluate('CHG-06')).verdicts).toEqual(['fail no_ticket']);
    expect((await evaluate('AI-01')).status).toBe('not_applicable');
    await addRecord(parts({ ai: known([{ lines: 3, confidence: 'declared' }]) }));
    expect((await evaluate('AI-01')).verdicts).toEqual(['pass agent_observation_missing independent_approval']);
  });

  test('CHG-05 is not applicable without a required check, and fails if one was disabled shortly before', async () => {
    await addRecord(parts());
    expect((await evaluate('CHG-05')).status).toBe('not_applicable');
    await snapshot(new Date(Date.parse(mergedAt) - 2 * 3_600_000).toISOString(), { requiredChecks: known(['lint']) });
    expect((await evaluate('CHG-05')).status).toBe('not_applicable');
    await snapshot(new Date(Date.parse(mergedAt) - 3_600_000).toISOString(), { requiredChecks: known(['build']) });
    const run = await evaluate('CHG-05');
    expect(run.verdicts).toEqual(['fail required_check_disabled']);
    // The row depends on the change and on the snapshot before it.
    expect(run.rows[0]?.leaves).toHaveLength(2);
  });

  test('CHG-05 fails if builds without names were switched off shortly before', async () => {
    await addRecord(parts());
    const unnamed = { requiredChecks: { state: 'missing' }, requiredCheckCount: known(2) };
    await snapshot(new Date(Date.parse(mergedAt) - 2 * 3_600_000).toISOString(), unnamed);
    await snapshot(new Date(Date.parse(mergedAt) - 60_000).toISOString(), {
      requiredChecks: { state: 'missing' },
      requiredCheckCount: known(0),
    });
    expect((await evaluate('CHG-05')).status).toBe('not_applicable');
    await snapshot(new Date(Date.parse(mergedAt) - 3_600_000).toISOString(), unnamed);
    expect((await evaluate('CHG-05')).verdicts).toEqual(['fail required_check_disabled']);
  });

  test('excludes branches that no setting names', async () => {
    await addRecord(parts(), { branch: 'try' });
    expect((await evaluate('CHG-01')).status).toBe('not_applicable');
  });
});

describe('CHG-02', () => {
  test('has an item for each commit of a push and one for its unknown part', async () => {
    const [direct, lost, part] = [newId(), newId(), newId()];
    await addPush({ id: direct, commits: ['a', 'b', 'c'] });
    await addReachedCommit(direct, 'a', 'none');
    await addReachedCommit(direct, 'b', 'merged_pull_request', { number: 1 });
    await addPush({ id: lost, completeness: 'lost', forced: 'unknown' });
    await addPush({ id: part, completeness: 'truncated', forced: 'yes', commits: ['d'] });
    await addReachedCommit(part, 'd', 'merged_pull_request', { number: 2 });
    const run = await evaluate('CHG-02');
    expect(Object.fromEntries(run.rows.map(({ subject }, at) => [subject, run.verdicts[at]]))).toEqual({
      [`commit:${direct}:a`]: 'fail direct_push',
      [`commit:${direct}:b`]: 'pass by_pull_request',
      [`commit:${direct}:c`]: 'missing_evidence merge_method_unknown',
      [`push:${lost}`]: 'missing_evidence force_unknown merge_method_unknown push_lost',
      [`commit:${part}:d`]: 'fail forced_push',
      [`push:${part}`]: 'fail forced_push',
    });
    expect(run.completeness).toEqual([{ source: 'pushes', isIndependent: true, expected: 3, found: 1 }]);
  });

  test('clears a loss once the lost pushes are known, not before', async () => {
    const [lost, found] = [newId(), newId()];
    await addPush({ id: lost, completeness: 'lost', forced: 'unknown' });
    const then = await queryAt();
    await addPush({ id: found, commits: ['a'] });
    await addReachedCommit(found, 'a', 'merged_pull_request', { number: 1 });
    await addPush({ id: lost, version: 2, completeness: 'recovered', forced: 'unknown' });
    expect(await evaluate('CHG-02')).toMatchObject({
      verdicts: ['pass by_pull_request'],
      status: 'passing',
      completeness: [{ expected: 1, found: 1 }],
    });
    expect(await evaluate('CHG-02', then)).toMatchObject({
      verdicts: ['missing_evidence force_unknown merge_method_unknown push_lost'],
      status: 'missing_evidence',
    });
  });

  test('uses facts about a commit recorded later', async () => {
    const push = newId();
    await addPush({ id: push, commits: ['a'] });
    await addReachedCommit(push, 'a', 'unknown');
    expect((await evaluate('CHG-02')).verdicts).toEqual(['missing_evidence merge_method_unknown']);
    await addReachedCommit(push, 'a', 'merged_pull_request', { version: 2, number: 1 });
    expect((await evaluate('CHG-02')).verdicts).toEqual(['pass by_pull_request']);
  });
});

describe('an incomplete population of changes', () => {
  test('is reported when commits came by a pull request without a record', async () => {
    const push = newId();
    await addPush({ id: push, commits: ['a'] });
    await addReachedCommit(push, 'a', 'merged_pull_request', { number: 7 });
    await addRecord(parts(), { number: 1 });
    expect(await evaluate('CHG-01')).toMatchObject({
      status: 'missing_evidence',
      counts: { pass: 1, missing_evidence: 0 },
      completeness: [
        { source: 'pushes', expected: 1, found: 1 },
        { source: 'pull_requests', expected: 1, found: 0 },
      ],
    });
    await addRecord(parts(), { number: 7 });
    expect(await evaluate('CHG-01')).toMatchObject({
      status: 'passing',
      completeness: [{}, { expected: 1, found: 1 }],
    });
  });

  test('is reported when the code host of an enabled repository stops reporting', async () => {
    await addRecord(parts());
    const then = await queryAt();
    expect((await evaluate('CHG-01', then)).status).toBe('passing');
    await superuser.query(`update protection_snapshot set captured_at = now() - interval '3 days' where org_id = $1`, [
      org.id,
    ]);
    expect(await evaluate('CHG-01')).toMatchObject({
      status: 'missing_evidence',
      completeness: [{ expected: null }, {}],
    });
    // It does not become complete by disabling the repository.
    await setEnabled(false, new Date(Date.now() - 60_000).toISOString());
    expect((await evaluate('CHG-01')).status).toBe('missing_evidence');
    // A repository that was disabled for good needs reports only until then.
    await superuser.query(
      `update audit_event set at = now() - interval '2 days 12 hours' where org_id = $1 and action = 'repository.disabled'`,
      [org.id],
    );
    expect((await evaluate('CHG-01')).status).toBe('passing');
  });
});

describe('CHG-04', () => {
  const span = { from: midnight(3), to: midnight(0) };
  /** The branch protection as read every hour of a day, from half an hour before it. */
  const readHourly = async (days: number) => {
    for (const { capturedAt } of hourlySnapshots(midnight(days).slice(0, 10))) await snapshot(capturedAt);
  };

  test('has an item per branch and day, from its snapshots and the last one before', async () => {
    await readHourly(3);
    await snapshot(`${midnight(2).slice(0, 10)}T00:00:00.000Z`, { allowsForcePush: known(true) });
    await snapshot(`${midnight(1).slice(0, 10)}T01:00:00.000Z`, { includesAdmins: { state: 'missing' } });
    const run = await evaluate('CHG-04', await queryAt(span));
    expect(run.rows.map(({ subject }) => subject)).toEqual(
      [3, 2, 1].map((days) => `branch:${repository}:${midnight(days).slice(0, 10)}:main`),
    );
    expect(run.verdicts).toEqual([
      'pass protected_all_day',
      'fail force_push_allowed',
      'missing_evidence protection_incomplete protection_stale',
    ]);
    expect(run.rows[0]?.leaves).toHaveLength(25);
    expect(run.completeness).toEqual([{ source: 'protection', isIndependent: true, expected: 1, found: 1 }]);
  });

  test('reports missing evidence on every day when branch protection was never read', async () => {
    const run = await evaluate('CHG-04', await queryAt(span));
    expect(run.verdicts).toEqual(
      Array.from({ length: 3 }, () => 'missing_evidence protection_missing protection_stale'),
    );
    expect(run.completeness).toEqual([{ source: 'protection', isIndependent: true, expected: 1, found: 0 }]);
  });

  test('keeps a day on which the repository was disabled for 30 seconds', async () => {
    const day = midnight(2).slice(0, 10);
    for (const days of [3, 2, 1]) await readHourly(days);
    await snapshot(`${day}T09:00:00.000Z`, { allowsForcePush: known(true) });
    const failing = await evaluate('CHG-04', await queryAt(span));
    expect(failing.verdicts).toEqual(['pass protected_all_day', 'fail force_push_allowed', 'pass protected_all_day']);
    for (const days of [2, 1]) {
      await setEnabled(false, `${midnight(days).slice(0, 10)}T10:00:00.000Z`);
      await setEnabled(true, `${midnight(days).slice(0, 10)}T10:00:30.000Z`);
    }
    const paused = await evaluate('CHG-04', await queryAt(span));
    expect(paused.rows.map(({ subject }) => subject)).toEqual(failing.rows.map(({ subject }) => subject));
    expect(paused.verdicts[1]).toBe('fail force_push_allowed');
    expect(paused.verdicts[2]).toBe('missing_evidence repository_disabled');
    expect(paused.completeness).toEqual(failing.completeness);
  });

  test('ends when the repository was disabled for good', async () => {
    await setEnabled(false, `${midnight(2).slice(0, 10)}T10:00:00.000Z`);
    const ended = (await evaluate('CHG-04', await queryAt(span))).rows.map(({ subject }) => subject);
    expect(ended).toHaveLength(2);
    await setEnabled(true, new Date(Date.now() - 60_000).toISOString());
    const resumed = await evaluate('CHG-04', await queryAt(span));
    expect(resumed.verdicts).toHaveLength(3);
    expect(resumed.verdicts[2]).toContain('repository_disabled');
  });

  test('excludes the day on which the repository was enabled first', async () => {
    await superuser.query(`update audit_event set at = $2 where org_id = $1 and action = 'repository.enabled'`, [
      org.id,
      `${midnight(2).slice(0, 10)}T10:00:00.000Z`,
    ]);
    expect((await evaluate('CHG-04', await queryAt(span))).rows.map(({ subject }) => subject)).toEqual([
      `branch:${repository}:${midnight(1).slice(0, 10)}:main`,
    ]);
  });
});

describe('the default branch', () => {
  /** Renames the default branch at a time, with its audit entry. */
  const renameDefaultBranch = async (at: string, before: string, after: string) => {
    await superuser.query('update repository set default_branch = $2 where id = $1', [repository, after]);
    await fact((tx, id) =>
      query(
        tx,
        `insert into audit_event (org_id, id, at, actor_kind, actor_id, action, subject_kind, subject_id, data)
         values ($1, $2, $3, 'integration', 'github', 'repository.renamed', 'repository', $4, $5)`,
        [
          ...[org.id, id, at, repository],
          JSON.stringify({ before: { defaultBranch: before }, after: { defaultBranch: after } }),
        ],
      ),
    );
  };

  test('of a push is the one at that time, also re-evaluated after a rename', async () => {
    const push = newId();
    await addPush({ id: push, commits: ['a'] });
    await addReachedCommit(push, 'a', 'none');
    const then = await queryAt();
    const before = await evaluate('CHG-02', then);
    expect(before.counts).toMatchObject({ population: 1, fail: 1 });
    await renameDefaultBranch(ago(1), 'main', 'trunk');
    expect((await evaluate('CHG-02', then)).rows).toEqual(before.rows);
    expect((await evaluate('CHG-02')).rows).toEqual(before.rows);
    // If it was renamed before the push, the pushed branch was not in scope.
    await superuser.query(`update audit_event set at = $2 where org_id = $1 and action = 'repository.renamed'`, [
      org.id,
      ago(6),
    ]);
    expect((await evaluate('CHG-02')).counts).toMatchObject({ population: 0 });
  });

  test('of a day is every branch that was the default on that day', async () => {
    await renameDefaultBranch(`${midnight(2).slice(0, 10)}T10:00:00.000Z`, 'main', 'trunk');
    const rows = (await evaluate('CHG-04', await queryAt({ from: midnight(3), to: midnight(0) }))).rows;
    expect(rows.map(({ subject }) => subject.split(':').slice(2).join(' ')).sort()).toEqual(
      [
        `${midnight(3).slice(0, 10)} main`,
        ...[`${midnight(2).slice(0, 10)} main`, `${midnight(2).slice(0, 10)} trunk`],
        `${midnight(1).slice(0, 10)} trunk`,
      ].sort(),
    );
  });
});
