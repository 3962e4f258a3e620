import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#core/ids.ts';
import { createTestRepository } from '#testing/findings.ts';
import { startTestServer, superuserUrl, type TestOrganization, type TestServer } from '#testing/server.ts';

// Triggers that append ledger entries are tested in trigger-entries.test.ts, all others here. docs/architecture.md lists both.

let server: TestServer;
let superuser: pg.Client;
let org: TestOrganization;
let repository: string;
beforeAll(async () => {
  server = await startTestServer();
  org = await server.make.organization('Acme');
  repository = await createTestRepository(server, org);
  superuser = new pg.Client({ connectionString: superuserUrl(server.databaseUrl) });
  await superuser.connect();
});
afterAll(async () => {
  await superuser.end();
  await server.close();
});

/** Runs a statement with the role of the server and the organization as $1. */
const run = <Row extends Record<string, unknown>>(text: string, values: unknown[] = []): Promise<Row[]> =>
  server.services.database.withOrg(org.id, (tx) => tx.query<Row>({ name: '', text, values: [org.id, ...values] }));

/** Creates a person with an email identity and a commit in the repository. */
async function makeCommitter(): Promise<{ person: string; email: string }> {
  const person = newId();
  const email = `${person}@acme.test`;
  await run('insert into person (org_id, id) values ($1, $2)', [person]);
  await run(
    `insert into identity (org_id, kind, value, person_id, source, confidence) values ($1, 'email', $2, $3, 'github', 'observed')`,
    [email, person],
  );
  await run(
    `insert into contributor (org_id, repository_id, person_id, name, email, commits, last_commit) values ($1, $2, $3, 'Ada', $4, 1, now())`,
    [repository, person, email],
  );
  return { person, email };
}
const isUninvited = async (person: string): Promise<unknown> =>
  (
    await run<{ uninvited: boolean }>('select uninvited from committer where org_id = $1 and person_id = $2', [person])
  )[0]?.uninvited;

async function makeFinding(): Promise<string> {
  const id = newId();
  await run(
    `insert into finding (org_id, id, repository_id, title_id, severity, category, tools, data_source, status, fingerprint, ref, discovered_at)
     values ($1, $2, $3, $2, 1, 'sast', '{codeql}', 'sarif', 'open', $2, 'refs/heads/main', now())`,
    [id, repository],
  );
  return id;
}
const discovered = async (status: string): Promise<number> =>
  (
    await run<{ count: number }>(
      'select coalesce(sum(count), 0)::int as count from finding_discovered where org_id = $1 and status = $2',
      [status],
    )
  )[0]?.count ?? 0;

const labelFinding = (id: string, label: string) =>
  run(
    `insert into finding_label (org_id, finding_id, label, status, lane, discovered_at, repository_id, title_id)
     select org_id, id, $3, status, lane, discovered_at, repository_id, title_id from finding where org_id = $1 and id = $2`,
    [id, label],
  );
/** The stored number of findings with a label, by status. */
const labeled = async (label: string) =>
  (
    await run<{ status: string; count: number }>(
      `select status, count from finding_facet_count where org_id = $1 and facet = 'label' and value = $2 and count <> 0 order by status`,
      [label],
    )
  ).map(({ status, count }) => [status, count]);
const findingVersion = async () =>
  (await run<{ version: string }>('select version from finding_version where org_id = $1'))[0]?.version;

const toolVersion = async () =>
  (await run<{ version: string }>('select version from tool_version where org_id = $1'))[0]?.version;
/** Expects that each statement, with the repository as $2, renews the version of tools, or that none does. */
async function expectToolVersions(isRenewed: boolean, statements: readonly string[]): Promise<void> {
  for (const statement of statements) {
    const before = await toolVersion();
    await run(statement, statement.includes('$2') ? [repository] : []);
    expect((await toolVersion()) !== before, statement).toBe(isRenewed);
  }
}
const noon = "'2026-01-02 12:00Z'";
const evening = "'2026-01-02 18:00Z'";
const insertTool = (id: string) =>
  `insert into tool (org_id, tab, id, name, kind, categories, sources, first_seen, last_seen)
   values ($1, 'ci/cd', '${id}', 'Tool', 'ci-action', '{}', '{}', ${noon}, ${noon})`;
