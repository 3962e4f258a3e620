import { randomUUID } from 'node:crypto';
import { createPolicy, dryRunProposedPolicy, type PolicyKind } from '@sightline/contract/compliance/policies.ts';
import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import { deactivateMember } from '@sightline/contract/organization/members.ts';
import { sendHeartbeat } from '@sightline/contract/tools/presence.ts';
import { dismissFindings } from '@sightline/contract/vulnerabilities/triage.ts';
import { decideWaiver, requestFindingWaivers } from '@sightline/contract/vulnerabilities/waivers.ts';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { factId, newId } from '#core/ids.ts';
import { appendEntries, createLedgerEntry } from '#core/ledger.ts';
import type { Tx } from '#database/database.ts';
import { createScanResult, createTestRepository, createTestScanner } from '#testing/findings.ts';
import { approvePolicyChange } from '#testing/policies.ts';
import {
  startTestServer,
  superuserUrl,
  type TestAccount,
  type TestOrganization,
  type TestServer,
} from '#testing/server.ts';
import { sequenceEntries } from '../../../ledger/ledger/sequence.ts';
import { recordDailySightings } from '../../../tools/tools/sightings.ts';
import { evaluatePopulation } from '../evaluate-population.ts';

let server: TestServer;
let org: TestOrganization;
// Histories are append-only: only a superuser can backdate them.
let superuser: pg.Client;
beforeAll(async () => {
  server = await startTestServer();
  superuser = new pg.Client({ connectionString: superuserUrl(server.databaseUrl) });
  await superuser.connect();
});
beforeEach(async () => {
  org = await server.make.organization('Acme');
  // As if the organization existed for a long time.
  await inOrg((tx) =>
    query(tx, `update organization set created_at = now() - interval '1 year' where id = $1`, [org.id]),
  );
});
afterAll(async () => {
  await superuser.end();
  await server.close();
});

const day = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * day).toISOString();
const inOrg = <Answer>(work: (tx: Tx) => Promise<Answer>) => server.services.database.withOrg(org.id, work);
const query = (tx: Tx, text: string, values: unknown[] = []) =>
  tx.query<Record<string, never>>({ name: '', text, values });

/** Queues a ledger entry for a fact. */
async function fact(tx: Tx, id = newId()): Promise<string> {
  const at = new Date().toISOString();
  const entry = { id, org: org.id, kind: 'test.fact', asOf: at, receivedAt: at, person: null, source: 'test' };
  await appendEntries(tx, org.id, [createLedgerEntry({ ...entry, subject: {}, personal: {} }, undefined)]);
  return id;
}

/** The checkpoint after all pending entries are in the ledger. */
async function currentCheckpoint(): Promise<{ epoch: number; size: number; at: string }> {
  while ((await sequenceEntries(server.services.ledger, org.id)) > 0);
  const [head] = await inOrg((tx) =>
    tx.query<{ size: number }>({ name: '', text: 'select size from ledger_log where org_id = $1', values: [org.id] }),
  );
  return { epoch: 1, size: Number(head?.size ?? 0), at: new Date().toISOString() };
}

const period = { from: ago(60), to: new Date(Date.now() + day).toISOString() };

/** Verdicts and reasons by subject. */
async function evaluate(id: ControlId, asOf?: { epoch: number; size: number; at: string }, span = period) {
  const at = asOf ?? (await currentCheckpoint());
  const { run } = await inOrg((tx) => evaluatePopulation(tx, { orgId: org.id, period: span, asOf: at }, id));
  return Object.fromEntries(
    run.rows.map(({ subject, verdict, reasons }) => [subject, [verdict, ...reasons].join(' ')]),
  );
}
const verdictsOf = async (...args: Parameters<typeof evaluate>) => Object.values(await evaluate(...args));

