import { createStory } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SandboxGithub, startSandboxGithub } from '#providers/github/sandbox.fixture.ts';
import { startTestServer, type TestAccount, type TestOrganization, type TestServer } from '#testing/server.ts';
import { createCheckmarxHelpers } from '../domains/vulnerabilities/scanners/checkmarx-connected.fixture.ts';

let story: Awaited<ReturnType<typeof createStory>>;
let github: SandboxGithub;
let server: TestServer;
let acme: TestOrganization;
let member: TestAccount;

beforeAll(async () => {
  story = await createStory('widgets');
  github = await startSandboxGithub([story.path]);
  server = await startTestServer({ environment: { ...github.environment, CHECKMARX_BASE_URL: github.sandbox.url } });
  acme = await server.make.organization();
  member = await server.make.member(acme.id, 'rol_reviewer');
  await checkmarx.enable(acme);
  await checkmarx.connect(acme);
});
afterAll(async () => {
  await server.close();
  await github.close();
  await story.remove();
});
const checkmarx = createCheckmarxHelpers(
  () => server,
  () => github,
);

// biome-ignore lint/suspicious/noExplicitAny: a client that knows the specification and none of our types
type AnyJson = any;

/** Sends requests like a client that knows only the specification. */
async function ask(method: string, path: string, body?: unknown): Promise<{ status: number; body: AnyJson }> {
  const response = await fetch(`${server.url}/api${path}`, {
    method,
    headers: {
      authorization: `Bearer ${await server.token(acme.owner, acme.id)}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}

interface RoundTrip {
  get: string;
  send: 'POST' | 'PUT' | 'PATCH';
  /** The path that receives the body, unless it is that of the GET. */
  to?: () => string;
  /** Returns the body from the response. The default is all of it. */
  body?: (read: AnyJson) => unknown;
  /** Returns the part that must not change. The default is all of it. */
  unchanged?: (read: AnyJson) => unknown;
}

const repos = '/v2/auth0mgm/org/repos';
const org = '/v2/auth0mgm/org';
const eachRepository = (map: AnyJson, change: (repository: AnyJson) => AnyJson) => ({
  providerRepos: Object.fromEntries(
    Object.entries(map.providerRepos).map(([provider, owners]) => [
      provider,
      Object.fromEntries(
        Object.entries(owners as AnyJson).map(([owner, list]) => [owner, (list as AnyJson).map(change)]),
      ),
    ]),
  ),
});

/** Every path of section 7 that supports reading and writing, with the body that a client sends back. */
const roundTrips: Record<string, RoundTrip> = {
  'GET and POST repositories: the full map': { get: repos, send: 'POST' },
  'GET and POST repositories: with the fields of a repository of section 3': {
    get: repos,
    send: 'POST',
    body: (read) =>
      eachRepository(read, ({ isPrivate, ...repository }) => ({
        ...repository,
        orgId: acme.id,
        owner: 'sandbox',
        provider: 'github',
        private: isPrivate,
      })),
  },
  'GET and POST repositories: a part of the map': {
    get: repos,
    send: 'POST',
    body: (read) => ({ providerRepos: { github: { sandbox: read.providerRepos.github.sandbox.slice(0, 1) } } }),
  },
  'GET and POST repositories: id and tracked alone': {
    get: repos,
    send: 'POST',
    body: (read) => eachRepository(read, ({ id, tracked }) => ({ id, tracked })),
  },
  'GET and PUT the organization': { get: org, send: 'PUT' },
  'GET the organization and POST one like it': {
    get: org,
    send: 'POST',
    body: (read) => ({ ...read, displayName: 'Acme again' }),
  },
  'GET the list of organizations and PUT one of it': {
    get: '/v2/auth0mgm/user/organizations?include_invitations=true',
    send: 'PUT',
    to: () => org,
    body: ([first]) => first,
    unchanged: ([first]) => first,
  },
  'GET the account and POST its description': {
    get: '/account/me',
    send: 'POST',
    to: () => '/account/me/description',
    body: ({ nid, traits }) => ({ id: nid, ...traits.description }),
  },
  'GET the account and POST the registration': {
    get: '/account/me',
    send: 'POST',
    to: () => '/v2/auth/register',
    body: ({ traits: { alias, description } }) => ({ alias, description }),
  },
  'GET the members and PATCH a role': {
    get: '/v2/auth0mgm/org/members',
    send: 'PATCH',
    to: () => `/v2/auth0mgm/org/users/${member.id}/update-role`,
    body: (rows) => {
      const { role } = rows.find((row: AnyJson) => row.user_id === member.id);
      return { oldRole: role.id, newRole: 'rol_contributor' };
    },
    unchanged: (rows) => rows.length,
  },
  'GET and POST the scanner': {
    get: '/v2/integrations/checkmarx',
    send: 'POST',
    body: (read) => ({ ...read, apiKey: checkmarx.key() }),
    unchanged: ({ sync: _ofNow, ...settings }) => settings,
  },
  'GET and PUT notification settings': { get: '/v2/notifications/settings', send: 'PUT' },
  'GET and PUT what a role is notified of': {
    get: '/v2/notifications/defaults',
    send: 'PUT',
    to: () => '/v2/notifications/defaults/rol_reviewer',
    body: (rows) => rows.find(({ role }: AnyJson) => role === 'rol_reviewer').settings,
  },
};

test.each(Object.entries(roundTrips))('accepts its own response as a request: %s', async (_name, trip) => {
  const { get, send, to = () => get, body = (read: AnyJson) => read, unchanged = (read: AnyJson) => read } = trip;
  const read = await ask('GET', get);
  expect(read.status).toBe(200);
  const sent = await ask(send, to(), body(read.body));
  expect([sent.status, sent.body]).toEqual([expect.toSatisfy((status) => status < 300), expect.anything()]);
  expect(unchanged((await ask('GET', get)).body)).toEqual(unchanged(read.body));
});

test('changes no repository when the map is sent back unmodified, and applies a changed flag', async () => {
  const { body: read } = await ask('GET', repos);
  const tracked = (map: AnyJson) => Object.values(map.providerRepos.github).flat() as AnyJson[];
  expect(tracked(read).map((one) => one.tracked)).toEqual(tracked(read).map(() => true));
  const off = await ask(
    'POST',
    repos,
    eachRepository(read, (one) => ({ ...one, tracked: false })),
  );
  expect(tracked(off.body).map((one) => one.tracked)).toEqual(tracked(read).map(() => false));
  expect((await ask('POST', repos, read)).body).toEqual(read);
});

test('reports an unknown field with its path', async () => {
  const { body: read } = await ask('GET', repos);
  const sent = await ask(
    'POST',
    repos,
    eachRepository(read, (one) => ({ ...one, color: 'red', size: 1 })),
  );
  expect(sent.status).toBe(400);
  expect(sent.body.message).toBe('providerRepos.github.sandbox.0.color: is not a known field');
  expect(sent.body.details.map(({ field }: AnyJson) => field).slice(0, 2)).toEqual([
    'providerRepos.github.sandbox.0.color',
    'providerRepos.github.sandbox.0.size',
  ]);
});