const insertToolPerson = (id: string) =>
  `insert into tool_person (org_id, tab, tool_id, person_id, source, program, device_id, first_seen, last_seen)
   values ($1, 'developer', '${id}', $1, 'vscode', '', $1, ${noon}, ${noon})`;
const insertToolRepository = (id: string) =>
  `insert into tool_repository (org_id, tab, tool_id, repository_id, source, first_seen, last_seen)
   values ($1, 'ci/cd', '${id}', $2, 'github-actions', ${noon}, ${noon})`;
const insertDetection = (id: string) =>
  `insert into tool_detection (org_id, id, repository_id, tool_id, source, path, text, commit_sha, confidence, first_seen, last_seen)
   values ($1, gen_random_uuid(), $2, '${id}', 'github-actions', 'ci.yml', 'uses', '', 'observed', ${noon}, ${noon})`;

const titleId = newId();
const setFindingCount = (count: number) =>
  run(
    `insert into finding_count (org_id, repository_id, title_id, status, severity, category, tools, count)
     values ($1, $2, $3, 'open', 1, 'sast', '{codeql}', $4)
     on conflict (org_id, repository_id, title_id, status, severity, category, tools) do update set count = excluded.count`,
    [repository, titleId, count],
  );
const totals = () =>
  run<{ count: number }>(
    `select count from finding_lane_count where org_id = $1 and status = 'open'
     union all select count from finding_title_count where org_id = $1 and title_id = $2
     union all select count from finding_repository_count where org_id = $1 and repository_id = $3`,
    [titleId, repository],
  ).then((rows) => rows.map(({ count }) => count));