describe('SCN-01', () => {
  const [head, merge] = ['a'.repeat(40), 'b'.repeat(40)];
  const addMerge = (repository: string, at = ago(3)) =>
    inOrg(async (tx) => {
      await query(
        tx,
        `insert into change_record (org_id, id, version, repository_id, branch, is_default_branch, merge_method, number, merged_at, merge_sha, head_sha,
           parts, sources, persons, authors, missing, approval, has_agent, cause, entry_id)
         values ($1, $2, 1, $3, 'main', true, 'pull_request', 1, $4, $5, $6, '{}', '{}', '{}', '{}', '{}', 'unknown', false, 'merge', $7)`,
        [org.id, newId(), repository, at, merge, head, await fact(tx)],
      );
    });

  test('passes a merge with a scanned head; fails one without a run when builds report them', {
    tags: 'full',
  }, async () => {
    const repository = await createTestRepository(server, org);
    const { send } = await createTestScanner(server, org, repository);
    await addMerge(repository);
    expect(await verdictsOf('SCN-01')).toEqual(['missing_evidence scanner_not_configured scans_missing']);
    await send([createScanResult()], { commit: 'c'.repeat(40) });
    const before = await currentCheckpoint();
    expect(await verdictsOf('SCN-01')).toEqual(['missing_evidence scanner_not_configured scans_missing']);
    await inOrg((tx) => query(tx, `update scan set finished_at = now() - interval '4 days'`));
    expect(await verdictsOf('SCN-01')).toEqual(['fail not_scanned']);
    await send([createScanResult()], { commit: head });
    await inOrg((tx) => query(tx, `update scan set finished_at = now() - interval '4 days'`));
    expect(await verdictsOf('SCN-01')).toEqual(['pass scanned']);
    expect(await verdictsOf('SCN-01', before)).toEqual(['fail not_scanned']);
  });

  test('reports missing evidence for a merge without a run when not all runs are reported', async () => {
    const repository = await createTestRepository(server, org);
    await inOrg(async (tx) => {
      await query(
        tx,
        `insert into alert_reading (org_id, repository_id, source, state) values ($1, $2, 'code_scanning', 'read')`,
        [org.id, repository],
      );
    });
    await superuser.query(`update scanner_state_change set at = now() - interval '9 days'`);
    await addMerge(repository);
    expect(await verdictsOf('SCN-01')).toEqual(['missing_evidence scans_missing']);
    await inOrg((tx) => query(tx, `update alert_reading set state = 'forbidden'`));
    await superuser.query(`update scanner_state_change set at = now() - interval '8 days' where state = 'forbidden'`);
    expect(await verdictsOf('SCN-01')).toEqual(['missing_evidence scanner_failing scans_missing']);
  });
});

test('records the state of a scanner and its repositories once per change', async () => {
  const repository = await createTestRepository(server, org);
  const states = () =>
    inOrg((tx) =>
      tx.query<{ state: string; whole: boolean; held: boolean }>({
        name: '',
        text: `select c.state, c.repository_id is null as whole, exists (select from ledger_known k where k.org_id = c.org_id and k.entry_id = c.entry_id) as held
               from scanner_state_change c where c.org_id = $1 order by c.at`,
        values: [org.id],
      }),
    );
  const change = (text: string) => inOrg((tx) => query(tx, text, [org.id]));
  await inOrg((tx) =>
    query(
      tx,
      `insert into integration (org_id, name, status, settings, hook, created_by) values ($1, 'checkmarx', 'active', '{}', gen_random_uuid(), $2)`,
      [org.id, org.owner.id],
    ),
  );
  await inOrg((tx) =>
    query(
      tx,
      `insert into scanner_project (org_id, integration, external_id, name, repository_id, matched_by) values ($1, 'checkmarx', '1', 'api', $2, 'url')`,
      [org.id, repository],
    ),
  );
  await change(`update integration set status = 'error' where org_id = $1`);
  await change(`update integration set status = 'error' where org_id = $1`);
  await change(`update scanner_project set removed_at = now() where org_id = $1`);
  expect(await states()).toEqual([
    { state: 'working', whole: true, held: true },
    { state: 'working', whole: false, held: true },
    { state: 'failing', whole: true, held: true },
    { state: 'not_configured', whole: false, held: true },
  ]);
});

