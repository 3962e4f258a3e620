import { realtimePath } from '@sightline/contract/delivery/realtime.ts';
import { reportTools } from '@sightline/contract/tools/editor-reports.ts';
import { io, type Socket } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { newId } from '#core/ids.ts';
import { createScanResult, createTestScanner } from '#testing/findings.ts';
import { startWorld } from '../domains/compliance/changes/changes.fixture.ts';
import { raiseNotifications } from '../domains/delivery/notifications/commands.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
  const { control, numberOf, recordOf, story } = world;
  const number = numberOf('two');
  const message = 'Write it\n\nCo-authored-by: Claude <noreply@anthropic.com>';
  await control('push', { branch: 'two', by: 'ada', message, files: { 'agent.txt': 'a\n' } });
  const head = story.git(['rev-parse', 'two']);
  await control('check', { sha: head, name: 'build' });
  await control('check', { sha: head, name: 'lint', conclusion: 'failure' });
  await control('merge', { number, by: 'bob' });
  await recordOf(number, ({ parts }) => expect(parts.checks.value).toHaveLength(2));
}, 90_000);
afterAll(() => world.close());

// biome-ignore lint/suspicious/noExplicitAny: a client that knows the specification and none of our types
type AnyJson = any;

/** Sends requests like a client that knows only the specification. */
async function ask(method: string, path: string, body?: unknown): Promise<{ status: number; body: AnyJson }> {
  const { server, acme } = world;
  const response = await fetch(`${server.url}/api${path}`, {
    method,
    headers: {
      authorization: `Bearer ${await server.token(acme.owner, acme.id)}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}
const explore = (body: object) => ask('POST', '/v2/events/explore/query', body);
const inventory = (body: object) => ask('POST', '/v2/tools/inventory', body);
const idsOf = ({ body }: { body: AnyJson }) => body.events.map(({ uuid }: AnyJson) => uuid);
const repository = 'github/sandbox%2Fwidgets';

describe('explore/query', () => {
  const pulls = { filters: [{ within: 'event', field: 'kind', predicate: 'is', arguments: ['pullRequest'] }] };

  test('accepts a context as filters, in the format of a saved context, and null', async () => {
    const [pull] = (await ask('GET', `/v2/repositories/${repository}/pull-requests?statuses=accepted`)).body;
    const { contextId } = pull.exploreContext;
    const { body: saved } = await ask('GET', `/v2/events/explore/context/${contextId}`);
    const byId = await explore({ context: contextId, query: '' });
    expect(byId.body.events.length).toBeGreaterThan(0);
    expect(idsOf(await explore({ context: saved, query: '' }))).toEqual(idsOf(byId));
    expect(idsOf(await explore({ context: { filters: saved.filters }, query: '' }))).toEqual(idsOf(byId));
    const other = { ...saved.filters[0], arguments: ['of-nobody'] };
    expect((await explore({ context: { filters: [other] } })).body.events).toEqual([]);
    const none = await explore({ context: null, query: '' });
    expect(none.body.request.context).toBeNull();
    expect(none.body.events.length).toBeGreaterThanOrEqual(byId.body.events.length);
  });

  test('accepts the cursors it returned, including null', async () => {
    const empty = await explore({ query: 'actor:nobody-of-that-name' });
    expect(empty.body.cursors).toEqual({ older: null, newer: null });
    const again = { events: 5, direction: 'older', cursors: empty.body.cursors };
    expect((await explore({ context: null, query: '', pagination: again })).body.events).toHaveLength(5);
    const first = await explore({ query: '', pagination: { events: 2, direction: 'older' } });
    const next = await explore({
      query: '',
      pagination: { events: 2, direction: 'older', cursors: first.body.cursors },
    });
    expect(idsOf(next)).not.toEqual(idsOf(first));
  });

  test('uses the kinds of section 3 in filters, queries and responses', async () => {
    const all = await explore({ context: pulls, query: '' });
    expect(all.body.events.length).toBeGreaterThan(0);
    expect(new Set(all.body.events.map(({ kind, type }: AnyJson) => `${kind} ${type}`))).toEqual(
      new Set(['pullRequest pull_request']),
    );
    for (const query of ['kind:pullRequest', 'kind:pull_request', 'type:pullrequest'])
      expect([query, idsOf(await explore({ query }))]).toEqual([query, idsOf(all)]);
    const both = { ...pulls.filters[0], predicate: 'in', arguments: ['pullRequest', 'webPageView', 'commit'] };
    const kinds = (await explore({ context: { filters: [both] } })).body.events.map(({ kind }: AnyJson) => kind);
    expect(new Set(kinds)).toEqual(new Set(['pullRequest', 'commit']));
  });

  test('returns events with every field of section 3', async () => {
    const { body } = await explore({ query: 'kind:commit', pagination: { events: 3 } });
    for (const { uuid, kind, as_of: asOf, summary, detail } of body.events) {
      expect({ uuid, kind, asOf }).toEqual({ uuid: expect.any(String), kind: 'commit', asOf: expect.any(String) });
      expect(detail.parameters.length).toBeGreaterThan(0);
      const fields = {
        kind: expect.any(String),
        display: expect.any(String),
        ident: expect.any(String),
        data: expect.any(Object),
        icon: expect.any(String),
      };
      for (const parameter of [...summary.parameters, ...detail.parameters]) expect(parameter).toMatchObject(fields);
    }
    const lean = await explore({ query: 'kind:commit', pagination: { events: 3 }, details: false });
    expect(lean.body.events[0]).not.toHaveProperty('detail');
  });
});

test('tools/inventory accepts filters in an object, times in its period, and a named range', async () => {
  const { server, acme } = world;
  const tools = [{ id: 'golang.go', name: 'Go', version: '0.50.0' }];
  const body = { deviceId: newId(), type: 'vscode' as const, version: '1.105.0', tools };
  await server.as(acme.owner, acme.id)(reportTools, { body });
  const names = async (question: object) => (await inventory(question)).body.map(({ name }: AnyJson) => name);
  const all = await names({ tab: 'developer' });
  expect(all).toContain('Go');
  expect(await names({ filters: { tab: 'developer' } })).toEqual(all);
  expect(await names({ filters: { tab: 'developer', search: 'nothing of that name' } })).toEqual([]);
  const now = Date.now();
  const iso = (days: number) => new Date(now + days * 86_400_000).toISOString();
  expect(await names({ filters: { tab: 'developer' }, period: `${iso(-1)},${iso(0)}` })).toEqual(all);
  expect(await names({ filters: { tab: 'developer' }, period: `${iso(-9)},${iso(-2)}` })).toEqual([]);
  for (const activeRange of ['7', '14 days', '30', 'this year', 'any', 'custom'])
    expect([activeRange, await names({ filters: { tab: 'developer', activeRange } })]).toEqual([activeRange, all]);
  expect((await inventory({ activeRange: 'whenever' })).status).toBe(400);
  const [row] = (await inventory({ tab: 'developer' })).body.filter(({ name }: AnyJson) => name === 'Go');
  expect(row).toMatchObject({ source: 'vscode', sources: ['vscode'] });
});

test('repositories include the private field in the list, individually and in the map', async () => {
  const [listed] = (await ask('GET', '/v2/repositories')).body;
  const { body: single } = await ask('GET', `/v2/repositories/${repository}`);
  const [offered] = (await ask('GET', '/v2/auth0mgm/org/repos')).body.providerRepos.github.sandbox;
  expect(listed.private).toEqual(expect.any(Boolean));
  expect([single.private, offered.private, offered.isPrivate]).toEqual([
    listed.private,
    listed.private,
    listed.private,
  ]);
});

test('pull requests include the member that authored them, their checks and their AI share', async () => {
  const { body } = await ask('GET', `/v2/repositories/${repository}/pull-requests?statuses=in-progress,accepted`);
  const of = (headRef: string) => body.find((pull: AnyJson) => pull.headRef === headRef);
  const { acme } = world;
  expect(of('two')).toMatchObject({
    author: { authorLogin: 'ada', member: { user_id: acme.owner.id, name: acme.owner.name } },
    checks: { total: 2, failed: 1 },
    // One of the two added lines.
    aiShare: { ratio: 0.5, confidence: 'declared' },
  });
  // Zoë is not a member, and her pull request is open.
  expect(of('one')).toMatchObject({ author: { member: null }, checks: null, aiShare: null });
  const { body: single } = await ask('GET', `/v2/repositories/${repository}/pull-requests/${of('two').number}`);
  expect(single).toEqual(of('two'));
});

test('contributors include their aliases', async () => {
  const { body } = await ask('GET', `/v2/repositories/${repository}/contributors`);
  const ada = body.find(({ user_id: id }: AnyJson) => id === world.acme.owner.id);
  expect(ada.aliases).toContain(world.acme.owner.email);
  expect(ada.aliases).not.toContain(ada.name);
  expect(ada.aliases).not.toContain(world.acme.owner.id);
});

test('vulnerabilities include the acknowledged field and can be filtered by it and by tool', async () => {
  const { server, acme, repositoryId } = world;
  const { send } = await createTestScanner(server, acme, repositoryId);
  await send([
    createScanResult({ ruleId: 'open', path: 'src/open.ts' }),
    createScanResult({
      ruleId: 'known',
      path: 'src/known.ts',
      state: 'suppressed',
      suppressed: { reason: 'inSource', comment: 'checked' },
    }),
  ]);
  const found = async (query: string) =>
    (await ask('GET', `/v2/vulnerabilities?${query}`)).body.map(({ status, acknowledged }: AnyJson) => [
      status,
      acknowledged,
    ]);
  expect(await found('tool=codeql')).toEqual([['open', false]]);
  expect(await found('tool=semgrep')).toEqual([]);
  expect(await found('status=acknowledged')).toEqual([['dismissed', true]]);
  const { body: stats } = await ask('GET', '/v2/vulnerabilities/stats?tool=semgrep');
  expect(stats.total).toBe(0);
});

test('newNotification sends the notification only to the member in that organization', async () => {
  const { server, acme } = world;
  const other = await server.make.organization('Other');
  const { database, people } = server.services;
  await database.withOrg(other.id, async (tx) => {
    const names = [{ kind: 'account', value: acme.owner.id } as const];
    await people.resolve(tx, other.id, [{ names, display: acme.owner.name, picture: null, source: 'sightline' }]);
    const member = { org_id: other.id, account_id: acme.owner.id, role_id: 'rol_owner', status: 'active' };
    await tx.db.insertInto('member').values(member).execute();
  });
  const sockets: Socket[] = [];
  const receiveNotifications = async (orgId: string): Promise<AnyJson[]> => {
    const auth = { token: await server.token(acme.owner, orgId) };
    const socket = io(`${server.url}/notifications`, {
      path: realtimePath,
      transports: ['websocket'],
      forceNew: true,
      auth,
    });
    sockets.push(socket);
    const received: AnyJson[] = [];
    socket.on('newNotification', (item) => received.push(item));
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('connect_error', reject);
    });
    return received;
  };
  const [here, elsewhere] = [await receiveNotifications(acme.id), await receiveNotifications(other.id)];
  const notification = {
    type: 'integration.failed',
    key: 'one',
    name: 'one',
    category: 'security-scanners',
    message: 'No.',
  } as const;
  await server.services.database.withOrg(acme.id, (tx) =>
    raiseNotifications(server.services, tx, acme.id, { actor: { integration: 'test' }, notifications: [notification] }),
  );
  await vi.waitFor(() => expect(here.map(({ title }) => title)).toContain('one failed'), { timeout: 20_000 });
  const { body } = await ask('GET', '/v2/notifications?types=integration.failed');
  expect(here.filter(({ type }) => type === 'integration.failed')).toEqual(body.items);
  expect(elsewhere).toEqual([]);
  for (const socket of sockets) socket.disconnect();
});
