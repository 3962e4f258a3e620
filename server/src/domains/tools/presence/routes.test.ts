import { randomUUID } from 'node:crypto';
import { deactivateMember } from '@sightline/contract/organization/members.ts';
import { listContributors } from '@sightline/contract/sources/contributors.ts';
import type { ExtensionSession } from '@sightline/contract/tools/presence.ts';
import {
  getExtensionStatus,
  getUserStatus,
  listMembersExtensionStatus,
  openContext,
  sendHeartbeat,
} from '@sightline/contract/tools/presence.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '#core/ids.ts';
import {
  refusalOf,
  shareTestServer,
  type TestAccount,
  type TestOrganization,
  type TestServer,
} from '#testing/server.ts';

let server: TestServer;
let acme: TestOrganization;
let ada: TestAccount;
beforeAll(async () => {
  server = await shareTestServer();
});
beforeEach(async () => {
  acme = await server.make.organization('Acme');
  ada = await server.make.member(acme.id, 'rol_contributor');
});
afterAll(() => server.close());

const window = (change: Partial<ExtensionSession> = {}): ExtensionSession => ({
  side: 'ide',
  sessionId: randomUUID(),
  type: 'vscode',
  version: '1.0.0',
  ...change,
});
const beat = (session: ExtensionSession, leaving = false, who = ada, orgId = acme.id) =>
  server.as(who, orgId)(sendHeartbeat, { body: { ...session, leaving } });
const statusOf = (who = ada, orgId = acme.id) => server.as(who, orgId)(getUserStatus, {});
/** Moves all times back by an interval. */
const age = (interval: string) =>
  server.services.database.withOrg(acme.id, (tx) =>
    tx.query({
      name: '',
      text: `update extension_session set live_until = live_until - $1::interval, seen_at = seen_at - $1::interval,
             heartbeat_at = heartbeat_at - $1::interval`,
      values: [interval],
    }),
  );

test('shows and records a paused member as paused and disconnected until the pause ends', async () => {
  const session = window();
  const body = (until: string | null) => ({ ...session, paused: { until } });
  await beat(session);
  const until = new Date(Date.now() + 3_600_000).toISOString();
  await server.as(ada, acme.id)(sendHeartbeat, { body: body(until) });
  const since = expect.any(String);
  expect(await statusOf()).toMatchObject({ ide_status: 'disconnected', ide_paused: { since, until } });
  const reasons = () =>
    server.services.database.withOrg(acme.id, async ({ db }) =>
      (
        await db
          .selectFrom('presence_change')
          .select('reason')
          .where('org_id', '=', acme.id)
          .where('account_id', '=', ada.id)
          .orderBy('at')
          .execute()
      ).map(({ reason }) => reason),
    );
  expect(await reasons()).toEqual(['connected', 'paused']);
  // A repeated pause is the same pause.
  await server.as(ada, acme.id)(sendHeartbeat, { body: body(until) });
  expect(await reasons()).toEqual(['connected', 'paused']);
  // A second window that still records counts as connected.
  const other = window();
  await beat(other);
  expect((await statusOf()).ide_paused).toBeUndefined();
  await beat(other, true);
  await server.as(ada, acme.id)(sendHeartbeat, { body: body(null) });
  expect((await statusOf()).ide_paused).toEqual({ since, until: null });
  await beat(session);
  expect(await statusOf()).toMatchObject({ ide_status: 'connected' });
  expect((await statusOf()).ide_paused).toBeUndefined();
  expect(await reasons()).toEqual(['connected', 'paused', 'connected', 'disconnected', 'connected']);
});

test('ignores an expired pause and records no tools of a paused extension', async () => {
  const session = window();
  const past = new Date(Date.now() - 1000).toISOString();
  await server.as(ada, acme.id)(sendHeartbeat, { body: { ...session, paused: { until: past } } });
  expect(await statusOf()).toMatchObject({ ide_status: 'disconnected' });
  expect((await statusOf()).ide_paused).toBeUndefined();
  const recorded = await server.services.database.withOrg(acme.id, ({ db }) =>
    db.selectFrom('tool_person').select('tool_id').where('org_id', '=', acme.id).execute(),
  );
  expect(recorded).toEqual([]);
});

