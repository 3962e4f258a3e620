import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStory } from '../testing/repository.ts';
import { appFor, clientFor, startTestSandbox } from '../testing/sandbox.ts';
import { install, suspend, unsuspend } from './installations.ts';
import { issueToken } from './tokens.ts';

describe('REST', () => {
  let story: Awaited<ReturnType<typeof createStory>>;
  let other: Awaited<ReturnType<typeof createStory>>;
  let world: Awaited<ReturnType<typeof startTestSandbox>>;
  let client: Awaited<ReturnType<typeof installed>>;
  const widgets = { owner: 'sandbox', repo: 'widgets' };

  const installed = async () => {
    const { host } = world.sandbox;
    const [repository, ada] = [host.repositories[0], host.users.byLogin.get('ada')];
    if (repository === undefined || ada === undefined) throw new Error('The story has no repository or no Ada.');
    const { id } = install(host, repository.owner, [repository.id], ada);
    return world.app.getInstallationOctokit(id);
  };
  beforeAll(async () => {
    story = await createStory();
    other = await createStory('gadgets');
    world = await startTestSandbox([story.path, other.path]);
    client = await installed();
  });
  afterAll(async () => {
    await world.sandbox.close();
    await Promise.all([story.remove(), other.remove()]);
  });
  const statusOf = (call: Promise<unknown>): Promise<unknown> =>
    call.then(
      () => 200,
      (error: { status: number; message: string }) => [error.status, error.message.split(' - ')[0]],
    );

  test('names the app and where to install it', async () => {
    const { data } = await world.app.octokit.request('GET /app');
    expect(data).toMatchObject({ id: 77, slug: 'sightline-sandbox', installations_count: 1 });
    expect(await world.app.getInstallationUrl({ state: 'x' })).toBe(
      `${world.sandbox.url}/github-apps/sightline-sandbox/installations/new?state=x`,
    );
  });

  test('rejects another key, an invented token, a wrong kind of token and none', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const otherApp = appFor(world.sandbox, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
    expect(await statusOf(otherApp.octokit.request('GET /app'))).toEqual([
      401,
      'A JSON web token could not be decoded',
    ]);
    const Client = clientFor(world.sandbox.url);
    expect(await statusOf(new Client({ auth: 'ghs_made_up' }).request('GET /installation/repositories'))).toEqual([
      401,
      'Bad credentials',
    ]);
    expect(await statusOf(new Client().request('GET /user'))).toEqual([401, 'Requires authentication']);
    expect(await statusOf(client.request('GET /user'))).toEqual([403, 'Resource not accessible by integration']);
    const { token } = issueToken(world.sandbox.host, { kind: 'installation', holder: 1, seconds: -1 });
    expect(await statusOf(new Client({ auth: token }).request('GET /installation/repositories'))).toEqual([
      401,
      'Bad credentials',
    ]);
  });

  test('shows an installation only its repositories', async () => {
    const { data } = await client.request('GET /installation/repositories');
    expect([data.total_count, data.repositories.map(({ full_name }) => full_name)]).toEqual([1, ['sandbox/widgets']]);
    expect(await statusOf(client.request('GET /repos/{owner}/{repo}', { owner: 'sandbox', repo: 'gadgets' }))).toEqual([
      404,
      'Not Found',
    ]);
  });

  test('shows a person the installations of their accounts', async () => {
    const { host, url } = world.sandbox;
    const zoe = host.users.byLogin.get('zoe-a');
    const Client = clientFor(url);
    const person = new Client({ auth: issueToken(host, { kind: 'user', holder: zoe?.id ?? 0, seconds: 60 }).token });
    expect((await person.request('GET /user')).data).toMatchObject({ login: 'zoe-a', id: 4711 });
    expect((await person.request('GET /user/installations')).data).toMatchObject({
      total_count: 1,
      installations: [{ account: { login: 'sandbox' }, app_slug: 'sightline-sandbox', suspended_at: null }],
    });
    expect((await person.request('GET /user/emails')).data).toMatchObject([{ primary: true, verified: true }]);
  });

  test('pages lists with Link headers', async () => {
    const commits = await client.paginate('GET /repos/{owner}/{repo}/commits', { ...widgets, per_page: 2 });
    expect(commits.map(({ sha }) => sha)).toEqual(story.git(['rev-list', 'main']).split('\n'));
    const { headers } = await client.request('GET /repos/{owner}/{repo}/commits', { ...widgets, per_page: 4, page: 2 });
    const list = `${world.sandbox.url}/api/v3/repos/sandbox/widgets/commits?per_page=4&page`;
    expect(headers.link).toBe(
      `<${list}=1>; rel="prev", <${list}=3>; rel="next", <${list}=3>; rel="last", <${list}=1>; rel="first"`,
    );
  });

  test('filters commits by time, author and path', async () => {
    const subjects = async (filter: Record<string, string>): Promise<string[]> => {
      const { data } = await client.request('GET /repos/{owner}/{repo}/commits', { ...widgets, ...filter });
      return data.map(({ commit }) => commit.message.split('\n')[0] ?? '');
    };
    expect(await subjects({ author: 'zoe-a' })).toEqual(['Überarbeite die Anmeldung', 'Add login']);
    expect(await subjects({ path: 'logo.bin' })).toEqual(['Drop a picture in']);
    expect(await subjects({ since: '2024-01-01T09:09:00Z' })).toEqual(['Faster start (#12)']);
    expect(await subjects({ until: '2024-01-01T09:01:00Z' })).toEqual(['First steps']);
    expect(await subjects({ sha: 'wip/search', per_page: '1' })).toEqual(['Search, first try']);
  });

  test('shows one commit with its files, by hash or branch', async () => {
    const { data } = await client.request('GET /repos/{owner}/{repo}/commits/{ref}', { ...widgets, ref: 'wip/search' });
    expect(data).toMatchObject({
      stats: { total: 1, additions: 1, deletions: 0 },
      author: { login: 'zoe-a', type: 'User' },
      files: [{ filename: 'src/search.ts', status: 'added', changes: 1 }],
    });
    expect(
      await statusOf(client.request('GET /repos/{owner}/{repo}/commits/{ref}', { ...widgets, ref: 'nowhere' })),
    ).toEqual([422, 'No commit found for SHA: nowhere']);
  });

  test('shows pull requests with merge data only in the full response, people, counts, reviews, commits and files', async () => {
    const { data: list } = await client.request('GET /repos/{owner}/{repo}/pulls', { ...widgets, state: 'all' });
    expect(list.map(({ number, state }) => [number, state])).toEqual([
      [13, 'open'],
      [12, 'closed'],
      [8, 'closed'],
      [7, 'closed'],
    ]);
    expect(list[0]).not.toHaveProperty('merged');
    const pull = { ...widgets, pull_number: 7 };
    expect((await client.request('GET /repos/{owner}/{repo}/pulls/{pull_number}', pull)).data).toMatchObject({
      title: 'Let people in',
      merged: true,
      merged_at: '2024-01-01T09:05:00Z',
      created_at: '2024-01-01T09:02:00Z',
      user: { login: 'zoe-a' },
      merged_by: { login: 'bob' },
      commits: 2,
      additions: 2,
      deletions: 0,
      changed_files: 1,
      head: { label: 'origin-owner:feature/login', repo: null },
      base: { ref: 'main', repo: { name: 'widgets' } },
    });
    const { data: reviews } = await client.request('GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews', pull);
    expect(reviews).toMatchObject([
      { state: 'APPROVED', user: { login: 'bob' }, submitted_at: '2024-01-01T09:03:00Z' },
    ]);
    const { data: commits } = await client.request('GET /repos/{owner}/{repo}/pulls/{pull_number}/commits', pull);
    expect(commits.map(({ commit }) => commit.message.split('\n')[0])).toEqual([
      'Add login',
      'Überarbeite die Anmeldung',
    ]);
    const { data: files } = await client.request('GET /repos/{owner}/{repo}/pulls/{pull_number}/files', pull);
    expect(files.map(({ filename }) => filename)).toEqual(['src/login.ts']);
    const { data: issue } = await client.request('GET /repos/{owner}/{repo}/issues/{issue_number}', {
      ...widgets,
      issue_number: 7,
    });
    expect(issue).toMatchObject({ closed_by: { login: 'bob' }, pull_request: { merged_at: '2024-01-01T09:05:00Z' } });
    const { data: open } = await client.request('GET /repos/{owner}/{repo}/pulls', {
      ...widgets,
      head: 'sandbox:wip/search',
    });
    expect(open.map(({ number }) => number)).toEqual([13]);
  });

  test('shows trees, contents, branches, contributors and comparisons', async () => {
    const { data: tree } = await client.request('GET /repos/{owner}/{repo}/git/trees/{tree_sha}', {
      ...widgets,
      tree_sha: 'main',
      recursive: '1',
    });
    expect(
      tree.tree
        .filter(({ type }) => type === 'blob')
        .map(({ path }) => path)
        .join('\n'),
    ).toBe(story.git(['-c', 'core.quotePath=false', 'ls-tree', '-r', '--name-only', 'main']));
    expect(tree.truncated).toBe(false);
    const { data: file } = await client.request('GET /repos/{owner}/{repo}/contents/{path}', {
      ...widgets,
      path: 'docs/naïve ☃.md',
    });
    expect(file).toMatchObject({ encoding: 'base64', size: 5, content: 'c25vdwo=\n' });
    expect(
      await statusOf(client.request('GET /repos/{owner}/{repo}/contents/{path}', { ...widgets, path: 'src/none' })),
    ).toEqual([404, 'Not Found']);
    const { data: branches } = await client.request('GET /repos/{owner}/{repo}/branches', widgets);
    expect(branches.map(({ name }) => name)).toEqual(['main', 'wip/search']);
    const { data: contributors } = await client.request('GET /repos/{owner}/{repo}/contributors', widgets);
    expect(contributors.map(({ login, contributions }) => [login, contributions])).toEqual([
      ['ada', 5],
      ['zoe-a', 2],
      ['bob', 2],
    ]);
    const { data: compared } = await client.request('GET /repos/{owner}/{repo}/compare/{basehead}', {
      ...widgets,
      basehead: 'main...wip/search',
    });
    expect(compared).toMatchObject({
      status: 'ahead',
      ahead_by: 1,
      behind_by: 0,
      files: [{ filename: 'src/search.ts' }],
    });
  });

  test('responds 304 for an unchanged ETag without counting it', async () => {
    const first = await client.request('GET /repos/{owner}/{repo}', widgets);
    const again = client.request('GET /repos/{owner}/{repo}', {
      ...widgets,
      headers: { 'if-none-match': first.headers.etag ?? '' },
    });
    await expect(again).rejects.toMatchObject({
      status: 304,
      response: { headers: { 'x-ratelimit-remaining': first.headers['x-ratelimit-remaining'] } },
    });
    const { data } = await client.request('GET /rate_limit');
    expect(data.rate).toMatchObject({ limit: 15_000, remaining: Number(first.headers['x-ratelimit-remaining']) });
  });

  test('denies reads to a suspended installation', async () => {
    const { host } = world.sandbox;
    const [installation, ada] = [[...host.installations.values()][0], host.users.byLogin.get('ada')];
    if (installation === undefined || ada === undefined) throw new Error('Nothing is installed.');
    suspend(host, installation, ada);
    expect(await statusOf(client.request('GET /installation/repositories'))).toEqual([
      403,
      'This installation has been suspended',
    ]);
    unsuspend(host, installation, ada);
    expect(await statusOf(client.request('GET /installation/repositories'))).toBe(200);
  });
});
