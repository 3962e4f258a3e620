import { randomBytes, randomUUID } from 'node:crypto';
import { type Namespace, realtimePath } from '@sightline/contract/delivery/realtime.ts';
import { deactivateMember } from '@sightline/contract/organization/members.ts';
import { enableRepositories } from '@sightline/contract/sources/repositories.ts';
import { queryEvents, recordEvents } from '@sightline/contract/timeline/events.ts';
import {
  type EditorContextResponse,
  type ExtensionSession,
  getUserStatus,
  openContext,
  type SocketRefusal,
} from '@sightline/contract/tools/presence.ts';
import type { Activity, EventsPage } from '@sightline/contract/tools/presence-history.ts';
import { io, type Socket } from 'socket.io-client';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { factId, newId } from '#core/ids.ts';
import { startTestServer, type TestAccount, type TestOrganization, type TestServer } from '#testing/server.ts';
import type { HostCommit } from '../../../providers/host-facts.ts';
import { setFlag } from '../../identity/flags/commands.ts';
import { ingestChanges, ingestCommits } from '../../sources/ingest/commands.ts';
import { endSocketSession } from './commands.ts';

// Two nodes on one database: a change on one node applies on the other.
let one: TestServer;
let other: TestServer;
let acme: TestOrganization;
let ada: TestAccount;
const open: Socket[] = [];
beforeAll(async () => {
  const environment = { MASTER_KEY: randomBytes(32).toString('base64') };
  one = await startTestServer({ environment });
  other = await startTestServer({ environment, beside: one });
});
beforeEach(async () => {
  acme = await one.make.organization('Acme');
  ada = await one.make.member(acme.id, 'rol_contributor');
});
afterEach(() => {
  for (const socket of open.splice(0)) socket.disconnect();
});
afterAll(async () => {
  await other.close();
  await one.close();
});

async function connect(
  namespace: Namespace,
  { who = ada, server = one, auth = {} }: { who?: TestAccount; server?: TestServer; auth?: object } = {},
): Promise<Socket> {
  const socket = io(`${server.url}${namespace}`, {
    path: realtimePath,
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    auth: { token: await one.token(who, acme.id), ...auth },
  });
  open.push(socket);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  return socket;
}

const window = (): ExtensionSession => ({ side: 'ide', sessionId: randomUUID(), type: 'vscode', version: '1.0.0' });
const statusOn = (server: TestServer, who = ada) => server.as(who, acme.id)(getUserStatus, {});
const expectStatus = (server: TestServer, ide_status: 'connected' | 'disconnected') =>
  vi.waitFor(async () => expect(await statusOn(server)).toMatchObject({ ide_status }), { timeout: 10_000 });
const refused = (code: string) => ({ error: { code, message: expect.any(String) } });

test('marks an editor connected on every node while its socket is open and notifies subscribers', async () => {
  expect(await statusOn(other)).toMatchObject({ ide_status: 'disconnected' });
  const page = await connect('/user', { server: other });
  const colleague = await connect('/user', { server: other, who: acme.owner });
  const received: [string, unknown][] = [];
  page.onAny((name, notice) => received.push([`page ${name}`, notice]));
  colleague.onAny((name, notice) => received.push([`colleague ${name}`, notice]));
  const editor = await connect('/ide/context', { auth: { session: window() } });
  await expectStatus(other, 'connected');
  const notice = { accountIds: [ada.id] };
  const statusNotices = [
    ['colleague extStatus', notice],
    ['page extStatus', notice],
    ['page userStatus', { accountId: ada.id }],
  ];
  await vi.waitFor(() => expect(received.toSorted()).toEqual(statusNotices), { timeout: 10_000 });
  editor.disconnect();
  await expectStatus(other, 'disconnected');
  await vi.waitFor(() => expect(received.toSorted()).toEqual([...statusNotices, ...statusNotices].toSorted()), {
    timeout: 10_000,
  });
});

test('sends no update for a second window and stays connected while one window remains', async () => {
  const page = await connect('/user', { who: acme.owner });
  const received: string[] = [];
  page.onAny((name) => received.push(name));
  const first = await connect('/ide/context', { auth: { session: window() } });
  await expectStatus(one, 'connected');
  const second = await connect('/ide/context', { auth: { session: window() } });
  await second.emitWithAck('context', {});
  first.disconnect();
  await second.emitWithAck('context', {});
  expect(await statusOn(one)).toMatchObject({ ide_status: 'connected' });
  expect(received).toEqual(['extStatus']);
});

