import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  allScopes,
  createApiToken,
  createRepositoryToken,
  createToken,
  createWorkspaceToken,
} from '@sightline/sandbox/bitbucket/bitbucket.ts';
import { issueCode } from '@sightline/sandbox/bitbucket/oauth.ts';
import { createStory } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CodeHost, HostLimited, HostRefused, pagesOf } from '#providers/code-host.ts';
import { createGithub } from '#providers/github/github.ts';
import { type SandboxGithub, startSandboxGithub } from '#providers/github/sandbox.fixture.ts';
import { createBitbucket } from './bitbucket.ts';
import { commitFrom } from './commit-shapes.ts';
import { pullRequestFrom, reviewsFrom } from './pull-request-shapes.ts';
import { repositoryFrom } from './shapes.ts';
import { bitbucketWebhooks } from './webhooks.ts';

let story: Awaited<ReturnType<typeof createStory>>;
let sandbox: SandboxGithub;
let bitbucket: ReturnType<typeof createBitbucket>;
let web: string;

const back = 'https://app.test/back';

beforeAll(async () => {
  story = await createStory();
  sandbox = await startSandboxGithub([story.path], { callbackUrl: back });
  const { bitbucket: cloud, host } = sandbox.sandbox;
  const client = { id: host.app.clientId, secret: host.app.clientSecret };
  web = cloud.url;
  bitbucket = createBitbucket({ url: web, apiUrl: cloud.api, client, sandboxPage: undefined });
});
afterAll(async () => {
  await sandbox.close();
  await story.remove();
});

const as = (secret: string) => bitbucket.open(web, async () => secret);
/** Opens Bitbucket with an access token of the workspace. */
const asWorkspace = () => as(bitbucket.tokenFrom(workspaceToken(), undefined, 'sandbox').secret);
const workspaceToken = () => createWorkspaceToken(sandbox.sandbox.bitbucket, 'sandbox');
const all = async <Item>(pages: AsyncGenerator<Item[]>): Promise<Item[]> => {
  const items: Item[] = [];
  for await (const page of pages) items.push(...page);
  return items;
};
const ref = (installationId = '') => ({ installationId, owner: 'sandbox', name: 'widgets' });

test('reads the same commits, changes, pull requests and reviews as GitHub', async () => {
  const host: CodeHost = asWorkspace();
  const github = createGithub(sandbox.config);
  const installed = ref(String(sandbox.install().id));

  const comparable = ({ sha, message, author, authoredAt, parents }: Awaited<ReturnType<CodeHost['getCommit']>>) => ({
    sha,
    message,
    authoredAt,
    parents,
    name: author.name,
    email: author.email,
    login: author.login,
  });
  const [onBitbucket, onGithub] = [host, github].map((one) =>
    all(pagesOf((page) => one.listCommits(installed, 'main', page))),
  );
  expect((await onBitbucket)?.map(comparable)).toEqual((await onGithub)?.map(comparable));

  for (const { sha } of (await onBitbucket) ?? []) {
    const [one, other] = [await host.getCommit(ref(), sha), await github.getCommit(installed, sha)];
    expect(one.changes).toEqual(other.changes);
  }
  const listed = await all(pagesOf((page) => host.listPullRequests(ref(), page)));
  expect(listed).toEqual(await all(pagesOf((page) => github.listPullRequests(installed, page))));
  for (const { number } of listed) {
    const [one, other] = [await host.getPullRequest(ref(), number), await github.getPullRequest(installed, number)];
    const uuid = expect.stringMatching(/^\{[0-9a-f-]{36}\}$/);
    const pictured = { avatarUrl: expect.anything(), id: uuid, hostId: uuid };
    expect({ ...one.pullRequest, url: '' }).toEqual({
      ...other.pullRequest,
      url: '',
      author: { ...other.pullRequest.author, ...pictured },
      mergedBy: other.pullRequest.mergedBy && { ...other.pullRequest.mergedBy, ...pictured },
    });
    const comparableReviews = (reviews: typeof one.reviews) =>
      reviews.map(({ user, state, sha, submittedAt }) => ({ login: user.login, state, sha, submittedAt }));
    expect(comparableReviews(one.reviews)).toEqual(comparableReviews(other.reviews));
  }
});