test('reports a member without any heartbeat as disconnected', async () => {
  expect(await statusOf()).toEqual({
    browser_status: 'disconnected',
    browser_timestamp: null,
    browser_type: null,
    ide_status: 'disconnected',
    ide_timestamp: null,
    ide_type: null,
    vscode: false,
    currentProject: null,
  });
  expect(await server.as(ada)(getUserStatus, {})).toMatchObject({ ide_status: 'disconnected' });
});

test('marks a side connected for ten minutes after a heartbeat, visible at once', async () => {
  await statusOf();
  await beat(window());
  expect(await statusOf()).toMatchObject({
    ide_status: 'connected',
    ide_type: 'vscode',
    vscode: true,
    ide_timestamp: expect.any(String),
    browser_status: 'disconnected',
    browser_timestamp: null,
  });
  await beat(window({ side: 'browser', type: 'firefox' }));
  expect(await server.as(ada, acme.id)(getExtensionStatus, {})).toMatchObject({
    browser_status: 'connected',
    browser_type: 'firefox',
  });
});

test('marks a side disconnected without another heartbeat and keeps the time of the last one', async () => {
  await beat(window());
  await age('9 minutes 50 seconds');
  expect(await membersStatus()).toMatchObject({ ide_status: 'connected' });
  await age('11 seconds');
  expect(await membersStatus()).toMatchObject({
    ide_status: 'disconnected',
    ide_type: 'vscode',
    ide_timestamp: expect.any(String),
  });
});

const membersStatus = async (who = ada) =>
  (await server.as(acme.owner, acme.id)(listMembersExtensionStatus, {})).find(({ user_id }) => user_id === who.id);

test('keeps a member connected when one of several windows disconnects', async () => {
  const [one, other] = [window(), window({ type: 'cursor' })];
  await beat(one);
  await beat(other);
  await beat(one, true);
  expect(await statusOf()).toMatchObject({ ide_status: 'connected' });
  await beat(other, true);
  expect(await statusOf()).toMatchObject({ ide_status: 'disconnected' });
});

test('ignores a disconnect that is repeated or has no prior heartbeat', async () => {
  await beat(window(), true);
  expect(await statusOf()).toMatchObject({ ide_status: 'disconnected', ide_timestamp: null });
});

test('deletes old sessions except the latest', async () => {
  await beat(window());
  await age('2 days');
  await beat(window());
  const rows = await server.services.database.withOrg(acme.id, ({ db }) =>
    db.selectFrom('extension_session').select('id').where('org_id', '=', acme.id).execute(),
  );
  expect(rows).toHaveLength(1);
});

test('returns 304 when the status is unchanged', async () => {
  await beat(window());
  const headers = { authorization: `Bearer ${await server.token(ada, acme.id)}` };
  const request = (more: Record<string, string> = {}) =>
    fetch(`${server.url}/api/v2/user/status`, { headers: { ...headers, ...more } });
  const first = await request();
  const etag = first.headers.get('etag') ?? '';
  expect(first.headers.get('cache-control')).toBe('private, no-cache');
  const again = await request({ 'if-none-match': etag });
  expect([again.status, await again.text()]).toEqual([304, '']);
  await beat(window({ side: 'browser', type: 'chrome' }));
  expect((await request({ 'if-none-match': etag })).status).toBe(200);
});

test('does not count a connection in one organization for another', async () => {
  const other = await server.make.organization('Other');
  await beat(window(), false, acme.owner);
  expect(await statusOf(acme.owner)).toMatchObject({ ide_status: 'connected' });
  await beat(window(), false, other.owner, other.id);
  const members = await server.as(acme.owner, acme.id)(listMembersExtensionStatus, {});
  expect(members.map(({ user_id }) => user_id).sort()).toEqual([acme.owner.id, ada.id].sort());
  expect(await refusalOf(beat(window(), false, other.owner, acme.id))).toEqual({ status: 403, code: 'forbidden' });
});

