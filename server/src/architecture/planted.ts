import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getControlTask, runControl } from '@sightline/contract/compliance/control-runs.ts';
import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import { queryEvents } from '@sightline/contract/timeline/events.ts';
import type { Rules } from '@sightline/sandbox/git/model.ts';
import type { HostedRepository } from '@sightline/sandbox/github/hosted-repository.ts';
import { type ExpectedVerdict, expectedVerdictsOf, hostedAt } from '@sightline/sandbox/planted/answer-key.ts';
import { members } from '@sightline/sandbox/planted/cast.ts';
import { createStory, requiredCheck } from '@sightline/sandbox/planted/create-story.ts';
import { createDays } from '@sightline/sandbox/planted/days.ts';
import type { HostName } from '@sightline/sandbox/planted/host-name.ts';
import { hostBehaviors } from '@sightline/sandbox/planted/hosts.ts';
import { simulateChanges } from '@sightline/sandbox/planted/simulate-changes.ts';
import type { Story } from '@sightline/sandbox/planted/story.ts';
import { sendStoryWebhooks } from '@sightline/sandbox/planted/tell.ts';
import { writeStory } from '@sightline/sandbox/planted/write-story.ts';
import pg from 'pg';
import { expect, vi } from 'vitest';
import { startTestServer, superuserUrl, type TestOrganization, type TestServer } from '#testing/server.ts';
import { readProtection, storeProtectionSnapshot } from '../domains/sources/protection/commands.ts';
import { reconcileRepository } from '../domains/sources/reconcile/reconcile.ts';
import { webhookHelpers } from '../domains/sources/webhooks/deliveries.fixture.ts';
import { type CodeHostFixture, codeHostFixtures } from './planted-hosts.ts';

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
): Promise<GeneratedHistory> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-planted-'));
  const path = join(folder, 'widgets');
  const story = createStory(seed, size, { isSound, on });
  const shas = await writeStory(path, 'acme', story, Date.now() - 200 * day);
  const planted = await codeHostFixtures[on](path);
  const { sandbox } = planted.sandbox;
  const server = await startTestServer({ environment: planted.sandbox.environment, jobs: true });
  const org = await server.make.organization();
  for (const { email } of members) {
    const user = sandbox.host.users.byEmail.get(email);
    if (user) await isMember(server, org.id, email, { kind: on, value: planted.nameOf(user) });
  }
  // Backdates memberships, because changes happened in the past.
  await backdate(server, org.id, 1);
  const repositoryId = await planted.connect(server, org);
  const history = new GeneratedHistory({ server, org, planted, story, shas, repositoryId, folder, path });
  await history.waitForImport();
  await history.protectAs(initialProtection);
  return history;
}

const initialProtection: Rules = {
  requiredReviews: 1,
  dismissesStale: true,
  allowsForcePush: false,
  allowsDeletion: false,
  includesAdmins: true,
  requiredChecks: [requiredCheck],
};

interface HistoryParts {
  server: TestServer;
  org: TestOrganization;
  planted: CodeHostFixture;
  story: Story;
  shas: ReadonlyMap<number, string>;
  repositoryId: string;
  folder: string;
  path: string;
}

interface StoredRun extends Record<string, unknown> {
  status: string;
  completeness: { source: string; expected: number | null; found: number }[];
  seed: string;
  sha256: string;
  asOf: string;
}

/** A server and a code host with a story, whose changes are performed one after the other. */
class GeneratedHistory {
  readonly server: TestServer;
  readonly org: TestOrganization;
  readonly sandbox: CodeHostFixture['sandbox'];
  readonly host: CodeHostFixture['sandbox']['sandbox']['host'];
  readonly hosted: HostedRepository;
  readonly story: Story;
  readonly repositoryId: string;
  readonly #planted: CodeHostFixture;
  readonly #shas: ReadonlyMap<number, string>;
  readonly #folder: string;
  readonly #webhooks: ReturnType<typeof webhookHelpers>;
  #reportedCount = 0;

  constructor({ server, org, planted, story, shas, repositoryId, folder, path }: HistoryParts) {
    this.server = server;
    this.org = org;
    this.sandbox = planted.sandbox;
    this.host = planted.sandbox.sandbox.host;
    this.hosted = hostedAt(this.host, path);
    this.story = story;
    this.repositoryId = repositoryId;
    this.#planted = planted;
    this.#shas = shas;
    this.#folder = folder;
    this.#webhooks = webhookHelpers(() => server);
  }

  readonly rowsOf = <Row extends Record<string, unknown>>(text: string, values: unknown[] = []): Promise<Row[]> =>
    this.#webhooks.inOrg(this.org.id, (tx) => tx.query<Row>({ name: '', text, values: [this.org.id, ...values] }));