const enableLongAgo = (repository: string) =>
  inOrg(async (tx) =>
    query(
      tx,
      `insert into audit_event (org_id, id, at, actor_kind, actor_id, action, subject_kind, subject_id)
       values ($1, $2, now() - interval '90 days', 'account', $3, 'repository.enabled', 'repository', $4)`,
      [org.id, await fact(tx), org.owner.id, repository],
    ),
  );

test('SCN-02: fails a week without a run, with no item before the repository was enabled', {
  tags: 'full',
}, async () => {
  const repository = await createTestRepository(server, org);
  const { send } = await createTestScanner(server, org, repository);
  const span = { from: ago(21), to: ago(0) };
  await enableLongAgo(repository);
  expect(new Set(await verdictsOf('SCN-02', undefined, span))).toEqual(
    new Set(['missing_evidence scanner_not_configured']),
  );
  await send([], { commit: 'c'.repeat(40) });
  await inOrg((tx) => query(tx, `update scan set finished_at = now() - interval '40 days'`));
  expect(new Set(await verdictsOf('SCN-02', undefined, span))).toEqual(new Set(['fail scan_too_old']));
  const before = await currentCheckpoint();
  await send([], { commit: 'd'.repeat(40) });
  await inOrg((tx) => query(tx, `update scan set finished_at = now() - interval '7 days' where commit_sha like 'd%'`));
  expect(await verdictsOf('SCN-02', undefined, span)).toContain('pass scan_fresh');
  expect(await verdictsOf('SCN-02', before, span)).not.toContain('pass scan_fresh');
});

describe('a renamed default branch', () => {
  /** Records the rename with the audit entry of the code host. */
  const rename = (repository: string, before: string, after: string, at: string) =>
    inOrg(async (tx) => {
      await query(tx, 'update repository set default_branch = $3 where org_id = $1 and id = $2', [
        ...[org.id, repository, after],
      ]);
      await query(
        tx,
        `insert into audit_event (org_id, id, at, actor_kind, actor_id, action, subject_kind, subject_id, data)
         values ($1, $2, $3, 'integration', 'github', 'repository.renamed', 'repository', $4, $5)`,
        [
          ...[org.id, await fact(tx), at, repository],
          JSON.stringify({ before: { defaultBranch: before }, after: { defaultBranch: after } }),
        ],
      );
    });

  test('SCN-02: uses runs on the branch that was the default when each ended', { tags: 'full' }, async () => {
    const repository = await createTestRepository(server, org);
    const { send } = await createTestScanner(server, org, repository);
    const span = { from: ago(14), to: ago(0) };
    await enableLongAgo(repository);
    const setEnd = (commit: string, days: number) =>
      inOrg((tx) =>
        query(tx, `update scan set finished_at = now() - make_interval(days => $1) where commit_sha like $2 || '%'`, [
          days,
          commit,
        ]),
      );
    // One run every three days, so that each week has one.
    const run = async (commit: string, days: number, branch: string) => {
      await send([], { commit: commit.repeat(40), ref: `refs/heads/${branch}` });
      await setEnd(commit, days);
    };
    for (const [index, commit] of ['1', '2', '3', '4'].entries()) await run(commit, 20 - 3 * index, 'main');
    const before = await currentCheckpoint();
    const then = await verdictsOf('SCN-02', before, { from: ago(14), to: ago(7) });
    expect(new Set(then)).toEqual(new Set(['pass scan_fresh']));
    await rename(repository, 'main', 'trunk', ago(10));
    expect(await verdictsOf('SCN-02', before, { from: ago(14), to: ago(7) })).toEqual(then);
    await run('5', 8, 'trunk');
    await run('6', 5, 'trunk');
    await run('7', 2, 'trunk');
    expect(new Set(await verdictsOf('SCN-02', undefined, span))).toEqual(new Set(['pass scan_fresh']));
    // A run on the old name after the rename, or on the new name before it, does not count.
    await inOrg((tx) =>
      query(
        tx,
        `update scan set ref = case when ref = 'refs/heads/main' then 'refs/heads/trunk' else 'refs/heads/main' end`,
      ),
    );
    expect(new Set(await verdictsOf('SCN-02', undefined, span))).toEqual(new Set(['fail scan_too_old']));
  });

  test('VUL-01: keeps a finding where it counted, also in a re-evaluation', async () => {
    const { send, repositoryId } = await createTestScanner(server, org);
    await send([createScanResult({ severity: 'high' })], {});
    const then = await currentCheckpoint();
    expect(await verdictsOf('VUL-01', then)).toEqual(['pass inside_time_limit']);
    await rename(repositoryId, 'main', 'trunk', new Date().toISOString());
    expect(await verdictsOf('VUL-01', then)).toEqual(['pass inside_time_limit']);
    await send([createScanResult({ severity: 'high' })], { ref: 'refs/heads/trunk' });
    const after = await currentCheckpoint();
    expect(await verdictsOf('VUL-01', after)).toEqual(['pass inside_time_limit']);
    // The finding is fixed on the former default branch and open on the current one.
    await send([], {});
    expect(await verdictsOf('VUL-01')).toEqual(['pass inside_time_limit']);
    await send([], { ref: 'refs/heads/trunk' });
    expect(await verdictsOf('VUL-01')).toEqual(['pass fixed_in_time']);
    expect(await verdictsOf('VUL-01', then)).toEqual(['pass inside_time_limit']);
  });
});