test('allows a dropped connection to resume within a grace period, also on another node', async () => {
  const session = window();
  const before = await connect('/ide/context', { auth: { session } });
  await expectStatus(one, 'connected');
  const page = await connect('/user', { who: acme.owner });
  const received: string[] = [];
  page.onAny((name) => received.push(name));
  const [row] = await rowOf(session);
  const after = await connect('/ide/context', { server: other, auth: { session } });
  await after.emitWithAck('context', {});
  before.io.engine.close();
  const sessionKey = { orgId: acme.id, accountId: ada.id, session };
  expect(
    await endSocketSession(one.services.database, sessionKey, { holder: row?.holder, gone: true }),
  ).toBeUndefined();
  expect(await statusOn(other)).toMatchObject({ ide_status: 'connected' });
  expect(await livesFor(session)).toBeGreaterThan(60);
  expect(received).toEqual([]);
});

test('ends a dropped connection shortly after the grace period', async () => {
  const session = window();
  const editor = await connect('/ide/context', { auth: { session } });
  await expectStatus(one, 'connected');
  editor.io.engine.close();
  await vi.waitFor(async () => expect(await livesFor(session)).toBeLessThan(20), { timeout: 10_000 });
  expect(await statusOn(one)).toMatchObject({ ide_status: 'connected' });
});

const rowOf = ({ sessionId }: ExtensionSession) =>
  one.services.database.withOrg(acme.id, (tx) =>
    tx.query<{ lives: string; holder: string }>({
      name: '',
      text: 'select extract(epoch from live_until - now()) as lives, holder from extension_session where id = $1',
      values: [sessionId],
    }),
  );
const livesFor = async (session: ExtensionSession) => Number((await rowOf(session))[0]?.lives);
test('disconnects a deactivated member and ends their session at once', async () => {
  const editor = await connect('/ide/context', { auth: { session: window() } });
  await expectStatus(one, 'connected');
  const disconnected = new Promise<void>((resolve) => editor.once('disconnect', () => resolve()));
  await one.as(acme.owner, acme.id)(deactivateMember, { params: { userId: ada.id } });
  await disconnected;
  await vi.waitFor(
    async () => {
      const [row] = await one.services.database.withOrg(acme.id, (tx) =>
        tx.query<{ live: boolean }>({
          name: '',
          text: 'select live_until > now() as live from extension_session',
          values: [],
        }),
      );
      expect(row?.live).toBe(false);
    },
    { timeout: 10_000 },
  );
});

test('sets the current project from the editor only when the repository is visible', async () => {
  const seen = await repository(ada);
  const foreign = await repository(acme.owner);
  const page = await connect('/project');
  const received: unknown[] = [];
  page.on('currentProject', (notice) => received.push(notice));
  const editor = await connect('/ide/context', { auth: { session: window() } });
  const sendContext = (given: object): Promise<EditorContextResponse> => editor.emitWithAck('context', given);
  expect(await sendContext({ repo: seen.url, branch: 'main' })).toEqual({
    contextId: expect.any(String),
    repository: { id: seen.id, fullName: seen.fullName },
  });
  expect((await statusOn(other)).currentProject).toEqual({
    repositoryId: seen.id,
    fullName: seen.fullName,
    branch: 'main',
  });
  await vi.waitFor(() => expect(received).toEqual([{ repositoryId: seen.id }]), { timeout: 10_000 });
  expect(await sendContext({ repo: foreign.url })).toEqual({ contextId: null, repository: null });
  await vi.waitFor(async () => expect((await statusOn(other)).currentProject).toBeNull(), { timeout: 10_000 });
});

test.each<[string, unknown]>([
  ['no object', 'x'],
  ['an array', []],
  ['an unknown field', { surprise: 1 }],
  ['an oversized value', { workspace: 'x'.repeat(201) }],
  ['a NUL character', { branch: '\0' }],
])('rejects %s with a reason and keeps the socket open', async (_name, given) => {
  const editor = await connect('/ide/context', { auth: { session: window() } });
  expect(await editor.emitWithAck('context', given)).toEqual(refused('validation_failed'));
  expect(await editor.emitWithAck('context', {})).toEqual({ contextId: null, repository: null });
  editor.emit('context', given);
  editor.emit('context');
  expect(await editor.emitWithAck('context')).toEqual(refused('validation_failed'));
});