/** Tests the effect of each trigger, by table and name. */
const effects: Record<string, () => Promise<void>> = {
  'contributor.add_committers': async () => {
    const { person } = await makeCommitter();
    expect(await isUninvited(person)).toBe(true);
    const bot = newId();
    await run('insert into person (org_id, id) values ($1, $2)', [bot]);
    await run(
      `insert into contributor (org_id, repository_id, person_id, name, email, commits, last_commit)
       values ($1, $2, $3, 'renovate[bot]', 'bot@acme.test', 1, now())`,
      [repository, bot],
    );
    expect(await isUninvited(bot)).toBeUndefined();
  },
  'repository.add_committers_of_repository': async () => {
    const { person } = await makeCommitter();
    await run('update repository set tracked = false where org_id = $1 and id = $2', [repository]);
    expect(await isUninvited(person)).toBeUndefined();
    await run('update repository set tracked = true where org_id = $1 and id = $2', [repository]);
    expect(await isUninvited(person)).toBe(true);
  },
  'invitation.review_committers_of_invitation': async () => {
    const { person, email } = await makeCommitter();
    await run(
      `insert into invitation (org_id, id, email, role_id, token_hash, invited_by, expires_at)
       values ($1, gen_random_uuid(), $2::text, 'rol_contributor', sha256(convert_to($2::text, 'UTF8')), $3, now() + interval '1 day')`,
      [email, org.owner.id],
    );
    expect(await isUninvited(person)).toBe(false);
    await run('update invitation set revoked_at = now() where org_id = $1 and email = $2', [email]);
    expect(await isUninvited(person)).toBe(true);
  },
  'identity.review_committer_of_identity': async () => {
    const { person } = await makeCommitter();
    const { id } = await server.make.account();
    await run(`insert into member (org_id, account_id, role_id, status) values ($1, $2, 'rol_contributor', 'active')`, [
      id,
    ]);
    expect(await isUninvited(person)).toBe(true);
    await run(
      `insert into identity (org_id, kind, value, person_id, source, confidence) values ($1, 'account', $2, $3, 'account', 'declared')`,
      [id, person],
    );
    expect(await isUninvited(person)).toBe(false);
  },
  'member.review_committers_of_member': async () => {
    const { person } = await makeCommitter();
    const { id } = await server.make.account();
    await run(
      `insert into identity (org_id, kind, value, person_id, source, confidence) values ($1, 'account', $2, $3, 'account', 'declared')`,
      [id, person],
    );
    expect(await isUninvited(person)).toBe(true);
    await run(`insert into member (org_id, account_id, role_id, status) values ($1, $2, 'rol_contributor', 'active')`, [
      id,
    ]);
    expect(await isUninvited(person)).toBe(false);
    await run('delete from member where org_id = $1 and account_id = $2', [id]);
    expect(await isUninvited(person)).toBe(true);
  },
  'pull_request.keep_avatar_erased': async () => {
    const { person } = await makeCommitter();
    await run(
      `insert into pull_request (org_id, repository_id, number, title, status, draft, author_person, author_login, created_at, updated_at,
         base_ref, head_ref, head_sha, url, context_id)
       values ($1, $2, 1, 'Title', 'in-progress', false, $3, 'ada', now(), now(), 'main', 'topic', 'a', '', gen_random_uuid())`,
      [repository, person],
    );
    const avatarAfterUpdate = async () => {
      await run(
        `update pull_request set author_avatar = 'https://avatars.example/1' where org_id = $1 and repository_id = $2`,
        [repository],
      );
      return (
        await run('select author_avatar as avatar from pull_request where org_id = $1 and repository_id = $2', [
          repository,
        ])
      )[0]?.avatar;
    };
    await run('update person set erased_at = now() where org_id = $1 and id = $2', [person]);
    expect(await avatarAfterUpdate()).toBeNull();
    await run('update person set erased_at = null where org_id = $1 and id = $2', [person]);
    expect(await avatarAfterUpdate()).toBe('https://avatars.example/1');
  },
  'scan.update_latest_scan': async () => {
    const id = newId();
    await run(
      `insert into scan (org_id, id, repository_id, source, tool, tool_name, category, ref, analysis, complete, state, actor_kind, actor_id)
       values ($1, $2, $3, 'sarif', 'latest', 'X', '', 'refs/heads/main', $2, true, 'receiving', 'system', 'clock')`,
      [id, repository],
    );
    const latest = () => run(`select state from scan_latest where org_id = $1 and tool = 'latest'`);
    expect(await latest()).toEqual([]);
    await run(`update scan set state = 'failed' where org_id = $1 and id = $2`, [id]);
    expect(await latest()).toEqual([{ state: 'failed' }]);
  },
  'finding_instance.record_finding_change': async () => {
    const id = newId();
    await run(
      `insert into finding_instance (org_id, repository_id, analysis, fingerprint, finding_id, ref, state, digest, first_scan, first_seen)
       values ($1, $2, $3, $3, $3, 'refs/heads/main', 'open', $3, $3, now())`,
      [repository, id],
    );
    await run(`update finding_instance set state = 'open' where org_id = $1 and fingerprint = $2`, [id]);
    await run(`update finding_instance set state = 'fixed', fixed_at = now() where org_id = $1 and fingerprint = $2`, [
      id,
    ]);
    expect(await run('select was, state from finding_change where org_id = $1 and fingerprint = $2', [id])).toEqual([
      { was: 'open', state: 'fixed' },
    ]);
  },
  'finding.count_inserted_discoveries': async () => {
    const before = await discovered('open');
    await makeFinding();
    expect(await discovered('open')).toBe(before + 1);
  },
  'finding.count_updated_discoveries': async () => {
    const id = await makeFinding();
    const before = [await discovered('open'), await discovered('dismissed')];
    await run(`update finding set status = 'dismissed' where org_id = $1 and id = $2`, [id]);
    expect([await discovered('open'), await discovered('dismissed')]).toEqual([
      (before[0] ?? 0) - 1,
      (before[1] ?? 0) + 1,
    ]);
  },
  'finding.count_deleted_discoveries': async () => {
    const id = await makeFinding();
    const before = await discovered('open');
    await run('delete from finding where org_id = $1 and id = $2', [id]);
    expect(await discovered('open')).toBe(before - 1);
  },
  'finding.copy_updated_finding_to_labels': async () => {
    const id = await makeFinding();
    await labelFinding(id, 'copied');
    await run(`update finding set status = 'dismissed', severity = 0 where org_id = $1 and id = $2`, [id]);
    const rows = await run<{ same: boolean }>(
      `select (l.status, l.lane, l.discovered_at, l.title_id) = (f.status, f.lane, f.discovered_at, f.title_id) as same
       from finding_label l join finding f on f.org_id = $1 and f.id = l.finding_id where l.org_id = $1 and f.id = $2`,
      [id],
    );
    expect(rows).toEqual([{ same: true }]);
  },
  'finding_label.count_inserted_labels': async () => {
    await labelFinding(await makeFinding(), 'inserted');
    await labelFinding(await makeFinding(), 'inserted');
    expect(await labeled('inserted')).toEqual([['open', 2]]);
  },
  'finding_label.count_updated_labels': async () => {
    const id = await makeFinding();
    await labelFinding(id, 'updated');
    await run(`update finding set status = 'fixed' where org_id = $1 and id = $2`, [id]);
    expect(await labeled('updated')).toEqual([['fixed', 1]]);
  },
  'finding_label.count_deleted_labels': async () => {
    const [kept, deleted] = [await makeFinding(), await makeFinding()];
    await labelFinding(kept, 'deleted');
    await labelFinding(deleted, 'deleted');
    await run('delete from finding where org_id = $1 and id = $2', [deleted]);
    expect(await labeled('deleted')).toEqual([['open', 1]]);
    await run('delete from finding_label where org_id = $1 and finding_id = $2', [kept]);
    expect(await labeled('deleted')).toEqual([]);
  },
  'finding.renew_finding_version': async () => {
    const before = await findingVersion();
    const id = await makeFinding();
    const inserted = await findingVersion();
    expect(inserted).not.toBe(before);
    await run('update finding set decided = null where org_id = $1 and id = $2', [id]);
    expect(await findingVersion()).toBe(inserted);
    await run('update finding set assignee_id = id where org_id = $1 and id = $2', [id]);
    expect(await findingVersion()).not.toBe(inserted);
  },
  'finding_label.renew_finding_version': async () => {
    const id = await makeFinding();
    const before = await findingVersion();
    await labelFinding(id, 'version');
    expect(await findingVersion()).not.toBe(before);
  },
  'finding_count.count_inserted_findings': async () => {
    await setFindingCount(3);
    expect(await totals()).toEqual([3, 3, 3]);
  },
  'finding_count.count_updated_findings': async () => {
    await setFindingCount(5);
    expect(await totals()).toEqual([5, 5, 5]);
  },
  'finding_count.count_deleted_findings': async () => {
    await run('delete from finding_count where org_id = $1 and title_id = $2', [titleId]);
    expect(await totals()).toEqual([0, 0, 0]);
  },
  'tool.renew_tool_version': () =>
    expectToolVersions(true, [insertTool('a'), "delete from tool where org_id = $1 and id = 'a'"]),
  'tool.renew_tool_version_update': async () => {
    const update = (assignment: string) => `update tool set ${assignment} where org_id = $1 and id = 'b'`;
    await run(insertTool('b'));
    await expectToolVersions(false, [update(`last_seen = ${evening}`), update("icon = 'b'")]);
    await expectToolVersions(
      true,
      [`last_seen = '2026-01-03 00:00Z'`, `name = 'B'`, `vendor = 'B'`, `version = '2'`, `categories = '{Build}'`].map(
        update,
      ),
    );
  },
  'tool_person.renew_tool_version': () =>
    expectToolVersions(true, [insertToolPerson('a'), "delete from tool_person where org_id = $1 and tool_id = 'a'"]),
  'tool_person.renew_tool_version_update': async () => {
    const update = (assignment: string) => `update tool_person set ${assignment} where org_id = $1 and tool_id = 'b'`;
    await run(insertToolPerson('b'));
    await expectToolVersions(false, [update(`last_seen = ${evening}`)]);
    await expectToolVersions(true, [update('removed_at = now()'), update(`last_seen = '2026-01-03 00:00Z'`)]);
  },
  'tool_repository.renew_tool_version': () =>
    expectToolVersions(true, [
      insertToolRepository('a'),
      "delete from tool_repository where org_id = $1 and tool_id = 'a'",
    ]),
  'tool_repository.renew_tool_version_update': async () => {
    const update = (assignment: string) =>
      `update tool_repository set ${assignment} where org_id = $1 and tool_id = 'b'`;
    await run(insertToolRepository('b'), [repository]);
    await expectToolVersions(false, [update(`last_seen = ${evening}`)]);
    await expectToolVersions(true, [update('removed_at = now()'), update(`last_seen = '2026-01-03 00:00Z'`)]);
  },
  'tool_detection.renew_tool_version': () =>
    expectToolVersions(true, [insertDetection('a'), "delete from tool_detection where org_id = $1 and tool_id = 'a'"]),
  'tool_detection.renew_tool_version_update': async () => {
    const update = (assignment: string) =>
      `update tool_detection set ${assignment} where org_id = $1 and tool_id = 'b'`;
    await run(insertDetection('b'), [repository]);
    await expectToolVersions(false, [update('last_seen = now()')]);
    await expectToolVersions(true, [update("text = 'uses it'")]);
  },
  'repository.renew_tool_version_of_name': () =>
    expectToolVersions(true, ["update repository set full_name = full_name || '2' where org_id = $1 and id = $2"]),
  'organization.keep_demo': async () => {
    await expect(run('update organization set is_demo = true where id = $1')).rejects.toThrow('cannot become a demo');
    await run('update organization set is_demo = false where id = $1');
  },
  'ledger_tile.keep_ledger_tile': async () => {
    const hash = Buffer.alloc(32, 1);
    const key = [org.id, 99, hash];
    await superuser.query('insert into ledger_tile (org_id, epoch, level, n, hashes) values ($1, $2, 0, 0, $3)', key);
    const update = (hashes: Buffer) =>
      superuser.query('update ledger_tile set hashes = $3 where org_id = $1 and epoch = $2', [org.id, 99, hashes]);
    await update(Buffer.concat([hash, hash]));
    await expect(update(hash)).rejects.toThrow('A ledger tile can only grow');
    await expect(update(Buffer.alloc(96, 2))).rejects.toThrow('A ledger tile can only grow');
    await expect(superuser.query('delete from ledger_tile where org_id = $1 and epoch = 99', [org.id])).rejects.toThrow(
      'A ledger tile can only grow',
    );
  },
  'snapshot.keep_snapshot': async () => {
    const id = newId();
    await run(
      `insert into snapshot (org_id, id, name, period_from, period_to, controls, redaction, created_by)
       values ($1, $2, 'Q1', now() - interval '1 day', now(), '{CHG-01}', 'none', $2)`,
      [id],
    );
    await run(`update snapshot set state = 'ready', size = 7 where org_id = $1 and id = $2`, [id]);
    await expect(run('update snapshot set size = 8 where org_id = $1 and id = $2', [id])).rejects.toThrow();
    await expect(run(`update snapshot set name = 'Q2' where org_id = $1 and id = $2`, [id])).rejects.toThrow();
  },
  'auditor_portal.keep_auditor_portal': async () => {
    const id = newId();
    await run(
      `insert into auditor_portal (org_id, id, name, auditor_name, redaction, token_hash, created_by, expires_at)
       values ($1, $2, 'Audit', 'Eve', 'none', sha256('a'), $2, now() + interval '2 days')`,
      [id],
    );
    const change = (assignment: string) =>
      run(`update auditor_portal set ${assignment} where org_id = $1 and id = $2`, [id]);
    await change(`expires_at = now() + interval '1 day'`);
    await change('revoked_at = now()');
    for (const assignment of [
      `expires_at = now() + interval '3 days'`,
      'revoked_at = null',
      `redaction = 'people'`,
      `people = 'names'`,
    ])
      await expect(change(assignment)).rejects.toThrow();
  },
};

