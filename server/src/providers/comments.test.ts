import { createToken, type GitlabScope } from '@sightline/sandbox/gitlab/instance.ts';
import { ada, createRepository } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOutbound } from '#core/outbound.ts';
import { createBitbucket } from './bitbucket/bitbucket.ts';
import { type SandboxBitbucket, startSandboxBitbucket } from './bitbucket/sandbox.fixture.ts';
import { storedSecretOf } from './bitbucket/secrets.ts';
import { type CodeHost, OWN_STATUS_CONTEXT } from './code-host.ts';
import { openGitlab } from './gitlab/gitlab.ts';
import type { HostRef } from './host-facts.ts';

const story = createRepository();
let sandbox: SandboxBitbucket;
let head: string;
beforeAll(async () => {
  await story.start();
  await story.commit('First', { 'a.txt': 'a\n' });
  story.git(['checkout', '--quiet', '-b', 'one', 'main']);
  await story.commit('Begin one', { 'one.txt': '1\n' }, ada);
  head = story.git(['rev-parse', 'one']);
  story.git(['checkout', '--quiet', '--detach', 'main']);
  sandbox = await startSandboxBitbucket([story.path]);
});
afterAll(async () => {
  await sandbox.close();
  await story.remove();
});

const number = 1;
const status = {
  context: OWN_STATUS_CONTEXT,
  description: 'Not kept: CHG-01',
  url: 'https://sightline.example/policies',
};

async function gitlab(scopes: GitlabScope[] = ['api']): Promise<CodeHost> {
  const token = createToken(sandbox.sandbox.gitlab, sandbox.user('ada'), scopes);
  const baseURL = `${sandbox.sandbox.url}/gitlab`;
  return openGitlab(createOutbound([new URL(baseURL).origin]), baseURL, async () => token);
}
async function bitbucket(): Promise<CodeHost> {
  const { token, email } = sandbox.apiToken();
  const config = { url: sandbox.baseURL, apiUrl: sandbox.sandbox.bitbucket.api } as const;
  return createBitbucket({ ...config, client: undefined, sandboxPage: undefined }).open(sandbox.baseURL, async () =>
    storedSecretOf(token, email, undefined),
  );
}

describe.each([
  ['GitLab', gitlab, { installationId: 'group', owner: 'sandbox/code', name: 'widgets' }],
  ['Bitbucket', bitbucket, { installationId: 'workspace', owner: 'sandbox', name: 'widgets' }],
] as const)('on %s', (_name, open, ref: HostRef) => {
  test('writes a comment, finds it by content, updates it, and returns 404 once deleted', async () => {
    const { comments } = await open();
    if (!comments) throw new Error('no comments');
    expect(await comments.findComment(ref, number, 'mark-1')).toBeUndefined();
    const id = await comments.writeComment(ref, number, 'Not kept.\n\n[//]: # (mark-1)');
    expect(await comments.findComment(ref, number, 'mark-1')).toBe(id);
    await comments.changeComment(ref, number, id, 'Kept.\n\n[//]: # (mark-1)');
    const all = [...sandbox.sandbox.gitlab.comments.all, ...sandbox.sandbox.bitbucket.comments.all];
    expect(all.at(-1)?.body).toContain('Kept.');
    for (const comment of all) comment.isDeleted = true;
    await expect(comments.changeComment(ref, number, id, 'Again')).rejects.toMatchObject({ status: 404 });
    expect(await comments.findComment(ref, number, 'mark-1')).toBeUndefined();
  });

  test('sets a status, applies the last one, and accepts a repeated one', async () => {
    const { setStatus } = await open();
    await setStatus?.(ref, head, { ...status, state: 'pending' });
    await setStatus?.(ref, head, { ...status, state: 'pending' });
    await setStatus?.(ref, head, { ...status, state: 'failure' });
    const { said: onGitlab } = sandbox.sandbox.gitlab;
    const { said: onBitbucket } = sandbox.sandbox.bitbucket;
    const [last] = [...onGitlab, ...onBitbucket].filter(({ sha }) => sha === head).toReversed();
    expect(last).toMatchObject({
      name: OWN_STATUS_CONTEXT,
      state: expect.stringMatching(/^failed$/i),
      url: status.url,
    });
  });
});

const onGitlab: HostRef = { installationId: 'group', owner: 'sandbox/code', name: 'widgets' };

test('ignores its own status in a GitLab pipeline when reading checks', async () => {
  const host = await gitlab();
  const checks = () => host.evidence?.checksOf(onGitlab, head);
  // The only pipeline is the one of our own status.
  expect(await checks()).toEqual([]);
  await sandbox.control('check', { repository: 'sandbox/widgets', sha: head, name: 'any', conclusion: 'success' });
  expect(await checks()).toMatchObject([{ name: 'pipeline', conclusion: 'success' }]);
  await host.setStatus?.(onGitlab, head, { ...status, state: 'success' });
  await sandbox.control('check', { repository: 'sandbox/widgets', sha: head, name: 'any', conclusion: 'failure' });
  expect(await checks()).toMatchObject(expect.arrayContaining([expect.objectContaining({ conclusion: 'failure' })]));
});

test('rejects comments and statuses with a read-only token', async () => {
  const host = await gitlab(['read_api']);
  const refused = { name: 'HostRefused', status: 403 };
  await expect(host.setStatus?.(onGitlab, head, { ...status, state: 'success' })).rejects.toMatchObject(refused);
  await expect(host.comments?.writeComment(onGitlab, number, 'x')).rejects.toMatchObject(refused);
});