test('connects no member when the session is invalid', async () => {
  for (const session of [undefined, 'x', { ...window(), side: 'phone' }, { ...window(), more: 1 }]) {
    const editor = await connect('/ide/context', { auth: { session } });
    expect(await editor.emitWithAck('context', {})).toEqual({ contextId: null, repository: null });
  }
  expect(await statusOn(one)).toMatchObject({ ide_status: 'disconnected', ide_timestamp: null });
});

test('rate limits a socket that sends too many requests', async () => {
  const page = await connect('/user');
  const answers = await Promise.all(Array.from({ length: 60 }, () => page.emitWithAck('askActivity', {})));
  expect(answers.filter((answer) => 'error' in answer)).not.toEqual([]);
  expect(answers.filter((answer) => 'error' in answer)[0]).toEqual(refused('rate_limited'));
  expect(answers.filter((answer) => 'ide' in answer).length).toBeGreaterThanOrEqual(30);
});

const view = (at: string) => ({
  plugin_id: 'sightline-browser',
  event_type: 'web_page_view',
  message_id: randomUUID(),
  identifiers: {},
  original_timestamp: at,
  tracking_source: 'chrome',
  content_uri: 'https://developer.mozilla.org/',
});

test('pages history backward and returns only events of the requesting member', async () => {
  const mine = [1, 2, 3].map((hour) => view(`2026-03-01T0${hour}:00:00Z`));
  await one.as(ada, acme.id)(recordEvents, { body: mine });
  await one.as(acme.owner, acme.id)(recordEvents, { body: [view('2026-03-01T05:00:00Z')] });
  const page = await connect('/user');
  const kinds = ['web_page_view'];
  const requestHistory = (given: object): Promise<EventsPage> => page.emitWithAck('askHistory', { kinds, ...given });
  const first = await requestHistory({ limit: 2 });
  const ids = ({ events }: EventsPage) => events.map(({ uuid }) => uuid);
  expect(ids(first)).toEqual([mine[2]?.message_id, mine[1]?.message_id]);
  const second = await requestHistory({ limit: 2, before: first.next });
  expect([ids(second), second.next]).toEqual([[mine[0]?.message_id], null]);
  expect(ids(await requestHistory({ before: '2026-03-01T02:30:00Z' }))).toEqual([
    mine[1]?.message_id,
    mine[0]?.message_id,
  ]);
  expect(ids(await requestHistory({ kinds: ['commit'] }))).toEqual([]);
  expect(await requestHistory({ before: 'yesterday' })).toEqual(refused('validation_failed'));
  const activity: Activity = await page.emitWithAck('askActivity', {});
  expect(activity).toMatchObject({
    ide: { status: 'disconnected', timestamp: null, type: null },
    currentProject: null,
    lastEvent: { as_of: mine[2]?.original_timestamp },
  });
  const since: Activity = await page.emitWithAck('askActivity', { since: '2026-03-01T04:00:00Z' });
  expect(since.lastEvent).toBeNull();
  // The owner may see all events, but history requests return only their own.
  const owners: EventsPage = await (await connect('/user', { who: acme.owner })).emitWithAck('askHistory', { kinds });
  expect(owners.events).toHaveLength(1);
});

test('notifies sockets that list projects when a repository is disabled', async () => {
  const { id } = await repository(acme.owner);
  const page = await connect('/project');
  const received = new Promise((resolve) => page.once('listProjects', resolve));
  const choice = { id, tracked: false };
  await one.as(acme.owner, acme.id)(enableRepositories, { body: { providerRepos: { github: { acme: [choice] } } } });
  expect(await received).toEqual({});
});

test('answers requests about a project only for members who can see it', async () => {
  const { id } = await repository(ada);
  const page = await connect('/project');
  expect(await page.emitWithAck('askHistory', {})).toEqual(refused('not_found'));
  expect(await page.emitWithAck('askHistory', { projectId: id })).toEqual({ events: [], next: null });
  expect(await page.emitWithAck('askHistory', { projectId: newId() })).toEqual(refused('not_found'));
  const outsider = await one.make.member(acme.id, 'rol_contributor');
  const theirs = await connect('/project', { who: outsider });
  const answer: SocketRefusal = await theirs.emitWithAck('askActivity', { projectId: id });
  expect(answer).toEqual(refused('not_found'));
});

