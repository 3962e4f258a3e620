import type { PlantedAccess } from '@sightline/sandbox/git/model.ts';
import { createStory } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HostFailed } from '#providers/code-host.ts';
import type { HostEvidence } from '../host-evidence.ts';
import { type SandboxGitlab, startSandboxGitlab } from './sandbox.fixture.ts';

let sandbox: SandboxGitlab;
let evidence: HostEvidence | undefined;
let story: Awaited<ReturnType<typeof createStory>>;
beforeAll(async () => {
  story = await createStory();
  sandbox = await startSandboxGitlab([story.path]);
  evidence = sandbox.open(sandbox.tokenOf()).evidence;
});
afterAll(async () => {
  await sandbox.close();
  await story.remove();
});

const repository = 'sandbox/widgets';
const access: PlantedAccess = {
  people: [
    { login: 'ada', role: 'maintain', via: 'direct' },
    { login: 'contractor', role: 'read', via: 'outside' },
  ],
  teams: [{ slug: 'core', role: 'write', members: ['zoe-a'] }],
  keys: [{ id: 11, title: 'Deploy', isReadOnly: false, addedBy: null }],
  apps: [{ id: 7, slug: 'mirror', permissions: {}, hasAllRepositories: true }],
  owners: ['boss'],
};
const plant = (planted: PlantedAccess) => sandbox.control('access', { repository, ...planted });
const read = async () => evidence?.accessOf?.({ installationId: '1', owner: 'sandbox/code', name: 'widgets' }, 'main');

test('reads members, groups, deploy keys and deploy tokens, and who may push without a merge request', async () => {
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
    'person boss': 'admin organization bypasses',
    'team sandbox/core': 'write direct bypasses',
    'key Deploy': 'write direct bypasses',
    'key mirror': 'read direct bound',
  });
  const rules = { requiredReviews: 1, dismissesStale: true, allowsForcePush: false, allowsDeletion: false };
  await sandbox.control('protect', { repository, rules: { ...rules, includesAdmins: false, requiredChecks: [] } });
  expect(await wordsOf()).toMatchObject({
    'person ada': 'admin direct bypasses',
    'person zoe-a': 'write organization bound',
    'key Deploy': 'write direct bound',
  });
  await sandbox.control('protect', { repository, rules: { ...rules, includesAdmins: true, requiredChecks: [] } });
  expect(await wordsOf()).toMatchObject({ 'person boss': 'admin organization bound' });
});

test('reads every page of members, with IDs of this instance', async () => {
  const people = Array.from({ length: 205 }, (_, number) => ({
    login: `person-${number}`,
    role: 'write' as const,
    via: 'direct' as const,
  }));
  await plant({ ...access, people });
  const found = (await read())?.holders.filter(({ kind }) => kind === 'person') ?? [];
  expect(found).toHaveLength(207);
  expect(found[0]?.id).toContain(`@${new URL(sandbox.baseURL).host}`);
});

test('what a token that is no maintainer may not read is forbidden, and a failed request is an error', async () => {
  await sandbox.control('gitlab/role', { maintainers: false });
  expect((await read())?.parts).toEqual({
    people: 'read',
    teams: 'read',
    keys: 'forbidden',
    apps: 'not_offered',
    owners: 'not_offered',
    bypass: 'forbidden',
  });
  await sandbox.control('gitlab/role', { maintainers: true });
  await sandbox.control('faults', { match: '/deploy_keys', status: 502, times: 10 });
  await expect(read()).rejects.toThrow(HostFailed);
  await fetch(`${sandbox.sandbox.url}/_sandbox/faults`, { method: 'DELETE' });
});
