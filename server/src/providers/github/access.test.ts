import type { PlantedAccess } from '@sightline/sandbox/git/model.ts';
import { createStory } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { HostFailed } from '#providers/code-host.ts';
import { createGithub, type Github } from './github.ts';
import { type SandboxGithub, startSandboxGithub } from './sandbox.fixture.ts';

let sandbox: SandboxGithub;
let github: Github;
let installationId: string;
let story: Awaited<ReturnType<typeof createStory>>;
beforeAll(async () => {
  story = await createStory();
  sandbox = await startSandboxGithub([story.path]);
  github = createGithub(sandbox.config);
  installationId = String(sandbox.install().id);
});
beforeEach(() => plant(access));
afterAll(async () => {
  await sandbox.close();
  await story.remove();
});

const access: PlantedAccess = {
  people: [
    { login: 'ada', role: 'maintain', via: 'direct' },
    { login: 'contractor', role: 'read', via: 'outside' },
  ],
  teams: [{ slug: 'core', role: 'write', members: ['ada', 'zoe-a'] }],
  keys: [
    { id: 11, title: 'Deploy of ada', isReadOnly: false, addedBy: 'ada' },
    { id: 12, title: 'Mirror', isReadOnly: true, addedBy: null },
  ],
  apps: [
    { id: 901, slug: 'renovate', permissions: { contents: 'write' }, hasAllRepositories: true },
    { id: 902, slug: 'terraform', permissions: { administration: 'write' }, hasAllRepositories: false },
  ],
  owners: ['boss'],
};
const rules = {
  requiredReviews: 1,
  dismissesStale: true,
  allowsForcePush: false,
  allowsDeletion: false,
  includesAdmins: true,
  requiredChecks: [],
};

const repository = 'sandbox/widgets';
const plant = (planted: PlantedAccess) => sandbox.control('access', { repository, ...planted });
const read = () => github.evidence.accessOf({ installationId, owner: 'sandbox', name: 'widgets' }, 'main');
const permit = (name: string, level: 'read' | 'none') =>
  sandbox.control('permissions', { installation: Number(installationId), name, level });

/** The holders in words, by kind and name. */
const holdersOf = async () =>
  Object.fromEntries(
    (await read()).holders.map(({ kind, name, permission, routes, canBypass }) => [
      `${kind} ${name}`,
      [permission, ...routes, canBypass === null ? 'bypass unknown' : canBypass ? 'bypasses' : 'bound'].join(' '),
    ]),
  );

test('reads every kind of access with the highest permission and its route', async () => {
  await sandbox.control('protect', { repository, rules });
  const { parts, holders } = await read();
  expect(new Set(Object.values(parts))).toEqual(new Set(['read']));
  expect(await holdersOf()).toEqual({
    'person ada': 'maintain direct bound',
    'person contractor': 'read outside bound',
    'person zoe-a': 'write organization bound',
    'person boss': 'admin owner bound',
    'team core': 'write direct bound',
    'key Deploy of ada': 'write direct bound',
    'key Mirror': 'read direct bound',
    'app renovate': 'write organization bound',
    'app terraform': 'admin selected bound',
  });
  const key = holders.find(({ id }) => id === '11');
  expect(key?.user?.hostId).toBe(String(sandbox.user('ada').id));
  expect(holders.find(({ id }) => id === '12')?.user).toBeNull();
});

test('tells who can bypass the branch protection: administrators, named accounts and teams, everyone without one', async () => {
  await sandbox.control('protect', {
    repository,
    rules: { ...rules, includesAdmins: false, bypassUsers: ['ada'], bypassTeams: ['core'] },
  });
  expect(await holdersOf()).toMatchObject({
    'person ada': 'maintain direct bypasses',
    'person zoe-a': 'write organization bypasses',
    'person boss': 'admin owner bypasses',
    'person contractor': 'read outside bound',
    'team core': 'write direct bypasses',
  });
  await permit('members', 'none');
  expect(await holdersOf()).toMatchObject({ 'person zoe-a': 'write organization bypass unknown' });
  await permit('members', 'read');
  await sandbox.control('protect', { repository, rules: null });
  expect(await holdersOf()).toMatchObject({
    'person ada': 'maintain direct bypasses',
    'person contractor': 'read outside bound',
    'key Deploy of ada': 'write direct bypasses',
  });
});

test('reads lists of several pages', async () => {
  const people = Array.from({ length: 205 }, (_, number) => ({
    login: `person-${number}`,
    role: 'write',
    via: 'direct',
  }));
  await plant({ ...access, people } as PlantedAccess);
  expect((await read()).holders.filter(({ kind }) => kind === 'person')).toHaveLength(205 + 3);
});

test('reports parts that the app may not read as forbidden, never as empty', async () => {
  for (const name of ['administration', 'members', 'organization_administration']) await permit(name, 'none');
  const { parts, holders } = await read();
  expect(parts).toEqual({
    people: 'read',
    teams: 'forbidden',
    keys: 'forbidden',
    apps: 'forbidden',
    owners: 'forbidden',
    bypass: 'forbidden',
  });
  expect(holders.every(({ kind, canBypass }) => kind === 'person' && canBypass === null)).toBe(true);
  for (const name of ['administration', 'members', 'organization_administration']) await permit(name, 'read');
  await sandbox.control('faults', { match: '/collaborators', status: 403, times: 1 });
  expect((await read()).parts.people).toBe('forbidden');
});

test('a failed request is an error, not an empty list', async () => {
  await sandbox.control('faults', { match: '/keys', status: 502, times: 10 });
  await expect(read()).rejects.toThrow(HostFailed);
  await fetch(`${sandbox.sandbox.url}/_sandbox/faults`, { method: 'DELETE' });
  expect((await read()).parts.keys).toBe('read');
});
