import { deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStory } from './testing/repository.ts';
import { startTestSandbox } from './testing/sandbox.ts';

let story: Awaited<ReturnType<typeof createStory>>;
let world: Awaited<ReturnType<typeof startTestSandbox>>;

beforeAll(async () => {
  story = await createStory();
  world = await startTestSandbox([story.path]);
});
afterAll(async () => {
  await world.sandbox.close();
  await story.remove();
});

type Fields = Record<string, string>;
type SentForm = { action: string; fields: Fields; label: string };

const read = async (path: string): Promise<string> => {
  const answer = await fetch(new URL(path, world.sandbox.url));
  expect(answer.status, path).toBe(200);
  return answer.text();
};
const post = (path: string, fields: Fields): Promise<Response> =>
  fetch(new URL(path, world.sandbox.url), {
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual',
  });
/** Posts a form, which has to succeed, and reads the page that it leads to. */
const submit = async (path: string, fields: Fields): Promise<string> => {
  const answer = await post(path, fields);
  expect(answer.status, path).toBe(303);
  return read(answer.headers.get('location') ?? '');
};

const attribute = (tag: string, name: string): string | undefined => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
/** The forms of a page that post hidden fields with one button. */
const formsIn = (page: string): SentForm[] =>
  [...page.matchAll(/<form[^>]*>[\s\S]*?<\/form>/g)].map(([form]) => ({
    action: attribute(form, 'action') ?? '',
    fields: Object.fromEntries(
      (form.match(/<input type="hidden"[^>]*>/g) ?? []).map((input) => [
        attribute(input, 'name') ?? '',
        attribute(input, 'value') ?? '',
      ]),
    ),
    label: /<button[^>]*>([^<]*)<\/button>/.exec(form)?.[1] ?? '',
  }));
/** Presses the first button with this label on a page, and returns the page that follows. */
const press = async (path: string, label: string | RegExp): Promise<string> => {
  const form = formsIn(await read(path)).find((one) =>
    label instanceof RegExp ? label.test(one.label) : one.label === label,
  );
  if (form === undefined) throw new Error(`${path} has no button ${label}.`);
  return submit(form.action, form.fields);
};

test('every page is linked from the first one, and no link is broken', async () => {
  const visited = new Set<string>();
  const pending = ['/'];
  for (const path of pending) {
    if (visited.has(path)) continue;
    visited.add(path);
    const page = await read(path);
    const links = [...page.matchAll(/<a href="([^"]+)"/g)].map(([, link = '']) => new URL(link, world.sandbox.url));
    pending.push(...links.filter(({ origin }) => origin === world.sandbox.url).map(({ pathname }) => pathname));
  }
  const roots = [
    ...[
      '/gitlab',
      '/bitbucket',
      '/gitea',
      '/bitbucket-data-center',
      '/azure-devops',
      '/gerrit',
      '/checkmarx',
      '/sonarqube',
      '/semgrep',
      '/snyk',
    ],
    ...['/dependency-track', '/trackers', '/slack', '/teams', '/directory', '/saml'],
  ];
  expect([...visited]).toEqual(expect.arrayContaining([...roots, '/sandbox/widgets/pull/7']));
});