describe('findings', () => {
  const age = (days: number) =>
    inOrg((tx) => query(tx, `update finding set discovered_at = now() - make_interval(days => $1)`, [days]));

  test('VUL-01: evaluates open, overdue, fixed and unrated findings, also at an earlier ledger size', async () => {
    const { send, findings } = await createTestScanner(server, org);
    await send([createScanResult({ severity: 'high' })], {});
    expect(await verdictsOf('VUL-01')).toEqual(['pass inside_time_limit']);
    await age(40);
    const over = await currentCheckpoint();
    expect(await verdictsOf('VUL-01')).toEqual(['fail over_time_limit']);
    await send([createScanResult({ severity: 'high', severityTold: false })], {});
    expect(await verdictsOf('VUL-01')).toEqual(['missing_evidence severity_unknown']);
    await send([createScanResult({ severity: 'high' })], {});
    await age(2);
    await send([], {});
    expect(await findings()).toMatchObject([{ status: 'fixed' }]);
    expect(await verdictsOf('VUL-01')).toEqual(['pass fixed_in_time']);
    await age(40);
    expect(await verdictsOf('VUL-01', over)).toEqual(['fail over_time_limit']);
  });

  test('VUL-01: reports missing evidence for an open finding without a scan for a week', async () => {
    const { send } = await createTestScanner(server, org);
    await send([createScanResult({ severity: 'low' })], {});
    await age(20);
    await inOrg(async (tx) => {
      await query(tx, `update scan set finished_at = now() - interval '10 days'`);
      await query(tx, `update finding_instance set first_seen = now() - interval '20 days'`);
    });
    expect(await verdictsOf('VUL-01')).toEqual(['missing_evidence still_open_unknown']);
  });

  const everywhere = { repositories: null, branches: [], tools: [] };
  const ageScans = (days: number) =>
    inOrg(async (tx) => {
      await query(tx, `update scan set finished_at = now() - make_interval(days => $1)`, [days]);
      await query(tx, `update finding_instance set first_seen = now() - interval '20 days'`);
    });

  test.each([
    { days: 10, freshness: 14, before: 'missing_evidence', after: 'pass', verdict: 'pass inside_time_limit' },
    {
      days: 3,
      freshness: 2,
      before: 'pass',
      after: 'missing_evidence',
      verdict: 'missing_evidence still_open_unknown',
    },
  ])('VUL-01: evaluates the last scan, $days days old, by SCN-02 set to $freshness days', async (one) => {
    const { send } = await createTestScanner(server, org);
    await send([createScanResult({ severity: 'low' })], {});
    await age(20);
    await ageScans(one.days);
    const owner = server.as(org.owner, org.id);
    const rules = {
      kind: 'scan-freshness' as const,
      scope: everywhere,
      settings: { 'SCN-02': { freshness: one.freshness } },
    };
    const earlier = await verdictsOf('VUL-01');
    const simulation = await owner(dryRunProposedPolicy, { body: rules });
    expect(simulation.rows).toContainEqual(
      expect.objectContaining({ control: 'VUL-01', before: one.before, after: one.after }),
    );
    const before = await currentCheckpoint();
    const created = await owner(createPolicy, { body: { ...rules, name: 'Scans', mode: 'observe' } });
    await approvePolicyChange(server, org, created);
    expect(await verdictsOf('VUL-01')).toEqual([one.verdict]);
    expect(await verdictsOf('VUL-01', before)).toEqual(earlier);
  });

  test('a simulation uses the default for a parameter missing in a stored policy', async () => {
    const { send } = await createTestScanner(server, org);
    await send([createScanResult({ category: 'secret', content: 'alert 1' })], { source: 'secret_scanning' });
    await age(5);
    const kind: PolicyKind = 'sla';
    // As stored by a version of Sightline without the parameter.
    await inOrg(({ db }) =>
      db
        .insertInto('policy')
        .values({
          org_id: org.id,
          id: newId(),
          version: 1,
          name: 'Secrets',
          kind,
          mode: 'observe',
          author: org.owner.id,
          valid_from: new Date(),
          scope: JSON.stringify(everywhere),
          settings: JSON.stringify({ 'VUL-02': {} }),
          entry_id: newId(),
        })
        .execute(),
    );
    const body = { kind, scope: everywhere, settings: { 'VUL-02': { limit: 3 } } };
    const { controls } = await server.as(org.owner, org.id)(dryRunProposedPolicy, { body });
    expect(controls).toMatchObject([{ before: { fail: 1 }, after: { fail: 1 }, changed: 0 }]);
  });

  test('VUL-02: passes a rotated secret and reports missing evidence for others', async () => {
    const { send, findings } = await createTestScanner(server, org);
    await send([createScanResult({ category: 'secret' })], {});
    const before = await currentCheckpoint();
    expect(await verdictsOf('VUL-02')).toEqual(['missing_evidence closure_unknown']);
    const [finding] = await findings();
    const body = { ids: [finding?.id ?? ''], reason: 'rotated' as const };
    await server.as(org.owner, org.id)(dismissFindings, { body });
    expect(await verdictsOf('VUL-02')).toEqual(['pass secret_closed']);
    expect(await verdictsOf('VUL-02', before)).toEqual(['missing_evidence closure_unknown']);
  });

  test('VUL-02: uses secret scanning for open and revoked secrets', async () => {
    const { send } = await createTestScanner(server, org);
    const secret = createScanResult({ category: 'secret', content: 'alert 1' });
    await send([secret], { source: 'secret_scanning' });
    expect(await verdictsOf('VUL-02')).toEqual(['missing_evidence time_not_over']);
    await age(5);
    expect(await verdictsOf('VUL-02')).toEqual(['fail secret_over_time_limit']);
    await age(1);
    await send([{ ...secret, state: 'fixed' }], { source: 'secret_scanning' });
    expect(await verdictsOf('VUL-02')).toEqual(['pass secret_closed']);
  });

  test('EXC-01 and VUL-01: an independently approved waiver passes and waives, not at earlier ledger sizes', {
    tags: 'full',
  }, async () => {
    const { send, findings } = await createTestScanner(server, org);
    await send([createScanResult({ severity: 'high' })], {});
    await age(29);
    const [finding] = await findings();
    const reviewer = await server.make.member(org.id, 'rol_reviewer');
    const until = new Date(Date.now() + 30 * day).toISOString();
    const body = { ids: [finding?.id ?? ''], until, reason: 'We replace it in spring.' };
    await server.as(org.owner, org.id)(requestFindingWaivers, { body });
    const before = await currentCheckpoint();
    const [waiver] = await inOrg((tx) =>
      tx.query<{ id: string }>({ name: '', text: 'select id from finding_waiver', values: [] }),
    );
    const params = { waiverId: waiver?.id ?? '' };
    await server.as(reviewer, org.id)(decideWaiver, { params, body: { approve: true, comment: 'Fine.' } });
    expect(await evaluate('EXC-01')).toEqual({ [`waiver:${waiver?.id}`]: 'pass independent_decision' });
    expect(await verdictsOf('EXC-01', before)).toEqual([]);
    await age(31);
    // Backdates the approval to before the limit.
    await inOrg((tx) =>
      query(tx, `update finding_decision set at = now() - interval '2 days' where kind = 'waiver_approved'`),
    );
    expect(await verdictsOf('VUL-01')).toEqual([`waived approved_waiver:${waiver?.id} over_time_limit`]);
    await inOrg((tx) => query(tx, 'update finding_decision set had_permission = false'));
    expect(await verdictsOf('EXC-01')).toEqual(['fail decided_without_permission']);
  });
});