  /** Waits for the import of the repository as it was before the story. */
  async waitForImport(): Promise<void> {
    await until(async () =>
      expect(await this.rowsOf('select state from repository_import where org_id = $1')).toEqual([{ state: 'done' }]),
    );
    // If the host has no list of pushes, the first reconciliation takes the commits it finds as history, so it runs
    // before the story.
    if (this.#listsPushes) return;
    await this.#reconcile();
    await until(async () =>
      expect(await this.rowsOf('select sha from branch_start where org_id = $1')).toHaveLength(1),
    );
  }

  protectAs(rules: Rules | null): Promise<void> {
    return this.sandbox.control('protect', { repository: 'acme/widgets', rules });
  }

  /** Performs and reports the next `count` changes. */
  async goOn(count: number): Promise<void> {
    const voice = this.#planted.voice(this.hosted);
    const { changes } = this.story;
    const last = Math.min(this.#reportedCount + count, changes.length);
    while (this.#reportedCount < last) {
      const some = changes.slice(this.#reportedCount, Math.min(this.#reportedCount + batch, last));
      this.#reportedCount += some.length;
      const step = { repository: this.hosted, shas: this.#shas, changes: some, until: Date.now() };
      await sendStoryWebhooks(voice, this.hosted, await simulateChanges(this.host, step));
      await this.#waitUntilProcessed();
    }
  }

  /** Reconciles lost changes, and waits until all of them are recorded. */
  async heal(): Promise<void> {
    await this.#reconcile();
    await until(() => this.#expectAllRecorded());
    // Late pushes may have been recorded as lost before they arrived.
    if (this.#listsPushes) await until(() => this.#expectNothingLost());
    else await this.#reconcile();
    await this.#waitUntilProcessed();
  }

  /**
   * Simulates past days with the generated branch protection. The host is queried now, and only the recorded time is
   * changed.
   */
  async passDays(count: number) {
    const { seed, on } = this.story;
    const days = createDays(seed, count, on).map((one, index) => ({
      ...one,
      date: dayOf(Date.now() - (count - index) * day),
    }));
    await backdate(this.server, this.org.id, count + 1);
    for (const { date, looks } of days) {
      for (const { hour, sees } of looks) {
        await this.#recordProtection(sees, `${date}T${String(hour).padStart(2, '0')}:00:00.000Z`);
      }
    }
    const answers = days.map(({ date, verdict, reasons }) => ({
      subject: `acme/widgets/main@${date}`,
      control: 'CHG-04',
      verdict,
      reasons: reasons.toSorted(),
    }));
    return { answers, period: `${days[0]?.date}..${days.at(-1)?.date}` };
  }

  /** Evaluates a control over all changes of a period, with the subjects of the answer key. */
  async evaluated(control: ControlId, period = `${dayOf(Date.now() - day)}..${dayOf(Date.now())}`, asOf?: string) {
    const runId = await this.#runControl(control, { period, ...(asOf !== undefined && { asOf }) });
    const [run] = await this.rowsOf<StoredRun>(runText, [runId]);
    if (!run) throw new Error('The run is not there.');
    const found = await this.rowsOf<ExpectedVerdict>(verdictsText, [runId]);
    const rows = found.map((row): ExpectedVerdict => ({ ...row, control, reasons: row.reasons.toSorted() }));
    return { ...run, period, rows: rows.toSorted(bySubject) };
  }

  /** Returns the merges that a query of Explore finds, with the subjects of the answer key, sorted. */
  async mergesFound(query: string): Promise<string[]> {
    const call = this.server.as(this.org.owner, this.org.id);
    const page = await call(queryEvents, { body: { query, pagination: { events: 200 } } });
    expect(page.reachedEnd).toBe(true);
    const merged = page.events.flatMap(({ summary }) => summary.parameters.filter(({ kind }) => kind === 'pr'));
    return merged.map(({ ident }) => `acme/widgets#${ident}`).toSorted();
  }

  answersTo(control: ControlId): ExpectedVerdict[] {
    return expectedVerdictsOf(this.hosted, this.story, this.#shas, this.#planted.reviewIds)
      .filter((answer) => answer.control === control)
      .toSorted(bySubject);
  }

  async close(): Promise<void> {
    await this.server.close();
    await this.sandbox.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  get #listsPushes(): boolean {
    return hostBehaviors[this.story.on].listsPushes;
  }

  #reconcile() {
    return reconcileRepository(this.server.services, this.org.id, this.repositoryId);
  }

  async #waitUntilProcessed(): Promise<void> {
    await this.#webhooks.workedOff(this.org.id, patience);
    await until(async () =>
      expect(
        await this.rowsOf(`select id from change_task where org_id = $1 and (attempt = 0 or due_at <= now())`),
      ).toEqual([]),
    );
  }

  async #expectAllRecorded(): Promise<void> {
    const changes = this.story.changes.slice(0, this.#reportedCount);
    const merges = await this.rowsOf<{ number: number }>(
      'select distinct number from change_record where org_id = $1 and number is not null order by number',
    );
    expect(merges.map(({ number }) => number)).toEqual(
      changes.flatMap((change) => (change.kind === 'merge' ? [change.number] : [])),
    );
    const pushes = await this.rowsOf<{ sha: string }>(
      `select distinct after_sha as sha from branch_push where org_id = $1 and completeness = 'complete'`,
    );
    const known = new Set(pushes.map(({ sha }) => sha));
    // The changes that reconciliation finds, or those with a reported push if the host has no list of pushes.
    const reported = changes.filter(({ lost }) => this.#listsPushes || !lost.includes('push'));
    const tips = reported.map((change) =>
      this.#shas.get((change.kind === 'merge' ? change.landed : change.commits).at(-1) ?? 0),
    );
    expect(tips.filter((tip) => tip === undefined || !known.has(tip))).toEqual([]);
  }

  async #expectNothingLost(): Promise<void> {
    const lost = await this.rowsOf(
      `select id from (select distinct on (id) id, completeness from branch_push where org_id = $1 order by id, version desc) p where completeness = 'lost'`,
    );
    if (lost.length > 0) await this.#reconcile();
    expect(lost).toEqual([]);
  }

  /** Lets the server read the branch protection as the host shows it, and stores it as read at `capturedAt`. */
  async #recordProtection(sees: Rules | 'unprotected' | 'forbidden', capturedAt: string): Promise<void> {
    if (sees === 'forbidden') await this.#planted.permit(false);
    else await this.protectAs(sees === 'unprotected' ? null : sees);
    const { codeHost, ref } = await this.#findCodeHost();
    const { repositoryId } = this;
    const seen = await readProtection(codeHost, { ref, repositoryId, branch: 'main', trigger: 'poll' });
    if (!seen) throw new Error('The host returned no branch protection.');
    await this.#webhooks.inOrg(this.org.id, (tx) =>
      storeProtectionSnapshot(tx, this.org.id, { ...seen, capturedAt }, this.story.on),
    );
    if (sees === 'forbidden') await this.#planted.permit(true);
  }

  async #findCodeHost() {
    const [found] = await this.rowsOf<{ installation: string; owner: string; name: string }>(
      'select installation_id as installation, owner, name from repository where org_id = $1 and tracked',
    );
    if (!found) throw new Error('The repository is not there.');
    const ref = { installationId: found.installation, owner: found.owner, name: found.name };
    const codeHost = await this.server.services.codeHosts.maybe(this.org.id, this.story.on, ref.installationId);
    if (!codeHost) throw new Error('The host is not connected.');
    return { codeHost, ref };
  }

  /** Returns the ID of the run. */
  async #runControl(control: ControlId, body: { period: string; asOf?: string }): Promise<string | null> {
    const call = this.server.as(this.org.owner, this.org.id);
    const task = await call(runControl, { params: { id: control }, body });
    let runId: string | null = null;
    await until(async () => {
      const now = await call(getControlTask, { params: { id: control, taskId: task.id } });
      expect([now.state, now.failure]).toEqual(['done', null]);
      runId = now.runId;
    });
    return runId;
  }
}

const runText = `
  select status, completeness, seed, encode(rows_sha256, 'hex') as sha256, as_of_epoch || '.' || as_of_size as "asOf"
  from control_run where org_id = $1 and id = $2`;

const verdictsText = `
  select w.verdict, w.reasons, coalesce(
      (select 'acme/widgets' || case when c.number is null then '@' || c.merge_sha else '#' || c.number end
       from change_record c where c.org_id = $1 and w.subject = 'change:' || c.id limit 1),
      (select 'acme/widgets/lost/' || p.before_sha || '..' || p.after_sha from branch_push p
       where p.org_id = $1 and w.subject = 'push:' || p.id limit 1),
      'acme/widgets/commit/' || substring(w.subject from '^commit:[^:]*:(.*)$'),
      regexp_replace(w.subject, '^branch:[^:]*:([^:]*):(.*)$', 'acme/widgets/\\2@\\1')) as subject
  from control_run r join control_row w on w.org_id = r.org_id and w.run_id = coalesce(r.rows_of, r.id)
  where r.org_id = $1 and r.id = $2`;

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