describe('a token of the page', () => {
  const create = async (path: string, fields: Fields): Promise<string> => {
    const page = await (await post(path, fields)).text();
    const token = /<code id="token">([^<]+)<\/code>|Token <code>([^<]+)<\/code>/.exec(page);
    return token?.[1] ?? token?.[2] ?? '';
  };
  const statusOf = async (path: string, token: string): Promise<number> => {
    const authorization = path.startsWith('/azure-devops')
      ? `Basic ${Buffer.from(`:${token}`).toString('base64')}`
      : `Bearer ${token}`;
    return (await fetch(new URL(path, world.sandbox.url), { headers: { authorization } })).status;
  };

  test.each([
    ['GitLab', '/gitlab/-/user_settings/personal_access_tokens', { scope: 'read_api' }, '/gitlab/api/v4/user'],
    ['Gitea', '/gitea/user/settings/applications', { scope: 'all' }, '/gitea/api/v1/repos/sandbox/widgets/hooks'],
    [
      'Bitbucket Data Center',
      '/bitbucket-data-center/plugins/servlet/access-tokens/manage',
      { permission: 'REPO_ADMIN' },
      '/bitbucket-data-center/rest/api/latest/projects/SANDBOX/repos/widgets/webhooks',
    ],
    [
      'Azure DevOps',
      '/azure-devops/tokens',
      { scope: 'read' },
      '/azure-devops/collection/sandbox/_apis/git/repositories?api-version=7.0',
    ],
    [
      'Bitbucket',
      '/bitbucket/account/api-tokens',
      { workspace: 'sandbox', login: '' },
      '/bitbucket/2.0/repositories/sandbox',
    ],
  ])('grants access to %s', async (_, page, fields, api) => {
    const token = await create(page, { login: 'ada', ...fields });
    expect(token).not.toBe('');
    expect(await statusOf(api, token)).toBe(200);
    expect(await statusOf(api, `${token.slice(0, -1)}_`)).toBe(401);
    const unknown = await post(page, { ...fields, login: 'unknown', workspace: 'unknown' });
    expect(unknown.status).toBe(404);
  });

  test('that may only read administers no webhooks', async () => {
    const gitea = await create('/gitea/user/settings/applications', { login: 'ada', scope: 'read' });
    expect(await statusOf('/gitea/api/v1/repos/sandbox/widgets', gitea)).toBe(200);
    const created = await fetch(`${world.sandbox.url}/gitea/api/v1/repos/sandbox/widgets/hooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gitea}`, 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'gitea', config: { url: 'https://app.test/', content_type: 'json' } }),
    });
    expect(created.status).toBe(403);
    const manage = '/bitbucket-data-center/plugins/servlet/access-tokens/manage';
    const reader = await create(manage, { login: 'ada', permission: 'REPO_READ' });
    const repository = '/bitbucket-data-center/rest/api/latest/projects/SANDBOX/repos/widgets';
    expect(await statusOf(repository, reader)).toBe(200);
    expect(await statusOf(`${repository}/webhooks`, reader)).toBe(401);
  });
});

test.each([
  ['/gitea/sandbox/widgets/pulls/7', '/sandbox/widgets/pull/7'],
  ['/bitbucket-data-center/projects/SANDBOX/repos/widgets/pull-requests/7/overview', '/sandbox/widgets/pull/7'],
  ['/bitbucket-data-center/projects/SANDBOX/repos/widgets/browse', '/sandbox/widgets'],
  ['/gitlab/sandbox/code/widgets/-/merge_requests/7', '/sandbox/widgets/pull/7'],
  ['/bitbucket/sandbox/widgets/pull-requests/7', '/sandbox/widgets/pull/7'],
])('%s shows the page of the same repository', async (path, target) => {
  const answer = await fetch(new URL(path, world.sandbox.url), { redirect: 'manual' });
  expect(answer.status).toBe(302);
  expect(new URL(answer.headers.get('location') ?? '', world.sandbox.url).pathname).toBe(target);
});

test.each([
  '/gitea/sandbox/unknown',
  '/bitbucket-data-center/projects/SANDBOX/repos/unknown/browse',
  '/bitbucket-data-center/users/unknown/repos/widgets/browse',
  '/gitlab/sandbox/unknown',
  '/bitbucket/sandbox/unknown/',
])('%s is not found', async (path) => {
  expect((await fetch(new URL(path, world.sandbox.url), { redirect: 'manual' })).status).toBe(404);
});

