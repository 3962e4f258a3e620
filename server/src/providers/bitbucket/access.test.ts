import { allScopes, createWorkspaceToken } from '@sightline/sandbox/bitbucket/bitbucket.ts';
import type { PlantedAccess } from '@sightline/sandbox/git/model.ts';
import { createStory } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HostFailed } from '#providers/code-host.ts';
import { type SandboxGithub, startSandboxGithub } from '#providers/github/sandbox.fixture.ts';
import { createBitbucket } from './bitbucket.ts';

let sandbox: SandboxGithub;
let story: Awaited<ReturnType<typeof createStory>>;
beforeAll(async () => {
  story = await createStory();
  sandbox = await startSandboxGithub([story.path]);
});
afterAll(async () => {
  await sandbox.close();
  await story.remove();
});

const repository = 'sandbox/widgets';
const access: PlantedAccess = {
  people: [
    { login: 'ada', role: 'admin', via: 'direct' },
    { login: 'contractor', role: 'read', via: 'direct' },
  ],
  teams: [{ slug: 'core', role: 'write', members: ['zoe-a'] }],
  keys: [{ id: 11, title: 'Deploy', isReadOnly: true, addedBy: null }],
  apps: [],
  owners: ['boss'],
};
const plant = (planted: PlantedAccess) => sandbox.control('access', { repository, ...planted });

async function read(scopes = allScopes) {
  const { bitbucket: server, host } = sandbox.sandbox;
  const client = { id: host.app.clientId, secret: host.app.clientSecret };
  const cloud = createBitbucket({ url: server.url, apiUrl: server.api, client, sandboxPage: undefined });
  const token = createWorkspaceToken(server, 'sandbox', scopes);
  const { evidence } = cloud.open(server.url, async () => cloud.tokenFrom(token, undefined, 'sandbox').secret);
  return evidence?.accessOf?.({ installationId: '', owner: 'sandbox', name: 'widgets' }, 'main');
}

test('reads accounts, groups, owners and deploy keys, and who may push without a pull request', async () => {
  await plant(access);
  const wordsOf = async () =>
    Object.fromEntries(
      ((await read())?.holders ?? []).map(({ kind, name, permission, routes, canBypass }) => [
        `${kind} ${name}`,
        [permission, ...routes, canBypass ? 'bypasses' : 'bound'].join(' '),
      ]),
    );
  expect(await wordsOf()).toEqual({
    'person ada': 'admin direct bypasses',
    'person contractor': 'read direct bound',
    'person zoe-a': 'write organization bypasses',
    'person boss': 'admin owner organization bypasses',
    'team core': 'write direct bypasses',
    'key Deploy': 'read direct bound',
  });
  const rules = { requiredReviews: 1, dismissesStale: true, allowsForcePush: false, allowsDeletion: false };
  await sandbox.control('protect', {
    repository,
    rules: { ...rules, includesAdmins: false, requiredChecks: [], bypassUsers: ['zoe-a'] },
  });
  expect(await wordsOf()).toMatchObject({
    'person ada': 'admin direct bound',
    'person zoe-a': 'write organization bypasses',
  });
});

test('reads every page of accounts', async () => {
  const people = Array.from({ length: 205 }, (_, number) => ({
    login: `person-${number}`,
    role: 'write' as const,
    via: 'direct' as const,
  }));
  await plant({ ...access, people });
  expect((await read())?.holders.filter(({ kind }) => kind === 'person')).toHaveLength(207);
});

test('what a token may not read is forbidden, and a failed request is an error', async () => {
  expect((await read(['repository']))?.parts).toEqual({
    people: 'forbidden',
    teams: 'forbidden',
    keys: 'forbidden',
    apps: 'not_offered',
    owners: 'forbidden',
    bypass: 'forbidden',
  });
  await sandbox.control('faults', { match: '/deploy-keys', status: 502, times: 10 });
  await expect(read()).rejects.toThrow(HostFailed);
  await fetch(`${sandbox.sandbox.url}/_sandbox/faults`, { method: 'DELETE' });
});
