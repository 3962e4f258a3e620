import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getControlTask, runControl } from '@sightline/contract/compliance/control-runs.ts';
import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import { enableRepositories } from '@sightline/contract/sources/repositories.ts';
import { queryEvents } from '@sightline/contract/timeline/events.ts';
import type { Rules } from '@sightline/sandbox/git/model.ts';
import { type ExpectedVerdict, expectedVerdictsOf, hostedAt } from '@sightline/sandbox/planted/answer-key.ts';
import { createRepositoryScenario } from '@sightline/sandbox/planted/create-repository-scenario.ts';
import { createDays } from '@sightline/sandbox/planted/days.ts';
import type { HostName } from '@sightline/sandbox/planted/host-name.ts';
import { hostBehaviors } from '@sightline/sandbox/planted/hosts.ts';
import { members } from '@sightline/sandbox/planted/people.ts';
import { requiredCheck } from '@sightline/sandbox/planted/required-check.ts';
import { sendScenarioWebhooks } from '@sightline/sandbox/planted/send-webhooks.ts';
import { simulateChanges } from '@sightline/sandbox/planted/simulate-changes.ts';
import { writeRepositoryScenario } from '@sightline/sandbox/planted/write-repository-scenario.ts';
import pg from 'pg';
import { expect, vi } from 'vitest';
import { startTestServer, superuserUrl, type TestServer } from '#testing/server.ts';
import { readProtection, storeProtectionSnapshot } from '../domains/sources/protection/commands.ts';
import { reconcileRepository } from '../domains/sources/reconcile/reconcile.ts';
import { webhookHelpers } from '../domains/sources/webhooks/deliveries.fixture.ts';
import { codeHostFixtures } from './planted-hosts.ts';

// Small enough that the branch protection is read while it still applies to each merge.
const batch = 60;
// For one batch on a busy machine.
const patience = 180_000;
const day = 24 * 60 * 60 * 1000;