test('changes users and groups of the directory', async () => {
  const { state } = world.sandbox.directory;
  const added = { givenName: 'Ada', familyName: 'Byron', email: ' Ada.Byron@Sandbox.Example ' };
  expect(await submit('/directory/users', added)).toContain('ada.byron@sandbox.example');
  expect((await post('/directory/users', { ...added, email: 'no address' })).status).toBe(422);
  expect(await press('/directory', 'Deactivate Ada')).toContain('ada.byron@sandbox.example, inactive');
  expect(await press('/directory', 'Activate Ada')).not.toContain('inactive');

  expect(await submit('/directory/groups', { name: 'Auditors' })).toContain('Delete the group Auditors');
  expect((await post('/directory/groups', { name: ' ' })).status).toBe(422);
  const [auditors, ada] = [state.groups.at(-1), state.users.at(-1)];
  const member = { id: auditors?.id ?? '', user: ada?.id ?? '' };
  await submit('/directory/groups/member', member);
  expect(auditors?.members).toEqual([ada?.id]);
  await submit('/directory/groups/member', member);
  expect(auditors?.members).toEqual([]);
  await submit('/directory/groups/member', member);

  await press('/directory', 'Delete Ada');
  expect(state.deleted.users).toEqual(['ada.byron@sandbox.example']);
  expect(auditors?.members).toEqual([]);
  expect((await post('/directory/users/active', { id: ada?.id ?? '' })).status).toBe(404);
  await press('/directory', 'Delete the group Auditors');
  expect(state.groups.map(({ name }) => name)).toEqual(['Engineering', 'Security']);
  expect((await post('/directory/target', { url: 'ftp://app.test', token: 'x' })).status).toBe(422);
});

test('reports a failed synchronization of the directory on its page', async () => {
  // No server listens at this address.
  const page = await submit('/directory/target', {
    url: 'http://127.0.0.1:1/scim/v2/',
    token: 'a token',
    dialect: 'okta',
  });
  expect(page).toContain('value="http://127.0.0.1:1/scim/v2"');
  expect(world.sandbox.directory.state.target).toMatchObject({ dialect: 'okta', token: 'a token' });
  world.sandbox.directory.reset();
  expect(await read('/directory')).not.toContain('127.0.0.1:1');
});

test('changes tickets of each issue tracker', async () => {
  for (const [kind, site] of world.sandbox.trackers) {
    const act = (fields: Fields): Promise<string> => submit('/trackers', { site: kind, ...fields });
    await act({ action: 'create', project: 'SEC', title: `A leak in ${kind}` });
    const ticket = site.state.tickets.at(-1);
    expect(ticket).toMatchObject({ project: 'SEC', title: `A leak in ${kind}`, status: 'To Do' });
    const key = ticket?.key ?? '';
    expect(await act({ action: 'status', key, status: 'Done' })).toContain(key);
    expect(ticket?.status).toBe('Done');
    await act({ action: 'status', key, status: 'Unknown' });
    expect(ticket?.status).toBe('Done');
    await act({ action: 'move', key, project: 'OPS' });
    expect(ticket).toMatchObject({ project: 'OPS', formerKeys: [key] });
    await act({ action: 'delete', key });
    expect(site.state.tickets).not.toContain(ticket);
    const { token } = site.state;
    await act({ action: 'revoke' });
    expect(site.state.token).toBe(token + 1);
  }
  // A tracker that does not exist changes nothing.
  await submit('/trackers', { site: 'unknown', action: 'create' });
});

test('scans again, and breaks each scanner on demand', async () => {
  for (const { scanner, kept } of world.sandbox.scanners) {
    const path = `/${scanner}`;
    const found = async (): Promise<number> => Number(/(\d+) findings/.exec(await read(path))?.[1]);
    const before = await found();
    await press(path, 'One more');
    expect(await found(), scanner).toBe(before + 1);
    await press(path, 'One fewer');
    expect(await found(), scanner).toBe(before);
    await press(path, 'Dismiss one');
    await press(path, 'Take its rights away');
    expect(kept.mayRead).toBe(false);
    await press(path, 'Give its rights back');
    expect(kept.mayRead).toBe(true);
    await press(path, 'Repeat each first page');
    expect(kept.repeatsPages).toBe(true);
    await press(path, 'Stop repeating pages');
    const tokenIn = async () => /Token<input readonly value="([^"]+)"/.exec(await read(path))?.[1];
    const token = await tokenIn();
    await press(path, 'Revoke the token');
    expect(await tokenIn()).not.toBe(token);
  }
});