test('returns no history and no editor context while Explore is disabled', async () => {
  const { id, url } = await repository(ada);
  await setFlag(one.services, { orgId: acme.id }, { name: 'release2', enabled: false, operator: 'olga' });
  const page = await connect('/user');
  expect(await page.emitWithAck('askHistory', {})).toEqual(refused('not_found'));
  expect(await page.emitWithAck('askActivity', {})).toMatchObject({ lastEvent: null });
  const editor = await connect('/ide/context', { auth: { session: window() } });
  expect(await editor.emitWithAck('context', { repo: url })).toMatchObject({ contextId: null, repository: { id } });
});

test('rejects history requests without an organization', async () => {
  const socket = io(`${one.url}/user`, {
    path: realtimePath,
    transports: ['websocket'],
    forceNew: true,
    auth: { token: await one.token(ada) },
  });
  open.push(socket);
  expect(await socket.emitWithAck('askHistory', {})).toEqual(refused('forbidden'));
});

test('opens Explore on the commits that changed a file', async () => {
  const { id, url } = await repository(acme.owner);
  const [first, , third] = await commits(id, [['src/main.ts', 'README.md'], ['README.md'], ['src/main.ts'], null]);
  const owner = one.as(acme.owner, acme.id);
  const eventsOfFile = async (file: string) => {
    const body = { workspace: '', repo: url, branch: null, file };
    const { contextId } = await owner(openContext, { body });
    const { events } = await owner(queryEvents, { body: { context: contextId ?? '' } });
    return events.map(({ uuid }) => uuid).sort();
  };
  expect(await eventsOfFile('src/main.ts')).toEqual([first, third].sort());
  expect(await eventsOfFile('src')).toEqual([]);
  expect(await eventsOfFile('"}]')).toEqual([]);
  // A contributor sees only their own commits, and these are the owner's.
  const { contextId } = await one.as(ada, acme.id)(openContext, {
    body: { workspace: '', repo: url, branch: null, file: 'src/main.ts' },
  });
  expect(contextId).toBeNull();
});

/** Imports commits of the owner that changed the given files, null for unknown files. Returns their event IDs. */
async function commits(repositoryId: string, changedFiles: (string[] | null)[]): Promise<string[]> {
  const person = { name: 'Olga', email: acme.owner.email, login: null, avatarUrl: null };
  const hostCommits = changedFiles.map((files, index): HostCommit => {
    const at = `2026-03-01T1${index}:00:00Z`;
    return {
      sha: String(index).repeat(40),
      message: `Change ${index}`,
      author: person,
      committer: person,
      authoredAt: at,
      committedAt: at,
      parents: [],
      ...(files && {
        changes: {
          additions: 1,
          deletions: 0,
          files: files.map((path) => ({ path, status: 'modified', additions: 1, deletions: 0 })),
        },
      }),
    };
  });
  await ingestCommits(one.services, acme.id, repositoryId, { commits: hostCommits, branch: 'main' });
  await ingestChanges(one.services, acme.id, repositoryId, [{ sha: '3'.repeat(40), changes: undefined }]);
  return hostCommits.map(({ sha }) => factId('commit', repositoryId, sha));
}

/** Creates an enabled repository with commits of `who`. */
async function repository(who: TestAccount): Promise<{ id: string; fullName: string; url: string }> {
  const id = newId();
  const name = `r-${id.slice(-6)}`;
  const fullName = `acme/${name}`;
  const url = `https://code.example/${fullName}`;
  await one.services.database.withOrg(acme.id, async (tx) => {
    await tx.db
      .insertInto('repository')
      .values({
        org_id: acme.id,
        id,
        provider: 'github',
        provider_repo_id: id,
        installation_id: '1',
        owner: 'acme',
        name,
        full_name: fullName,
        default_branch: 'main',
        is_private: true,
        html_url: url,
        tracked: true,
      })
      .execute();
    await tx.query({
      name: '',
      text: `insert into contributor (org_id, repository_id, person_id, name, email, commits, last_commit)
             select $1, $2, person_id, 'Somebody', 'x@example.org', 1, now() from identity
             where org_id = $1 and kind = 'account' and value = $3`,
      values: [acme.id, id, who.id],
    });
  });
  return { id, fullName, url };
}