/** Starts a server with a repository whose changes are all generated. `isSound`: none of them violates a control. */
export async function startGeneratedHistory(
  seed: number,
  size: number,
  { isSound = false, on = 'github' as HostName } = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-planted-'));
  const path = join(folder, 'widgets');
  const repositoryScenario = createRepositoryScenario(seed, size, { isSound, on });
  const shas = await writeRepositoryScenario(path, 'acme', repositoryScenario, Date.now() - 200 * day);
  const planted = await codeHostFixtures[on](path);
  const { sandbox } = planted;
  const { host } = sandbox.sandbox;
  const hosted = hostedAt(host, path);
  const server = await startTestServer({ environment: sandbox.environment, jobs: true });
  const org = await server.make.organization();
  const { inOrg, workedOff } = webhookHelpers(() => server);
  const rowsOf = <Row extends Record<string, unknown>>(text: string, values: unknown[] = []): Promise<Row[]> =>
    inOrg(org.id, (tx) => tx.query<Row>({ name: '', text, values: [org.id, ...values] }));
  for (const { email } of members) {
    const user = host.users.byEmail.get(email);
    if (user) await isMember(server, org.id, email, { kind: on, value: planted.nameOf(user) });
  }
  // Backdates memberships, because changes happened in the past.
  await backdate(server, org.id, 1);
  const repositoryId = await planted.connect(server, org);
  await until(async () =>
    expect(await rowsOf('select state from repository_import where org_id = $1')).toEqual([{ state: 'done' }]),
  );
  // If the host has no list of pushes, the first reconciliation takes the commits it finds as history, so it runs
  // before the story.
  if (!hostBehaviors[on].listsPushes) {
    await reconcileRepository(server.services, org.id, repositoryId);
    await until(async () => expect(await rowsOf('select sha from branch_start where org_id = $1')).toHaveLength(1));
  }
  const webhookSender = planted.webhookSender(hosted);
  await protectAs({
    requiredReviews: 1,
    dismissesStale: true,
    allowsForcePush: false,
    allowsDeletion: false,
    includesAdmins: true,
    requiredChecks: [requiredCheck],
  });

  function protectAs(rules: Rules | null): Promise<void> {
    return sandbox.control('protect', { repository: 'acme/widgets', rules });
  }
  const waitUntilProcessed = async (): Promise<void> => {
    await workedOff(org.id, patience);
    await until(async () =>
      expect(await rowsOf(`select id from change_task where org_id = $1 and (attempt = 0 or due_at <= now())`)).toEqual(
        [],
      ),
    );
  };
  let reportedCount = 0;
  /** Performs and reports the next `count` changes. */
  const goOn = async (count: number): Promise<void> => {
    const last = Math.min(reportedCount + count, repositoryScenario.changes.length);
    while (reportedCount < last) {
      const some = repositoryScenario.changes.slice(reportedCount, Math.min(reportedCount + batch, last));
      reportedCount += some.length;
      await sendScenarioWebhooks(
        webhookSender,
        hosted,
        await simulateChanges(host, { repository: hosted, shas, changes: some, until: Date.now() }),
      );
      await waitUntilProcessed();
    }
  };
  const nothingIsLost = async (): Promise<void> => {
    const lost = await rowsOf(
      `select id from (select distinct on (id) id, completeness from branch_push where org_id = $1 order by id, version desc) p where completeness = 'lost'`,
    );
    if (lost.length > 0) await reconcileRepository(server.services, org.id, repositoryId);
    expect(lost).toEqual([]);
  };
  /** Reconciles lost changes, and waits until all of them are recorded. */
  const heal = async (): Promise<void> => {
    await reconcileRepository(server.services, org.id, repositoryId);
    const changes = repositoryScenario.changes.slice(0, reportedCount);
    const numbers = changes.flatMap((change) => (change.kind === 'merge' ? [change.number] : []));
    // The changes that reconciliation finds, or those with a reported push if the host has no list of pushes.
    const reported = changes.filter(({ lost }) => hostBehaviors[on].listsPushes || !lost.includes('push'));
    const tips = reported.map((change) =>
      shas.get((change.kind === 'merge' ? change.landed : change.commits).at(-1) ?? 0),
    );
    await until(async () => {
      const merges = await rowsOf<{ number: number }>(
        'select distinct number from change_record where org_id = $1 and number is not null order by number',
      );
      expect(merges.map(({ number }) => number)).toEqual(numbers);
      const pushes = await rowsOf<{ sha: string }>(
        `select distinct after_sha as sha from branch_push where org_id = $1 and completeness = 'complete'`,
      );
      const known = new Set(pushes.map(({ sha }) => sha));
      expect(tips.filter((tip) => tip === undefined || !known.has(tip))).toEqual([]);
    });
    // Late pushes may have been recorded as lost before they arrived.
    if (hostBehaviors[on].listsPushes) await until(nothingIsLost);
    else await reconcileRepository(server.services, org.id, repositoryId);
    await waitUntilProcessed();
  };

  /**
   * Simulates past days with the generated branch protection. The host is queried now, and only the recorded time is
   * changed.
   */
  const passDays = async (count: number) => {
    const [found] = await rowsOf<{ installation: string; owner: string; name: string }>(
      'select installation_id as installation, owner, name from repository where org_id = $1 and tracked',
    );
    if (!found) throw new Error('The repository is not there.');
    const ref = { installationId: found.installation, owner: found.owner, name: found.name };
    const codeHost = await server.services.codeHosts.maybe(org.id, on, ref.installationId);
    if (!codeHost) throw new Error('The host is not connected.');
    const days = createDays(seed, count, on).map((one, index) => ({
      ...one,
      date: dayOf(Date.now() - (count - index) * day),
    }));
    await backdate(server, org.id, count + 1);
    let current: unknown;
    for (const { date, looks } of days) {
      for (const { hour, sees } of looks) {
        if (sees === 'forbidden') await planted.permit(false);
        else if (sees !== current) await protectAs(sees === 'unprotected' ? null : sees);
        if (sees !== 'forbidden') current = sees;
        const seen = await readProtection(codeHost, { ref, repositoryId, branch: 'main', trigger: 'poll' });
        if (!seen) throw new Error('The host returned no branch protection.');
        const capturedAt = `${date}T${String(hour).padStart(2, '0')}:00:00.000Z`;
        await inOrg(org.id, (tx) => storeProtectionSnapshot(tx, org.id, { ...seen, capturedAt }, on));
        if (sees === 'forbidden') await planted.permit(true);
      }
    }
    const answers = days.map(({ date, verdict, reasons }) => ({
      subject: `acme/widgets/main@${date}`,
      control: 'CHG-04',
      verdict,
      reasons: reasons.toSorted(),
    }));
    return { answers, period: `${days[0]?.date}..${days.at(-1)?.date}` };
  };
  /** Disables the repository and enables it 30 seconds later, as an owner, on each of the last days. */
  const pauseOnDays = async (count: number) => {
    const call = server.as(org.owner, org.id);
    const superuser = new pg.Client({ connectionString: superuserUrl(server.databaseUrl) });
    await superuser.connect();
    for (let days = count; days > 0; days -= 1) {
      const noon = Date.parse(`${dayOf(Date.now() - days * day)}T12:00:00.000Z`);
      for (const [tracked, at] of [
        [false, noon],
        [true, noon + 30_000],
      ] as const) {
        await call(enableRepositories, {
          body: { providerRepos: { [on]: { acme: [{ id: repositoryId, tracked }] } } },
        });
        await superuser.query(
          `update audit_event set at = $2 where org_id = $1 and id = (
             select id from audit_event where org_id = $1 and action = $3 order by id desc limit 1)`,
          [org.id, new Date(at), tracked ? 'repository.enabled' : 'repository.disabled'],
        );
      }
    }
    await superuser.end();
    await waitUntilProcessed();
  };
  /** Evaluates a control over all changes of a period, with the subjects of the answer key. */
  const evaluated = async (
    control: ControlId,
    period = `${dayOf(Date.now() - day)}..${dayOf(Date.now())}`,
    asOf?: string,
  ) => {
    const call = server.as(org.owner, org.id);
    const body = { period, ...(asOf !== undefined && { asOf }) };
    const task = await call(runControl, { params: { id: control }, body });
    let runId: string | null = null;
    await until(async () => {
      const now = await call(getControlTask, { params: { id: control, taskId: task.id } });
      expect([now.state, now.failure]).toEqual(['done', null]);
      runId = now.runId;
    });
    const [run] = await rowsOf<{
      status: string;
      completeness: { source: string; expected: number | null; found: number }[];
      seed: string;
      sha256: string;
      asOf: string;
    }>(
      `select status, completeness, seed, encode(rows_sha256, 'hex') as sha256, as_of_epoch || '.' || as_of_size as "asOf"
       from control_run where org_id = $1 and id = $2`,
      [runId],
    );
    if (!run) throw new Error('The run is not there.');
    const found = await rowsOf<ExpectedVerdict>(
      `select w.verdict, w.reasons, coalesce(
           (select 'acme/widgets' || case when c.number is null then '@' || c.merge_sha else '#' || c.number end
            from change_record c where c.org_id = $1 and w.subject = 'change:' || c.id limit 1),
           (select 'acme/widgets/lost/' || p.before_sha || '..' || p.after_sha from branch_push p
            where p.org_id = $1 and w.subject = 'push:' || p.id limit 1),
           'acme/widgets/commit/' || substring(w.subject from '^commit:[^:]*:(.*)$'),
           regexp_replace(w.subject, '^branch:[^:]*:([^:]*):(.*)$', 'acme/widgets/\\2@\\1')) as subject
       from control_run r join control_row w on w.org_id = r.org_id and w.run_id = coalesce(r.rows_of, r.id)
       where r.org_id = $1 and r.id = $2`,
      [runId],
    );
    const rows = found.map((row): ExpectedVerdict => ({ ...row, control, reasons: row.reasons.toSorted() }));
    return { ...run, period, rows: rows.toSorted(bySubject) };
  };
  /** Returns the merges that a query of Explore finds, with the subjects of the answer key, sorted. */
  const mergesFound = async (query: string): Promise<string[]> => {
    const page = await server.as(org.owner, org.id)(queryEvents, { body: { query, pagination: { events: 200 } } });
    expect(page.reachedEnd).toBe(true);
    const merged = page.events.flatMap(({ summary }) => summary.parameters.filter(({ kind }) => kind === 'pr'));
    return merged.map(({ ident }) => `acme/widgets#${ident}`).toSorted();
  };
  const answersTo = (control: ControlId) =>
    expectedVerdictsOf(hosted, repositoryScenario, shas, planted.reviewIds)
      .filter((answer) => answer.control === control)
      .toSorted(bySubject);
  const close = async (): Promise<void> => {
    await server.close();
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  };
  return {
    server,
    org,
    sandbox,
    host,
    hosted,
    repositoryScenario,
    repositoryId,
    rowsOf,
    goOn,
    heal,
    passDays,
    pauseOnDays,
    evaluated,
    mergesFound,
    answersTo,
    close,
  };
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

const until = (check: () => Promise<void>): Promise<void> => vi.waitFor(check, { timeout: patience, interval: 200 });

const bySubject = (one: ExpectedVerdict, other: ExpectedVerdict): number => (one.subject < other.subject ? -1 : 1);

/** Adds a user of the host as a member with both identities. */
async function isMember(
  server: TestServer,
  orgId: string,
  email: string,
  name: { kind: string; value: string },
): Promise<void> {
  const account = await server.make.member(orgId, 'rol_contributor');
  const person = await server.personOf(orgId, account);
  const names = [name, { kind: 'email', value: email }];
  await server.services.database.withOrg(orgId, ({ db }) =>
    db
      .insertInto('identity')
      .values(
        names.map((one) => ({ ...one, org_id: orgId, person_id: person, source: 'test', confidence: 'declared' })),
      )
      .execute(),
  );
}

/** Moves the creation of the organization, its members and its repositories back by `days`. */
async function backdate(server: TestServer, orgId: string, days: number): Promise<void> {
  const superuser = new pg.Client({ connectionString: superuserUrl(server.databaseUrl) });
  await superuser.connect();
  const since = [orgId, days];
  await superuser.query(`update organization set created_at = created_at - $2 * interval '1 day' where id = $1`, since);
  await superuser.query(`update member_change set at = at - $2 * interval '1 day' where org_id = $1`, since);
  await superuser.query(
    `update audit_event set at = at - $2 * interval '1 day' where org_id = $1 and action = 'repository.enabled'`,
    since,
  );
  await superuser.end();
}