test('removes the Slack app from a channel and from the workspace, and revokes its token', async () => {
  const { kept } = world.sandbox.slack;
  const tokenIn = async () => /Bot token<input readonly value="([^"]+)"/.exec(await read('/slack'))?.[1];
  const channel = kept.channels.find(({ isArchived }) => !isArchived);
  const isMember = channel?.isMember;
  await submit('/slack/member', { channel: channel?.id ?? '', member: String(!isMember) });
  expect(channel?.isMember).toBe(!isMember);
  const token = await tokenIn();
  await press('/slack', 'Revoke the token');
  expect(await tokenIn()).not.toBe(token);
  await submit('/slack/installed', { installed: 'false' });
  expect(kept.installed).toBe(false);
  await press('/slack', 'Install the app again');
  expect(kept.installed).toBe(true);
});

describe('the SAML identity provider', () => {
  const acs = 'https://app.test/saml/acs';
  const authnRequest = `<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_request1" AssertionConsumerServiceURL="${acs}"><saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">https://app.test/saml</saml:Issuer></samlp:AuthnRequest>`;
  const signInPath = (xml = authnRequest): string =>
    `/saml/sso?${new URLSearchParams({ SAMLRequest: deflateRawSync(xml).toString('base64'), RelayState: 'state' })}`;
  const grace = (): string => world.sandbox.directory.state.users[0]?.id ?? '';
  const responseIn = (page: string): string =>
    Buffer.from(formsIn(page)[0]?.fields.SAMLResponse ?? '', 'base64').toString();
  const signIn = async (): Promise<string> => {
    const [form] = formsIn(await read(signInPath()));
    const answer = await post(form?.action ?? '', { ...form?.fields, user: grace() });
    expect(answer.status).toBe(200);
    return answer.text();
  };

  test('answers the request of a service for the selected user', async () => {
    const page = await signIn();
    expect(formsIn(page)[0]).toMatchObject({ action: acs, fields: { RelayState: 'state' } });
    const response = responseIn(page);
    expect(response).toContain('InResponseTo="_request1"');
    expect(response).toContain('<saml:Audience>https://app.test/saml</saml:Audience>');
    expect(response).toContain('grace.hopper@sandbox.example');
    expect(response).toContain('Engineering');
    expect(response).toContain('SignatureValue');
  });

  test('opens the service from its portal, without a request', async () => {
    await read(signInPath());
    const answer = await post('/saml/portal', { user: grace() });
    expect(responseIn(await answer.text())).not.toContain('InResponseTo="_');
    expect((await post('/saml/portal', { user: 'unknown' })).status).toBe(404);
  });

  test('makes the selected mistake', async () => {
    const withMistake = async (mistake: string): Promise<string> => {
      await submit('/saml/mistake', { mistake });
      return responseIn(await signIn());
    };
    expect(await withMistake('audience')).toContain('<saml:Audience>https://other.example/metadata</saml:Audience>');
    expect(await withMistake('unsigned')).not.toContain('SignatureValue');
    expect(await withMistake('failure')).toContain('urn:oasis:names:tc:SAML:2.0:status:Responder');
    const expiry = /NotOnOrAfter="([^"]+)"/.exec(await withMistake('expired'))?.[1] ?? '';
    expect(Date.parse(expiry)).toBeLessThan(Date.now());
    expect(await withMistake('none')).toContain('SignatureValue');
    expect((await post('/saml/mistake', { mistake: 'unknown' })).status).toBe(422);
  });

  test('publishes the next certificate before it signs, or replaces it at once', async () => {
    const certificates = async (): Promise<string[]> =>
      [...(await read('/saml/metadata')).matchAll(/X509Certificate>([^<]+)</g)].map(([, text = '']) => text);
    const [first] = await certificates();
    await press('/saml', 'Publish the next certificate');
    const [, next] = await certificates();
    expect(next).not.toBe(first);
    await press('/saml', 'Sign with the next certificate');
    expect(await certificates()).toEqual([next]);
    await press('/saml', 'Replace the certificate at once');
    expect(await certificates()).not.toContain(next);
  });

  test.each([['not deflated'], [deflateRawSync('<xml/>').toString('base64')]])(
    'rejects the request %s',
    async (text) => {
      const answer = await fetch(`${world.sandbox.url}/saml/sso?${new URLSearchParams({ SAMLRequest: text })}`);
      expect(answer.status).toBe(400);
    },
  );
});