test('compares two commits, oldest first, and lists repositories by workspace UUID', async () => {
  const host = asWorkspace();
  const [base, head] = ['main~3', 'main'].map((name) => story.git(['rev-parse', name]));
  const found = await host.compareCommits(ref(), base ?? '', head ?? '');
  expect(found.map(({ sha }) => sha)).toEqual(story.git(['rev-list', '--reverse', `${base}..${head}`]).split('\n'));
  const [{ id } = { id: '' }] = (await host.look()).places;
  expect(await all(pagesOf((page) => host.listRepositories(id, page)))).toMatchObject([
    { fullName: 'sandbox/widgets', defaultBranch: 'main', isPrivate: true },
  ]);
});

test('reads files and rejects paths that are not files', async () => {
  const host = asWorkspace();
  const head = await host.headOf(ref(), 'main');
  expect(head).toBe(story.git(['rev-parse', 'main']));
  const files = await host.listTree(ref(), head);
  expect(files.map(({ path }) => path).sort()).toEqual(
    story.git(['-c', 'core.quotepath=off', 'ls-tree', '-r', '--name-only', 'main']).split('\n').sort(),
  );
  const snow = files.find(({ path }) => path.includes('☃'));
  expect((await host.readBlob(ref(), snow?.blob ?? '')).toString()).toBe('snow\n');
  expect((await host.readFile(ref(), head, 'src/start.ts')).toString()).toBe('export const one = 1;\n');
  await expect(host.readFile(ref(), head, 'src')).rejects.toMatchObject({ status: 404 });
  await expect(host.headOf(ref(), 'gone')).rejects.toMatchObject({ status: 404 });
});

test('creates a webhook and deletes it, also when repeated', async () => {
  const host = asWorkspace();
  const { hooks } = sandbox.sandbox.bitbucket;
  const id = (await host.hooks?.createHook(ref(), { url: 'https://app.test/hooks?hook=1', secret: 'word' })) ?? '';
  expect(hooks).toMatchObject([{ uuid: id, url: 'https://app.test/hooks?hook=1', secret: 'word', active: true }]);
  await host.hooks?.deleteHook(ref(), id);
  await host.hooks?.deleteHook(ref(), id);
  expect(hooks).toEqual([]);
});

describe('authentication', () => {
  test('lists the workspaces of a personal token and the workspace of a workspace token', async () => {
    const token = createApiToken(sandbox.sandbox.bitbucket, sandbox.user('ada'));
    const scope = { kind: 'workspace', path: 'sandbox', url: `${web}/sandbox/` };
    const person = as(bitbucket.tokenFrom(token, 'ada@example.org', undefined).secret);
    expect(await person.look()).toMatchObject({ login: 'ada', scopes: [...allScopes], missing: [], places: [scope] });
    expect(await asWorkspace().look()).toMatchObject({ login: 'sandbox', missing: [], places: [scope] });
    await expect(as(workspaceToken()).look()).rejects.toMatchObject({ status: 403 });
    expect(() => bitbucket.tokenFrom(token, undefined, undefined)).toThrow();
    await expect(as('wrong').look()).rejects.toMatchObject({ status: 401 });
    await expect(as(`ada@example.org:wrong`).look()).rejects.toMatchObject({ status: 401 });
  });

  test('grants a repository token access to its repository and to no list', async () => {
    const token = createRepositoryToken(sandbox.sandbox.bitbucket, 'sandbox', 'widgets');
    const host = as(bitbucket.tokenFrom(token, undefined, 'sandbox/widgets').secret);
    const { login, places } = await host.look();
    expect(login).toBe('sandbox/widgets');
    expect(places).toMatchObject([{ kind: 'repository', path: 'sandbox/widgets', name: 'widgets' }]);
    const items = [{ fullName: 'sandbox/widgets' }];
    expect(await host.listRepositories(places[0]?.id ?? '', null)).toMatchObject({ items, next: null });
    const ofAll = as(bitbucket.tokenFrom(token, undefined, 'sandbox').secret);
    await expect(ofAll.look()).rejects.toMatchObject({ status: 404 });
  });

  test('sends no credentials to an address other than their own', async () => {
    let isRequested = false;
    const credentials = async () => {
      isRequested = true;
      return 'word';
    };
    await expect(bitbucket.open('https://old.test', credentials).look()).rejects.toMatchObject({ status: 401 });
    expect(isRequested).toBe(false);
    expect(bitbucket.baseURLFrom(`${web}/`)).toBe(web);
    expect(bitbucket.baseURLFrom('https://bitbucket.evil.test')).toBeUndefined();
  });

  test('reports a missing scope in the wording of Bitbucket', async () => {
    const poor = as(`${createWorkspaceToken(sandbox.sandbox.bitbucket, 'sandbox', ['repository'])} sandbox`);
    expect((await poor.look()).missing).toMatchObject(
      [/Pull requests/, /Webhooks/].map((it) => expect.stringMatching(it)),
    );
    const creation = poor.hooks?.createHook(ref(), { url: 'https://app.test', secret: 'word' });
    await expect(creation).rejects.toThrow(/required privilege scopes/);
    await expect(creation).rejects.toBeInstanceOf(HostRefused);
  });

  test('exchanges an OAuth code for tokens and renews a rejected token', async () => {
    const { oauth, renew } = bitbucket;
    const answer = { code: 'spent', redirectURI: back, verifier: '' };
    const { bitbucket: cloud } = sandbox.sandbox;
    expect(oauth?.authorizationURL(back, 'abc', '')).toMatch(/site\/oauth2\/authorize\?client_id=.*&state=abc$/);
    const first = await oauth?.exchange({ ...answer, code: issueCode(cloud, 'ada', back) });
    if (!oauth || !first?.refresh) throw new Error('no tokens');
    expect(first).toMatchObject({ scopes: [...allScopes], expiresAt: expect.any(Date) });
    cloud.tokens.delete(first.secret);
    let secret = first.secret;
    const rejected: (string | undefined)[] = [];
    const host = bitbucket.open(web, async (refused) => {
      rejected.push(refused);
      if (refused !== undefined) secret = (await renew(web, first.refresh ?? '')).secret;
      return secret;
    });
    expect((await host.look()).places).toHaveLength(1);
    expect(rejected).toContain(first.secret);
    await expect(oauth.exchange(answer)).rejects.toBeInstanceOf(HostRefused);
    await expect(renew(web, 'unknown')).rejects.toBeInstanceOf(HostRefused);
  });
});