test('TOL-01: evaluates a pending, an approved and a denied tool, and an earlier ledger size', async () => {
  const person = await server.personOf(org.id, org.owner);
  const seen = {
    tab: 'developer',
    toolId: 'github.copilot',
    holder: 'person',
    holderId: person,
    version: '1.2.0',
  } as const;
  await inOrg((tx) => recordDailySightings(tx, org.id, [{ ...seen, at: new Date(ago(20)) }]));
  await inOrg((tx) => recordDailySightings(tx, org.id, [{ ...seen, at: new Date(ago(20)) }]));
  expect(await evaluate('TOL-01')).toEqual({
    [`tool:github.copilot:person:${person}`]: 'missing_evidence tool_unreviewed',
  });
  await inOrg((tx) => recordDailySightings(tx, org.id, [{ ...seen, at: new Date(ago(1)) }]));
  expect(await verdictsOf('TOL-01')).toEqual(['fail tool_unreviewed_over_limit']);
  const before = await currentCheckpoint();
  const policy = (kind: string, versions: string[] | null) =>
    inOrg(async (tx) =>
      query(
        tx,
        `insert into policy (org_id, id, version, name, kind, scope, settings, mode, valid_from, author, entry_id)
         values ($1, $2, 1, 'Tools', $3, $4, '{}', 'observe', now() - interval '5 days', $5, $6)`,
        [
          ...[org.id, newId(), kind],
          ...[
            JSON.stringify({ repositories: null, branches: [], tools: [{ id: 'github.copilot', versions }] }),
            org.owner.id,
          ],
          await fact(tx),
        ],
      ),
    );
  await policy('tool-allow', ['1.*']);
  expect(await verdictsOf('TOL-01')).toEqual(['pass tool_approved']);
  await policy('tool-deny', null);
  expect(await verdictsOf('TOL-01')).toEqual(['fail tool_denied']);
  expect(await verdictsOf('TOL-01', before)).toEqual(['fail tool_unreviewed_over_limit']);
});

