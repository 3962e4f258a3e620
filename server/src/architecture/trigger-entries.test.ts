import { parseEntry } from '@sightline/evidence/ledger/entry.ts';
import { leafHash } from '@sightline/evidence/ledger/tree.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#core/ids.ts';
import { createTestRepository } from '#testing/findings.ts';
import { startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';

// Database triggers build ledger entries as text. The parser must accept all of them.

let server: TestServer;
let org: TestOrganization;
let repository: string;
beforeAll(async () => {
  server = await startTestServer();
  org = await server.make.organization('Acme');
  repository = await createTestRepository(server, org);
});
afterAll(() => server.close());

const run = (text: string, values: unknown[] = []) =>
  server.services.database.withOrg(org.id, (tx) =>
    tx.query<Record<string, unknown>>({ name: '', text, values: [org.id, ...values] }),
  );
const entries = () =>
  server.services.database.withOrg(org.id, (tx) =>
    tx.query<{ id: string; kind: string; entry: string; leaf_hash: Buffer }>({
      name: '',
      text: 'select entry_id as id, kind, entry, leaf_hash from ledger_known where org_id = $1',
      values: [org.id],
    }),
  );

const scan = async (commit: string | null) => {
  const id = newId();
  await run(
    `insert into scan (org_id, id, repository_id, source, tool, tool_name, category, ref, commit_sha, analysis, complete, state, actor_kind, actor_id)
     values ($1, $2, $3, 'sarif', 'x', 'X', '', 'refs/heads/main', $4, $2, true, 'receiving', 'system', 'clock')`,
    [id, repository, commit],
  );
  await run(`update scan set state = 'done', complete = false where org_id = $1 and id = $2`, [id]);
};
const account = () => server.make.account();

/** Statements that make each trigger write an entry, by table and trigger name, and the kinds of entries. */
const writes: Record<string, { does: () => Promise<unknown>; kinds: string[] }> = {
  'member.record_member_change': {
    does: async () => {
      const { id } = await account();
      await run(
        `insert into member (org_id, account_id, role_id, status) values ($1, $2, 'rol_contributor', 'active')`,
        [id],
      );
      await run('delete from member where org_id = $1 and account_id = $2', [id]);
    },
    kinds: ['member.changed', 'member.changed'],
  },
  'member.record_member_change_update': {
    does: async () => {
      const { id } = await server.make.member(org.id, 'rol_contributor');
      await run(`update member set role_id = 'rol_auditor' where org_id = $1 and account_id = $2`, [id]);
      await run(`update member set status = 'deactivated' where org_id = $1 and account_id = $2`, [id]);
    },
    kinds: ['member.changed', 'member.changed', 'member.changed'],
  },
  'scan.record_scan_end': {
    // Builds may send any text as a commit.
    does: async () => {
      for (const commit of [null, 'a'.repeat(40), '"} \\ \u2028 \u{1f600}']) await scan(commit);
    },
    kinds: ['scan.ended', 'scan.ended', 'scan.ended'],
  },
  'alert_reading.record_scanner_state_of_alerts': {
    does: async () => {
      for (const state of ['read', 'off', 'forbidden', 'failed']) {
        await run(
          `insert into alert_reading (org_id, repository_id, source, state) values ($1, $2, 'dependabot', $3)
           on conflict (org_id, repository_id, source) do update set state = excluded.state`,
          [repository, state],
        );
      }
    },
    kinds: ['scanner.changed', 'scanner.changed', 'scanner.changed', 'scanner.changed'],
  },
  'integration.record_scanner_state_of_integration': {
    does: async () => {
      await run(
        `insert into integration (org_id, name, status, settings, hook, created_by) values ($1, 'checkmarx', 'active', '{}', gen_random_uuid(), $2)`,
        [org.owner.id],
      );
      await run(`update integration set status = 'error' where org_id = $1`);
    },
    kinds: ['scanner.changed', 'scanner.changed'],
  },
  'scanner_project.record_scanner_state_of_project': {
    does: async () => {
      await run(
        `insert into scanner_project (org_id, integration, external_id, name, repository_id, matched_by) values ($1, 'checkmarx', '1', 'api "x"', $2, 'url')`,
        [repository],
      );
      await run('update scanner_project set removed_at = now() where org_id = $1');
    },
    kinds: ['scanner.changed', 'scanner.changed'],
  },
};

test('covers every trigger that writes an entry', async () => {
  const { rows } = await server.services.database.pool.query<{ name: string }>(`
    with recursive writer as (
      select p.oid, p.proname from pg_proc p where p.pronamespace = 'public'::regnamespace and p.proname = 'queue_fact'
      union select p.oid, p.proname from pg_proc p join writer w on p.prosrc like '%' || w.proname || '(%'
      where p.pronamespace = 'public'::regnamespace
    )
    select t.tgrelid::regclass || '.' || t.tgname as name from pg_trigger t join writer w on w.oid = t.tgfoid where not t.tgisinternal order by 1`);
  expect(rows.map(({ name }) => name)).toEqual(Object.keys(writes).sort());
});

test.each(Object.entries(writes))('%s writes entries in canonical form', async (_name, { does, kinds }) => {
  const before = new Set((await entries()).map(({ id }) => id));
  await does();
  const written = (await entries()).filter(({ id }) => !before.has(id));
  const own = written.filter(({ kind }) => kinds.includes(kind));
  expect(own.map(({ kind }) => kind)).toEqual(kinds);
  for (const { id, kind, entry, leaf_hash } of own) {
    expect(parseEntry(entry)).toMatchObject({ id, kind, org: org.id, source: 'sightline', commitments: [] });
    expect(leaf_hash).toEqual(Buffer.from(leafHash(entry)));
  }
});