const triggersIn = async (condition: string): Promise<string[]> => {
  const { rows } = await superuser.query<{ name: string }>(`
    with recursive writer as (
      select p.oid, p.proname from pg_proc p where p.pronamespace = 'public'::regnamespace and p.proname = 'queue_fact'
      union select p.oid, p.proname from pg_proc p join writer w on p.prosrc like '%' || w.proname || '(%'
      where p.pronamespace = 'public'::regnamespace
    )
    select t.tgrelid::regclass || '.' || t.tgname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where not t.tgisinternal and c.relnamespace = 'public'::regnamespace and ${condition}`);
  return rows.map(({ name }) => name).sort();
};

test('tests every trigger that appends no ledger entry', async () => {
  expect(Object.keys(effects).sort()).toEqual(await triggersIn('t.tgfoid not in (select oid from writer)'));
});

test('documents every trigger', async () => {
  const page = await readFile(new URL('../../../docs/architecture.md', import.meta.url), 'utf8');
  const [, section = ''] = page.split('\n## Triggers\n');
  const documented = [...section.matchAll(/^\| `(\w+\.\w+)` \|/gm)].map(([, name]) => name);
  expect(documented.toSorted()).toEqual(await triggersIn('true'));
});

test.each(Object.entries(effects))('%s', async (_name, shows) => shows());