describe('error handling', () => {
  test('waits out a short rate limit and reports a long one', async () => {
    const host = asWorkspace();
    await sandbox.control('faults', { match: '/bitbucket/2.0', status: 429, retryAfter: 600 });
    const limited = host.getRepository(ref());
    await expect(limited).rejects.toBeInstanceOf(HostLimited);
    await sandbox.control('faults', { match: '/bitbucket/2.0', status: 429, retryAfter: 0 });
    expect(await asWorkspace().getRepository(ref())).toMatchObject({ name: 'widgets' });
  });

  test('retries a broken response and a 503', async () => {
    const host = asWorkspace();
    await sandbox.control('faults', { match: '/bitbucket/2.0', status: 503 });
    expect(await host.getRepository(ref())).toMatchObject({ name: 'widgets' });
  });

  test('refuses a URL of another host without sending credentials', async () => {
    const received: (string | undefined)[] = [];
    const other = createServer((request, response) => {
      received.push(request.headers.authorization);
      response.end('{}');
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const foreignUrl = `http://127.0.0.1:${(other.address() as AddressInfo).port}/2.0/repositories/x`;
    const host = asWorkspace();
    await expect(host.listRepositories('sandbox', foreignUrl)).rejects.toThrow(/is not configured/);
    await expect(host.listRepositories('sandbox', `${web}/site`)).rejects.toThrow();
    expect(received).toEqual([]);
    other.close();
  });

  test('returns 404 for an unknown branch or repository and 401 for an expired token', async () => {
    const host = asWorkspace();
    await expect(host.listCommits(ref(), 'gone', null)).rejects.toMatchObject({ status: 404 });
    await expect(host.listCommits({ ...ref(), name: 'gone' }, 'main', null)).rejects.toMatchObject({ status: 404 });
    const past = { kind: 'access', login: 'ada', scopes: allScopes, expiresAt: 1 } as const;
    const late = as(createToken(sandbox.sandbox.bitbucket, past));
    await expect(late.getRepository(ref())).rejects.toMatchObject({ status: 401 });
  });
});

describe('reviews', () => {
  const by = (name: string) => ({ uuid: `{${name}}`, nickname: name, type: 'user' });
  const at = (minute: number) => `2026-01-01T10:0${minute}:00.000000+00:00`;
  const head = (hash: string) => ({ commit: { hash }, branch: { name: 'topic' } });
  const base = {
    id: 1,
    title: 'One',
    state: 'OPEN',
    author: by('ada'),
    created_on: at(0),
    updated_on: at(9),
    source: head('b'.repeat(12)),
    destination: head('c'.repeat(12)),
    links: { html: { href: 'https://host.test' } },
  };
  const moved = [
    { update: { date: at(5), state: 'OPEN', source: head('b'.repeat(12)) } },
    { update: { date: at(0), state: 'OPEN', source: head('a'.repeat(12)) } },
  ].map((entry) => ({ update: { ...entry.update, date: new Date(entry.update.date).toISOString(), author: null } }));
  const approval = (name: string, minute: number) => ({
    approval: { date: new Date(at(minute)).toISOString(), user: by(name) },
  });
  const person = (name: string, state: string | null) => ({ user: by(name), state, participated_on: at(8) });
  const full = (short: string) => short.repeat(4).slice(0, 40);

  test('refer to the head commit at approval time, and again for a later commit', () => {
    const entries = [approval('bob', 6), ...moved.slice(0, 1), approval('bob', 2), ...moved.slice(1)];
    const found = reviewsFrom({ ...base, participants: [person('bob', 'approved')] }, entries, full);
    expect(found.map(({ state, sha }) => [state, sha?.[0]])).toEqual([
      ['approved', 'a'],
      ['approved', 'b'],
    ]);
  });

  test('are dismissed when revoked, commented without a decision, and exclude the author', () => {
    const entries = [approval('bob', 6), ...moved];
    const participants = [person('bob', null), person('zoe', null), person('ada', null)];
    const found = reviewsFrom({ ...base, participants }, entries, full);
    expect(found.map(({ user, state }) => [user.login, state])).toEqual([
      ['bob', 'dismissed'],
      ['zoe', 'commented'],
    ]);
  });
});

const folder = new URL('../../../../../shared/fixtures/bitbucket/', import.meta.url);

describe.skipIf(!existsSync(folder))('recorded responses (skipped where ../shared/fixtures is absent)', () => {
  const recorded = (name: string) => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));

  test('of the API are parsed', () => {
    expect(repositoryFrom(recorded('rest/repo.json'))).toMatchObject({
      id: '{7dd600e6-0d9c-4801-b967-cb4cc17359ff}',
      fullName: 'atlassian/stash-example-plugin',
      defaultBranch: 'master',
      isPrivate: true,
    });
    expect(commitFrom(recorded('rest/commit.json'))).toMatchObject({
      message: 'Add Apache 2.0 License',
      authoredAt: '2015-08-27T03:25:04.000Z',
      author: { name: 'Adam Ahmed', email: 'aahmed@atlassian.com', login: 'aahmed' },
    });
    expect(recorded('rest/commits.json').values.map(commitFrom)).not.toEqual([]);
    expect(pullRequestFrom(recorded('rest/pr.json'))).toMatchObject({
      number: 4982,
      state: 'in-progress',
      author: { login: 'Lachlan' },
      headSha: '31c54529bd80',
      baseRef: 'master',
      closedAt: null,
      mergeSha: null,
    });
  });

  const read = (name: string, event: string) => bitbucketWebhooks.read(event, recorded(`webhooks/${name}.json`));

  test.each([
    [
      'push',
      { kind: 'push', ref: 'refs/heads/master', before: '40e7580cf11311d84a6e5e97e2cbba6df1675750', isWhole: true },
    ],
    ['push_branch_create', { kind: 'push', ref: 'refs/heads/develop', before: null }],
    ['push_branch_delete', { kind: 'ref_deleted', ref: 'refs/heads/develop' }],
    ['push_tag_create', { kind: 'push', ref: 'refs/tags/feature/x', before: null }],
    ['push_tag_delete', { kind: 'ref_deleted' }],
  ])('of %s are parsed as a host event', (name, hostEvent) => {
    expect(read(name, 'repo:push')).toMatchObject([
      { ...hostEvent, repository: { id: '{bc771cbf-829e-4c4b-b71f-a0eb3ac2b860}' } },
    ]);
  });

  test.each([
    ['pr_created', 'in-progress'],
    ['pr_updated', 'in-progress'],
    ['pr_fulfilled', 'accepted'],
    ['pr_declined', 'closed'],
  ])('of %s report the pull request state', (name, state) => {
    const [hostEvent] = read(name, 'pullrequest:updated');
    if (hostEvent?.kind !== 'pull_request') throw new Error('no pull request');
    expect(hostEvent).toMatchObject({ repository: { id: '{bc771cbf-829e-4c4b-b71f-a0eb3ac2b860}' } });
    expect(hostEvent.parsePayload?.().pullRequest).toMatchObject({ number: hostEvent.number, state });
  });
});