test('omits a deactivated member from the list and rejects their heartbeats', async () => {
  await beat(window());
  await server.as(acme.owner, acme.id)(deactivateMember, { params: { userId: ada.id } });
  expect(await membersStatus()).toBeUndefined();
  expect(await refusalOf(beat(window()))).toEqual({ status: 403, code: 'forbidden' });
});

test('lists the contributors of a repository with browser and editor status', async () => {
  const { fullName } = await repository(ada);
  await beat(window());
  await beat(window({ side: 'browser', type: 'chrome' }));
  await beat(window({ side: 'browser', type: 'edge' }), false);
  const { rows } = await server.as(acme.owner, acme.id)(listContributors, {
    params: { provider: 'github', repoPath: fullName },
  });
  expect(rows).toMatchObject([
    { user_id: ada.id, ide_status: 'connected', ide_type: 'vscode', browser_status: 'connected', browser_type: 'edge' },
  ]);
});

test('shows members without permission to read members only their own connection status', async () => {
  const bob = await server.make.member(acme.id, 'rol_contributor');
  const { fullName } = await repository(ada, bob);
  await beat(window());
  const params = { provider: 'github' as const, repoPath: fullName };
  const { rows } = await server.as(bob, acme.id)(listContributors, { params });
  const shown = new Map(
    rows.map(({ user_id, ide_status, browser_status }) => [user_id, { ide_status, browser_status }]),
  );
  expect(shown.get(ada.id)).toEqual({ ide_status: null, browser_status: null });
  expect(shown.get(bob.id)).toEqual({ ide_status: 'disconnected', browser_status: 'disconnected' });
});

test('opens a context for a visible repository and for a file in it', async () => {
  const { id, fullName } = await repository(ada);
  const request = (body: object, who = ada) => server.as(who, acme.id)(openContext, { body: { ...empty, ...body } });
  const opened = await request({ repo: `git@code.example:${fullName}.git` });
  expect(opened).toEqual({ contextId: expect.any(String), repository: { id, fullName } });
  const file = await request({ repo: `https://code.example/${fullName}`, file: 'src/main.ts' });
  expect(file.repository).toEqual({ id, fullName });
  expect(file.contextId).not.toBe(opened.contextId);
  expect(await request({ repo: `https://code.example/${fullName}`, file: 'src/main.ts' })).toEqual(file);
  const none = { contextId: null, repository: null };
  expect(await request({ repo: `https://elsewhere.example/${fullName}` })).toEqual(none);
  expect(await request({ repo: null })).toEqual(none);
  const outsider = await server.make.member(acme.id, 'rol_contributor');
  expect(await request({ repo: `https://code.example/${fullName}` }, outsider)).toEqual(none);
});

const empty = { workspace: '', repo: null, branch: null, file: null };

/** Creates an enabled repository with commits of these accounts. */
async function repository(...people: TestAccount[]): Promise<{ id: string; fullName: string }> {
  const id = newId();
  const fullName = `acme/r-${id.slice(-6)}`;
  await server.services.database.withOrg(acme.id, async ({ db }) => {
    await db
      .insertInto('repository')
      .values({
        org_id: acme.id,
        id,
        provider: 'github',
        provider_repo_id: id,
        installation_id: '1',
        owner: 'acme',
        name: fullName.slice(5),
        full_name: fullName,
        default_branch: 'main',
        is_private: true,
        html_url: `https://code.example/${fullName}`,
        tracked: true,
      })
      .execute();
    for (const who of people) {
      const { person_id } = await db
        .selectFrom('identity')
        .select('person_id')
        .where('org_id', '=', acme.id)
        .where('kind', '=', 'account')
        .where('value', '=', who.id)
        .executeTakeFirstOrThrow();
      await db
        .insertInto('contributor')
        .values({
          org_id: acme.id,
          repository_id: id,
          person_id,
          name: who.name,
          email: who.email,
          login: null,
          commits: 1,
          last_commit: new Date('2026-03-01T12:00:00Z'),
        })
        .execute();
    }
  });
  return { id, fullName };
}
