import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ada, bob, createRepository, zoe } from '../testing/repository.ts';
import { startReceiver, startTestSandbox } from '../testing/sandbox.ts';
import { install } from './installations.ts';

describe('planted data', () => {
  let story: ReturnType<typeof createRepository>;
  let world: Awaited<ReturnType<typeof startTestSandbox>>;
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  let installation: ReturnType<typeof install>;
  let client: Awaited<ReturnType<(typeof world)['app']['getInstallationOctokit']>>;
  const widgets = { owner: 'sandbox', repo: 'widgets' };
  const repository = 'sandbox/widgets';

  beforeAll(async () => {
    story = createRepository();
    await story.start();
    await story.commit('First', { 'a.txt': 'a\n' });
    for (const [branch, author] of [
      ['one', zoe],
      ['two', ada],
      ['three', bob],
    ] as const) {
      story.git(['checkout', '--quiet', '-b', branch, 'main']);
      await story.commit(`Begin ${branch}`, { [`${branch}.txt`]: '1\n' }, author);
      await story.commit(`Finish ${branch}`, { [`${branch}.txt`]: '2\n' }, author);
    }
    story.git(['checkout', '--quiet', '--detach', 'main']);
    receiver = await startReceiver();
    world = await startTestSandbox([story.path], { deliverTo: receiver.url, pollMs: 3_600_000 });
    const { host } = world.sandbox;
    const [hosted, by] = [host.repositories[0], host.users.byLogin.get('ada')];
    if (hosted === undefined || by === undefined) throw new Error('The story has no repository or no Ada.');
    host.app.events.push('check_run', 'status');
    installation = install(host, hosted.owner, 'all', by);
    client = await world.app.getInstallationOctokit(installation.id);
  });
  afterAll(async () => {
    await world.sandbox.close();
    await receiver.close();
    await story.remove();
  });
  const control = async (path: string, body: object): Promise<number> => {
    const answer = await fetch(`${world.sandbox.url}/_sandbox/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return answer.status;
  };
  const numberOf = (headRef: string): number =>
    world.sandbox.host.repositories[0]?.git.pullRequests.find((pull) => pull.headRef === headRef)?.number ?? 0;
  const deliveriesOf = (event: string, action?: string) =>
    receiver.received.filter((one) => one.event === event && (action === undefined || one.payload.action === action));
  const refusalOf = (call: Promise<unknown>): Promise<unknown> =>
    call.then(
      () => 200,
      (error: { status: number; message: string }) => [error.status, error.message.split(' - ')[0]],
    );

  test('keeps reviews with their commit, and reports dismissals with their time', async () => {
    const number = numberOf('one');
    const at = '2026-01-05T10:00:00.000Z';
    expect(await control('review', { repository, number, by: 'ada', verdict: 'changes_requested', at })).toBe(200);
    expect(await control('review', { repository, number, by: 'ada' })).toBe(200);
    expect(await control('dismiss', { repository, number, reviewer: 'ada', by: 'zoe-a' })).toBe(200);

    const { data } = await client.request('GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews', {
      ...widgets,
      pull_number: number,
    });
    expect(data.map(({ state }) => state)).toEqual(['CHANGES_REQUESTED', 'DISMISSED']);
    expect(data[0]).toMatchObject({ submitted_at: '2026-01-05T10:00:00Z', commit_id: story.git(['rev-parse', 'one']) });
    expect(new Set(data.map(({ id }) => id)).size).toBe(2);
    const timeline = await client.request('GET /repos/{owner}/{repo}/issues/{issue_number}/timeline', {
      ...widgets,
      issue_number: number,
      per_page: 2,
      page: 2,
    });
    expect(timeline.headers.link).toContain('rel="next"');
    const issueTimeline = await client.request('GET /repos/{owner}/{repo}/issues/{issue_number}/timeline', {
      ...widgets,
      issue_number: number,
      per_page: 100,
    });
    expect(issueTimeline.data.find(({ event }) => event === 'review_dismissed')).toMatchObject({
      actor: { login: 'zoe-a' },
      dismissed_review: { state: 'approved', review_id: data[1]?.id },
    });
    expect(deliveriesOf('pull_request_review', 'dismissed')[0]?.payload).toMatchObject({
      sender: { login: 'zoe-a' },
      review: { id: data[1]?.id, state: 'dismissed' },
    });
    expect(deliveriesOf('pull_request_review', 'submitted').length).toBe(2);
  });

  test('merges squashes and rebases with git, and links their commits', async () => {
    const [one, two] = [numberOf('one'), numberOf('two')];
    const head = story.git(['rev-parse', 'one']);
    expect(await control('merge', { repository, number: one, by: 'ada', method: 'squash' })).toBe(200);
    expect(await control('merge', { repository, number: one, by: 'ada' })).toBe(405);
    expect(await control('merge', { repository, number: two, by: 'zoe-a', method: 'rebase' })).toBe(200);

    const log = story.git(['log', '--format=%s', 'main']).split('\n');
    expect(log).toEqual(['Finish two', 'Begin two', `one (#${one})`.replace('one', 'One'), 'First']);
    const pull = await client.request('GET /repos/{owner}/{repo}/pulls/{pull_number}', {
      ...widgets,
      pull_number: one,
    });
    expect(pull.data).toMatchObject({ merged: true, merged_by: { login: 'ada' }, head: { sha: head } });
    for (const [sha, number] of [
      [story.git(['rev-parse', 'main']), two],
      [story.git(['rev-parse', 'main^']), two],
      [story.git(['rev-parse', 'main~2']), one],
    ] as const) {
      const { data } = await client.request('GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls', {
        ...widgets,
        commit_sha: sha,
      });
      expect(data.map((found) => found.number)).toEqual([number]);
    }
    const commits = await client.request('GET /repos/{owner}/{repo}/pulls/{pull_number}/commits', {
      ...widgets,
      pull_number: one,
    });
    expect(commits.data.map(({ commit }) => commit.message)).toEqual(['Begin one', 'Finish one']);
    expect(deliveriesOf('pull_request', 'closed').map(({ payload }) => payload.number)).toEqual([one, two]);
  });

  test('reports a forced push and lists it in the activity with its actor', async () => {
    const before = story.git(['rev-parse', 'main']);
    expect(await control('push', { repository, by: 'ada', files: { 'b.txt': 'b\n' }, message: 'Straight' })).toBe(200);
    const direct = story.git(['rev-parse', 'main']);
    expect(await control('push', { repository, by: 'zoe-a', files: { 'b.txt': 'c\n' }, forced: true })).toBe(200);
    const [push, forced] = deliveriesOf('push').slice(-2);
    expect(push?.payload).toMatchObject({ before, after: direct, forced: false, pusher: { name: 'ada' } });
    expect(forced?.payload).toMatchObject({ before: direct, forced: true, sender: { login: 'zoe-a' } });

    const { data, headers } = await client.request('GET /repos/{owner}/{repo}/activity', {
      ...widgets,
      ref: 'refs/heads/main',
      per_page: 3,
    });
    expect(data.map(({ activity_type, actor }) => [activity_type, actor?.login])).toEqual([
      ['force_push', 'zoe-a'],
      ['push', 'ada'],
      ['pr_merge', 'zoe-a'],
    ]);
    expect(headers.link).toMatch(/after=\S+; rel="next"/);
    const all = await client.request('GET /repos/{owner}/{repo}/activity', { ...widgets, per_page: 100 });
    const heads = all.data.filter(({ ref }) => ref === 'refs/heads/main').reverse();
    expect(heads.slice(1).every(({ before: from }, index) => from === heads[index]?.after)).toBe(true);
    expect(heads[0]).toMatchObject({ before: '0'.repeat(40), activity_type: 'branch_creation' });
  });

  test('announces branch protection by webhook, and requires a permission to read it', async () => {
    const branch = { ...widgets, branch: 'main' };
    const read = () => client.request('GET /repos/{owner}/{repo}/branches/{branch}/protection', branch);
    expect(await refusalOf(read())).toEqual([404, 'Branch not protected']);
    const rules = {
      requiredReviews: 1,
      dismissesStale: true,
      allowsForcePush: false,
      allowsDeletion: false,
      includesAdmins: true,
      requiredChecks: ['build'],
    };
    expect(await control('protect', { repository, rules })).toBe(204);
    expect((await read()).data).toMatchObject({
      required_pull_request_reviews: { required_approving_review_count: 1, dismiss_stale_reviews: true },
      required_status_checks: { contexts: ['build'] },
      enforce_admins: { enabled: true },
      allow_force_pushes: { enabled: false },
    });
    expect(deliveriesOf('branch_protection_rule', 'created').length).toBe(1);
    expect(await control('protect', { repository, rules, ruleset: true })).toBe(204);
    const found = await client.request('GET /repos/{owner}/{repo}/rules/branches/{branch}', branch);
    expect(found.data.map(({ type }) => type)).toEqual([
      ...['deletion', 'non_fast_forward', 'pull_request', 'required_status_checks'],
    ]);
    expect(deliveriesOf('repository_ruleset', 'created').length).toBe(1);

    const permission = { installation: installation.id, name: 'administration' };
    expect(await control('permissions', { ...permission, level: 'none' })).toBe(200);
    expect(await refusalOf(read())).toEqual([403, 'Resource not accessible by integration']);
    const { data } = await client.request('GET /repos/{owner}/{repo}/branches/{branch}', branch);
    expect([data.protected, data.protection.required_status_checks?.contexts]).toEqual([true, ['build']]);
    expect(await control('protect', { repository, rules: null })).toBe(204);
    expect(deliveriesOf('branch_protection_rule').length).toBe(1);
    expect(await control('permissions', { ...permission, level: 'read' })).toBe(200);
    expect(await refusalOf(read())).toEqual([404, 'Branch not protected']);
  });

  test('announces and lists check runs and statuses, the latest of each name first', async () => {
    const sha = story.git(['rev-parse', 'three']);
    const check = { repository, sha, name: 'build' };
    await control('check', { ...check, conclusion: 'failure', at: '2026-01-05T10:00:00.000Z' });
    await control('check', { ...check, conclusion: 'success', at: '2026-01-05T11:00:00.000Z' });
    await control('check', { ...check, name: 'style', conclusion: null });
    await control('check', { ...check, name: 'licence', status: true });
    const list = (filter: 'all' | 'latest') =>
      client.request('GET /repos/{owner}/{repo}/commits/{ref}/check-runs', { ...widgets, ref: sha, filter });
    expect((await list('latest')).data.check_runs.map(({ name, conclusion }) => [name, conclusion])).toEqual([
      ['style', null],
      ['build', 'success'],
    ]);
    expect((await list('all')).data.total_count).toBe(3);
    const statuses = await client.request('GET /repos/{owner}/{repo}/commits/{ref}/statuses', { ...widgets, ref: sha });
    expect(statuses.data).toMatchObject([{ context: 'licence', state: 'success' }]);
    const combined = await client.request('GET /repos/{owner}/{repo}/commits/{ref}/status', { ...widgets, ref: sha });
    expect(combined.data).toMatchObject({ state: 'success', total_count: 1, sha });
    expect([deliveriesOf('check_run').length, deliveriesOf('status').length]).toEqual([3, 1]);
  });

  test('shows texts, labels, issues and who requested the merge like GitHub', async () => {
    const number = numberOf('three');
    const plantedFields = { body: 'For PAY-12', labels: ['urgent'], linkedIssues: [7], autoMergeBy: 'info' };
    const login = world.sandbox.host.users.byEmail.get(bob.email)?.login ?? '';
    expect(await control('plant', { repository, number, ...plantedFields, autoMergeBy: login })).toBe(200);
    const { data } = await client.request('GET /repos/{owner}/{repo}/pulls/{pull_number}', {
      ...widgets,
      pull_number: number,
    });
    expect(data).toMatchObject({ body: 'For PAY-12', auto_merge: { enabled_by: { login } } });
    expect(data.labels.map(({ name }) => name)).toEqual(['urgent']);
    const request = { query: '{ closingIssuesReferences }', owner: 'sandbox', name: 'widgets', number: String(number) };
    const issues = await client.request('POST /graphql', {
      baseUrl: `${world.sandbox.url}/api`,
      query: request.query,
      variables: request,
    });
    expect(issues.data.data.repository.pullRequest.closingIssuesReferences.totalCount).toBe(1);
  });

  test('resolves a notes ref to its tree', async () => {
    story.git(['notes', '--ref', 'ai', 'add', '-m', 'by an agent', 'main']);
    const { data } = await client.request('GET /repos/{owner}/{repo}/git/ref/{ref}', { ...widgets, ref: 'notes/ai' });
    expect(data).toMatchObject({ ref: 'refs/notes/ai', object: { type: 'commit' } });
    const tree = await client.request('GET /repos/{owner}/{repo}/git/trees/{tree_sha}', {
      ...widgets,
      tree_sha: data.object.sha,
    });
    expect(tree.data.tree.map(({ path }) => path)).toEqual([story.git(['rev-parse', 'main'])]);
    expect(
      await refusalOf(client.request('GET /repos/{owner}/{repo}/git/ref/{ref}', { ...widgets, ref: 'notes' })),
    ).toEqual([404, 'Not Found']);
  });

  test('neither sends nor logs a lost delivery', async () => {
    const before = deliveriesOf('push').length;
    expect(await control('lose', { event: 'push' })).toBe(204);
    await control('push', { repository, by: 'ada', files: { 'd.txt': 'd\n' } });
    expect([
      deliveriesOf('push').length,
      world.sandbox.host.webhooks.log.filter(({ event }) => event === 'push').length,
    ]).toEqual([before, before]);
    await control('push', { repository, by: 'ada', files: { 'e.txt': 'e\n' } });
    expect(deliveriesOf('push').length).toBe(before + 1);
  });
});
