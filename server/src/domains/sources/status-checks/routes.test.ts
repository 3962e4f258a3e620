import { createHmac } from 'node:crypto';
import { createPolicy, dryRunProposedPolicy } from '@sightline/contract/compliance/policies.ts';
import { connectHost, listHostWorkspaces, selectHostWorkspaces } from '@sightline/contract/sources/host-connections.ts';
import { enableRepositories, listProviderRepos } from '@sightline/contract/sources/repositories.ts';
import { createStatusCheck, deleteStatusCheck, getStatusCheck } from '@sightline/contract/sources/status-checks.ts';
import { addStatusCheck, queryStatusChecks } from '@sightline/sandbox/gitlab/status-checks.ts';
import { createRepository, zoe } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type SandboxGitlab, startSandboxGitlab } from '#providers/gitlab/sandbox.fixture.ts';
import { refusalOf, startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';

const story = createRepository();
let sandbox: SandboxGitlab;
let server: TestServer;
let org: TestOrganization;
beforeAll(async () => {
  await story.start();
  await story.commit('First', { 'a.txt': 'a\n' });
  story.git(['checkout', '--quiet', '-b', 'one', 'main']);
  await story.commit('Begin one', { 'one.txt': '1\n' }, zoe);
  story.git(['checkout', '--quiet', '--detach', 'main']);
  sandbox = await startSandboxGitlab([story.path]);
  server = await startTestServer({ environment: sandbox.environment, jobs: true });
  org = await server.make.organization();
}, 60_000);
afterAll(async () => {
  await server.close();
  await sandbox.close();
  await story.remove();
});

const owner = () => server.as(org.owner, org.id);
const patience = { timeout: 30_000, interval: 200 };

/** Connects the GitLab of the sandbox and enables its only project. */
async function connect(): Promise<void> {
  const params = { provider: 'gitlab' } as const;
  await owner()(connectHost, { params, body: { baseURL: sandbox.baseURL, token: sandbox.tokenOf() } });
  const scopes = await owner()(listHostWorkspaces, { params });
  await owner()(selectHostWorkspaces, { params, body: { ids: scopes.map(({ id }) => id) } });
  await vi.waitFor(async () => {
    const { providerRepos } = await owner()(listProviderRepos, {});
    const [project] = Object.values(providerRepos.gitlab ?? {}).flat();
    if (project?.fullName !== 'sandbox/code/widgets') throw new Error('not listed yet');
    await owner()(enableRepositories, {
      body: { providerRepos: { gitlab: { 'sandbox/code': [{ id: project.id, tracked: true }] } } },
    });
  }, patience);
}

test('answers a GitLab status check as passed first, then according to the enforced policies', {
  timeout: 90_000,
}, async () => {
  await connect();
  const { address, secret } = await owner()(createStatusCheck, {});
  expect(await owner()(getStatusCheck, {})).toEqual({ address, createdAt: expect.any(String) });
  const { gitlab } = sandbox.sandbox;
  const [repository] = sandbox.sandbox.host.repositories;
  const pull = repository?.git.pullRequests.find(({ headRef }) => headRef === 'one');
  if (!repository || !pull) throw new Error('no merge request');
  const url = address.replace(/^https?:\/\/[^/]+/, server.url);
  const check = addStatusCheck(gitlab, repository, { name: 'Sightline', url, secret });
  expect(await queryStatusChecks(gitlab, repository, pull)).toEqual([202]);
  await vi.waitFor(() => expect(check.answers.get(pull.number)?.status).toBe('passed'), patience);

  const policy = {
    kind: 'merge' as const,
    scope: { repositories: null, branches: [], tools: [] },
    settings: { 'CHG-01': { approvals: 1 } },
  };
  await owner()(dryRunProposedPolicy, { body: policy });
  await owner()(createPolicy, { body: { ...policy, name: 'Four eyes', mode: 'enforce' } });
  expect(await queryStatusChecks(gitlab, repository, pull)).toEqual([202]);
  await vi.waitFor(
    () => expect(check.answers.get(pull.number)).toEqual({ sha: pull.headSha, status: 'failed' }),
    patience,
  );
  // The commit status and the comment report the same result.
  await vi.waitFor(
    () => expect(gitlab.said.map(({ name, state }) => `${name} ${state}`)).toContain('sightline/policy failed'),
    patience,
  );
  await vi.waitFor(() => expect(gitlab.comments.all.map(({ body }) => body).join()).toContain('CHG-01'), patience);
});

test('rejects requests with an invalid signature and requests that are no status check', async () => {
  const { address, secret } = await owner()(createStatusCheck, {});
  const url = address.replace(/^https?:\/\/[^/]+/, server.url);
  const post = async (body: string, signature: string, to = url) =>
    (
      await fetch(to, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', 'x-gitlab-signature': signature },
      })
    ).status;
  const sign = (body: string, key = secret) => createHmac('sha256', key).update(body).digest('hex');
  const request = JSON.stringify({
    object_kind: 'merge_request',
    project: { id: 1 },
    object_attributes: { iid: 1 },
    external_approval_rule: { id: 1, name: 'x', external_url: 'https://x.example' },
  });
  expect(await post(request, sign(request))).toBe(202);
  expect(await post(request, sign(request, 'another'))).toBe(401);
  expect(await post(request, '')).toBe(401);
  expect(await post(`${request} `, sign(request))).toBe(401);
  expect(await post(request, sign(request), url.replace(/hook=.*/, 'hook=0b7f8f0e-6b3b-4f7e-9d0a-1d1f3b0a7c11'))).toBe(
    401,
  );
  expect(await post('{}', sign('{}'))).toBe(400);
  // A new status check URL replaces the previous one, which becomes invalid.
  await owner()(createStatusCheck, {});
  expect(await post(request, sign(request))).toBe(401);
  await owner()(deleteStatusCheck, {});
  expect(await owner()(getStatusCheck, {})).toBeNull();
});

test('denies status checks without permission to manage integrations and hides them from other organizations', async () => {
  const member = await server.make.member(org.id, 'rol_contributor');
  expect(await refusalOf(server.as(member, org.id)(createStatusCheck, {}))).toMatchObject({ status: 403 });
  await owner()(createStatusCheck, {});
  const other = await server.make.organization();
  expect(await server.as(other.owner, other.id)(getStatusCheck, {})).toBeNull();
});
