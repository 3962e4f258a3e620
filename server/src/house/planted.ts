import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getControlTask, runControl } from '@sightline/contract/control-runs.ts';
import type { ControlId } from '@sightline/contract/controls.ts';
import { type Answer, answersOf, hostedAt } from '@sightline/sandbox/planted/answer-key.ts';
import { members } from '@sightline/sandbox/planted/cast.ts';
import { createStory, requiredCheck } from '@sightline/sandbox/planted/create-story.ts';
import { happen } from '@sightline/sandbox/planted/happen.ts';
import { tellStory } from '@sightline/sandbox/planted/tell.ts';
import { writeStory } from '@sightline/sandbox/planted/write-story.ts';
import pg from 'pg';
import { expect, vi } from 'vitest';
import { startSandboxGithub } from '#providers/github/sandbox.fixture.ts';
import { asSuperuser, startTestServer, type TestServer } from '#testing/server.ts';
import { queueImport } from '../features/imports/commands.ts';
import { reconcileRepository } from '../features/reconcile/reconcile.ts';
import { deliveriesOn } from '../features/webhooks/deliveries.fixture.ts';

// Few enough at a time that what protects the branch is read while it still speaks for each merge.
const batch = 60;
const day = 24 * 60 * 60 * 1000;

/** A server that hears of a repository of which every change is planted. `isSound`: nothing is wrong with any of them. */
export async function startPlanted(seed: number, size: number, { isSound = false } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-planted-'));
  const path = join(folder, 'widgets');
  const story = createStory(seed, size, { isSound });
  const shas = await writeStory(path, 'acme', story, Date.now() - 200 * day);
  const github = await startSandboxGithub([path]);
  const { host } = github.sandbox;
  const hosted = hostedAt(host, path);
  const server = await startTestServer({ environment: github.environment, jobs: true });
  const org = await server.make.organization();
  const { enableOnly, inOrg, workedOff } = deliveriesOn(() => server);
  const rowsOf = <Row extends Record<string, unknown>>(text: string, values: unknown[] = []): Promise<Row[]> =>
    inOrg(org.id, (tx) => tx.query<Row>({ name: '', text, values: [org.id, ...values] }));
  for (const { email } of members) {
    await isMember(server, org.id, email, host.users.byEmail.get(email)?.login ?? '');
  }
  await sinceYesterday(server, org.id);
  const repositoryId = await enableOnly(org, github);
  await inOrg(org.id, (tx) => queueImport(server.services, tx, org.id, repositoryId));
  await until(async () =>
    expect(await rowsOf('select state from repository_import where org_id = $1')).toEqual([{ state: 'done' }]),
  );
  github.sandbox.deliverTo(`${server.url}/api/webhooks/github`);
  await github.control('protect', {
    repository: 'acme/widgets',
    rules: {
      ...{ requiredReviews: 1, dismissesStale: true, allowsForcePush: false, allowsDeletion: false },
      ...{ includesAdmins: true, requiredChecks: [requiredCheck] },
    },
  });

  const settled = async (): Promise<void> => {
    await workedOff(org.id, 120_000);
    await until(async () =>
      expect(await rowsOf(`select id from change_due where org_id = $1 and (attempt = 0 or due_at <= now())`)).toEqual(
        [],
      ),
    );
  };
  let told = 0;
  /** Lets the next changes happen and be told, as many as asked for. */
  const goOn = async (count: number): Promise<void> => {
    const last = Math.min(told + count, story.changes.length);
    while (told < last) {
      const some = story.changes.slice(told, Math.min(told + batch, last));
      told += some.length;
      await tellStory(host, hosted, await happen(host, hosted, shas, some, Date.now()));
      await settled();
    }
  };
  /** Asks the host for what got lost, and waits until all of it is there. */
  const heal = async (): Promise<void> => {
    await reconcileRepository(server.services, org.id, repositoryId);
    const changes = story.changes.slice(0, told);
    const numbers = changes.flatMap((change) => (change.kind === 'merge' ? [change.number] : []));
    const tips = changes.map((change) =>
      shas.get((change.kind === 'merge' ? change.landed : change.commits).at(-1) ?? 0),
    );
    await until(async () => {
      const merges = await rowsOf<{ number: number }>(
        'select distinct number from change_record where org_id = $1 and number is not null order by number',
      );
      expect(merges.map(({ number }) => number)).toEqual(numbers);
      const pushes = await rowsOf<{ sha: string }>(
        `select distinct after_sha as sha from branch_push where org_id = $1 and whole = 'whole'`,
      );
      const known = new Set(pushes.map(({ sha }) => sha));
      expect(tips.filter((tip) => tip === undefined || !known.has(tip))).toEqual([]);
    });
    // Pushes that came late may have been taken for lost before they were there.
    await until(async () => {
      const lost = await rowsOf(
        `select id from (select distinct on (id) id, whole from branch_push where org_id = $1 order by id, version desc) p where whole = 'lost'`,
      );
      if (lost.length > 0) await reconcileRepository(server.services, org.id, repositoryId);
      expect(lost).toEqual([]);
    });
    await settled();
  };

  /** What a control says now of everything that happened, by the names of the answers. */
  const judged = async (control: ControlId) => {
    const call = server.as(org.owner, org.id);
    const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
    const task = await call(runControl, {
      ...{ params: { id: control }, body: { period: `${dayOf(Date.now() - day)}..${dayOf(Date.now())}` } },
    });
    let runId: string | null = null;
    await until(async () => {
      const now = await call(getControlTask, { params: { id: control, taskId: task.id } });
      expect([now.state, now.failure]).toEqual(['done', null]);
      runId = now.runId;
    });
    const [run] = await rowsOf<{
      status: string;
      completeness: { source: string; expected: number | null; found: number }[];
    }>('select status, completeness from control_run where org_id = $1 and id = $2', [runId]);
    const found = await rowsOf<Answer>(
      `select w.verdict, w.reasons, coalesce(
           (select 'acme/widgets' || case when c.number is null then '@' || c.merge_sha else '#' || c.number end
            from change_record c where c.org_id = $1 and w.subject = 'change:' || c.id limit 1),
           'acme/widgets/commit/' || substring(w.subject from '^commit:[^:]*:(.*)$'), w.subject) as subject
       from control_run r join control_row w on w.org_id = r.org_id and w.run_id = coalesce(r.rows_of, r.id)
       where r.org_id = $1 and r.id = $2`,
      [runId],
    );
    const rows = found.map((row): Answer => ({ ...row, control, reasons: row.reasons.toSorted() }));
    return { ...run, rows: rows.toSorted(bySubject) };
  };
  const answers = answersOf(hosted, story, shas);
  const answersTo = (control: ControlId) => answers.filter((answer) => answer.control === control).toSorted(bySubject);
  const close = async (): Promise<void> => {
    await server.close();
    await github.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { server, org, github, host, hosted, story, repositoryId, rowsOf, goOn, heal, judged, answersTo, close };
}

const until = (check: () => Promise<void>): Promise<void> => vi.waitFor(check, { timeout: 120_000, interval: 200 });

const bySubject = (one: Answer, other: Answer): number => (one.subject < other.subject ? -1 : 1);

/** Somebody on the host is a member here, and both know that. */
async function isMember(server: TestServer, orgId: string, email: string, login: string): Promise<void> {
  const account = await server.make.member(orgId, 'rol_contributor');
  const person = await server.personOf(orgId, account);
  const names = [
    { kind: 'github', value: login },
    { kind: 'email', value: email },
  ];
  await server.services.database.withOrg(orgId, ({ db }) =>
    db
      .insertInto('identity')
      .values(
        names.map((name) => ({ ...name, org_id: orgId, person_id: person, source: 'test', confidence: 'declared' })),
      )
      .execute(),
  );
}

/** The organisation and its members have been there for a day, so that what happened a moment ago happened to them. */
async function sinceYesterday(server: TestServer, orgId: string): Promise<void> {
  const superuser = new pg.Client({ connectionString: asSuperuser(server.databaseUrl) });
  await superuser.connect();
  await superuser.query(`update organization set created_at = created_at - interval '1 day' where id = $1`, [orgId]);
  await superuser.query(`update member_change set at = at - interval '1 day' where org_id = $1`, [orgId]);
  await superuser.end();
}