describe('people', () => {
  async function addCommit(who: TestAccount, at: string): Promise<string> {
    const [repository, sha] = [
      await createTestRepository(server, org),
      randomUUID().replaceAll('-', '').padEnd(40, '0'),
    ];
    const person = await server.personOf(org.id, who);
    await inOrg(async (tx) => {
      await query(
        tx,
        `insert into commit (org_id, repository_id, sha, author_person, author_name, author_email, authored_at, committer_name, committer_email,
           committed_at, message, branch) values ($1, $2, $3, $4, 'a', 'a@b.example', $5, 'a', 'a@b.example', $5, 'm', 'main')`,
        [org.id, repository, sha, person, at],
      );
      await fact(tx, factId('commit', repository, sha));
    });
    return `person:${person}`;
  }
  const beat = (who: TestAccount, sessionId: string, leaving: boolean) =>
    server.as(who, org.id)(sendHeartbeat, {
      body: { side: 'ide', sessionId, type: 'vscode', version: '1.0.0', leaving },
    });

  test('COV-01: reports missing evidence for an unobservable person, passes a connected one, fails others', async () => {
    const ada = await server.make.member(org.id, 'rol_contributor');
    const subject = await addCommit(ada, new Date().toISOString());
    expect(await evaluate('COV-01')).toEqual({ [subject]: 'missing_evidence not_observable' });
    await inOrg(async (tx) =>
      query(
        tx,
        `insert into audit_event (org_id, id, at, actor_kind, actor_id, action, subject_kind, subject_id)
         values ($1, $2, now(), 'account', $3, 'extension.signed_in', 'account', $3)`,
        [org.id, await fact(tx), ada.id],
      ),
    );
    expect(await evaluate('COV-01')).toEqual({ [subject]: 'fail coverage_too_low' });
    const before = await currentCheckpoint();
    const window = randomUUID();
    await beat(ada, window, false);
    expect(await evaluate('COV-01')).toEqual({ [subject]: 'pass observed' });
    await beat(ada, window, true);
    expect(await evaluate('COV-01')).toEqual({ [subject]: 'pass observed' });
    expect(await evaluate('COV-01', before)).toEqual({ [subject]: 'fail coverage_too_low' });
  });

  test('COV-01: treats a paused extension as disconnected, with the pause as reason', async () => {
    const ada = await server.make.member(org.id, 'rol_contributor');
    const subject = await addCommit(ada, new Date().toISOString());
    await inOrg(async (tx) =>
      query(
        tx,
        `insert into audit_event (org_id, id, at, actor_kind, actor_id, action, subject_kind, subject_id)
         values ($1, $2, now(), 'account', $3, 'extension.signed_in', 'account', $3)`,
        [org.id, await fact(tx), ada.id],
      ),
    );
    const session = { side: 'ide', sessionId: randomUUID(), type: 'vscode', version: '1.0.0' } as const;
    const pause = () => server.as(ada, org.id)(sendHeartbeat, { body: { ...session, paused: { until: null } } });
    await pause();
    expect(await evaluate('COV-01')).toEqual({ [subject]: 'fail coverage_too_low' });
    await beat(ada, session.sessionId, false);
    await pause();
    const rows = await inOrg((tx) =>
      tx.query<{ reason: string }>({
        name: '',
        text: 'select reason from presence_change where org_id = $1 and account_id = $2 order by at',
        values: [org.id, ada.id],
      }),
    );
    expect(rows.map(({ reason }) => reason)).toEqual(['connected', 'paused']);
    const before = await currentCheckpoint();
    // The commit was made during the pause, long after the connection.
    await superuser.query(`update presence_change set at = at - interval '5 hours' where account_id = $1`, [ada.id]);
    expect(await evaluate('COV-01')).toEqual({ [subject]: 'fail recording_paused' });
    await beat(ada, session.sessionId, false);
    expect(await evaluate('COV-01')).toEqual({ [subject]: 'pass observed' });
    expect(await evaluate('COV-01', before)).toEqual({ [subject]: 'fail recording_paused' });
  });

  test('COV-01: reports missing evidence for activity before presence was recorded', async () => {
    const subject = await addCommit(org.owner, ago(5));
    await inOrg((tx) =>
      query(tx, `update organization set created_at = now() - interval '2 days' where id = $1`, [org.id]),
    );
    expect((await evaluate('COV-01'))[subject]).toBe('missing_evidence not_observable presence_missing');
  });

  test('ACC-01: passes members and fails former members after departure, not at earlier ledger sizes', async () => {
    const ada = await server.make.member(org.id, 'rol_contributor');
    await superuser.query(`update member_change set at = now() - interval '30 days'`);
    const subject = await addCommit(ada, ago(5));
    expect(await evaluate('ACC-01')).toEqual({ [subject]: 'pass member_at_each_act' });
    const before = await currentCheckpoint();
    await server.as(org.owner, org.id)(deactivateMember, { params: { userId: ada.id } });
    await superuser.query(`update member_change set at = now() - interval '10 days' where status = 'deactivated'`);
    expect(await evaluate('ACC-01')).toEqual({ [subject]: 'fail act_after_deactivation' });
    expect(await evaluate('ACC-01', before)).toEqual({ [subject]: 'pass member_at_each_act' });
  });

  test('ACC-01: reports missing evidence for activity before membership was recorded', async () => {
    const subject = await addCommit(org.owner, ago(5));
    await inOrg((tx) =>
      query(tx, `update organization set created_at = now() - interval '2 days' where id = $1`, [org.id]),
    );
    expect((await evaluate('ACC-01'))[subject]).toBe('missing_evidence membership_unknown');
  });
});
