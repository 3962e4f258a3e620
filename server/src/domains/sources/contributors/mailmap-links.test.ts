import { listContributors } from '@sightline/contract/sources/contributors.ts';
import { bob, createRepository, zoe } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { HostRefused } from '#providers/code-host.ts';
import { type SandboxGithub, startSandboxGithub } from '#providers/github/sandbox.fixture.ts';
import { startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { ingestCommits } from '../ingest/commands.ts';
import { webhookHelpers } from '../webhooks/deliveries.fixture.ts';
import { readMailmap } from './read-mailmap.ts';

let story: ReturnType<typeof createRepository>;
let sandbox: SandboxGithub;
let server: TestServer;
let acme: TestOrganization;
let repositoryId: string;

beforeAll(async () => {
  story = createRepository();
  await story.start();
  await story.commit('First', { 'README.md': 'hello' });
  sandbox = await startSandboxGithub([story.path]);
  server = await startTestServer({ environment: sandbox.environment });
  acme = await server.make.organization();
  repositoryId = await enableOnly(acme, sandbox);
  const commits = [
    ['Ada Lovelace', 'ada@example.org', 3],
    ['Ada', 'ada@old.example', 2],
    ['Grace Hopper', 'grace@example.org', 1],
    ['Jane', 'shared@example.org', 1],
    ['Jo', 'jo@example.org', 1],
    [acme.owner.email, acme.owner.email, 1],
  ] as const;
  let made = 0;
  for (const [name, email, count] of commits) {
    for (let of = 0; of < count; of += 1) {
      made += 1;
      const person = { name, email, login: null, avatarUrl: null };
      const at = new Date(Date.UTC(2026, 2, 1, 10, made)).toISOString();
      const commit = { sha: made.toString(16).padStart(40, 'b'), message: 'Change it', parents: [] };
      const times = { authoredAt: at, committedAt: at };
      await ingestCommits(server.services, acme.id, repositoryId, {
        commits: [{ ...commit, ...times, author: person, committer: person }],
        branch: 'main',
      });
    }
  }
});
afterAll(async () => {
  await server.close();
  await sandbox.close();
  await story.remove();
});

const { enableOnly, inOrg } = webhookHelpers(() => server);
const params = { provider: 'github', repoPath: 'sandbox/widgets' } as const;
const list = async (search = '') =>
  (await server.as(acme.owner, acme.id)(listContributors, { params, query: { search, perPage: 40 } })).rows;
const shown = async () =>
  Object.fromEntries(
    (await list())
      .filter(({ email }) => email !== bob.email && email !== zoe.email)
      .map(({ email, commits, merged }) => [email, [commits, ...merged.map((one) => `${one.email} ${one.source}`)]]),
  );
const separate = () => ({
  'ada@example.org': [3],
  'ada@old.example': [2],
  'grace@example.org': [1],
  'shared@example.org': [1],
  'jo@example.org': [1],
  [acme.owner.email]: [1],
});

/** Pushes or removes a `.mailmap` and imports it. */
async function push(text: string | null): Promise<void> {
  if (text === null) story.git(['rm', '--quiet', '.mailmap']);
  await story.commit('Map people', text === null ? {} : { '.mailmap': text }, bob);
  await sandbox.sandbox.refresh();
  await readMailmap(server.services, acme.id, repositoryId);
}
const persons = () =>
  inOrg(acme.id, ({ db }) =>
    db.selectFrom('identity').select(['kind', 'value', 'person_id']).orderBy('kind').orderBy('value').execute(),
  );

test('shows addresses linked by .mailmap as one contributor, and separates them when the line is removed', {
  tags: 'full',
}, async () => {
  const before = await persons();
  expect(await shown()).toEqual(separate());
  await push('Ada Lovelace <ADA@example.org> <ada@OLD.example>\n');
  const { 'ada@old.example': _, ...others } = separate();
  expect(await shown()).toEqual({ ...others, 'ada@example.org': [5, 'ada@old.example mailmap'] });
  expect(await list('ada@old')).toMatchObject([
    { name: 'Ada Lovelace', commits: 5, lastCommit: '2026-03-01T10:05:00.000Z' },
  ]);
  await push('Ada Lovelace <ada@example.org> <grace@example.org>\n');
  const { 'grace@example.org': __, ...remaining } = separate();
  expect(await shown()).toEqual({ ...remaining, 'ada@example.org': [4, 'grace@example.org mailmap'] });
  await push(null);
  expect(await shown()).toEqual(separate());
  // The identities are unchanged.
  expect(await persons()).toEqual(before);
});

test('links no persons by a name alone, a shared address, or an address with other committers', async () => {
  await inOrg(acme.id, ({ db }) =>
    db.updateTable('contributor').set({ name: 'Another' }).where('email', '=', 'shared@example.org').execute(),
  );
  await push(
    'Ada Lovelace <grace@example.org>\nAda <ada@example.org> Jane <shared@example.org>\n<ada@example.org> <noreply@example.org>\n',
  );
  expect(await shown()).toEqual(separate());
  await inOrg(acme.id, ({ db }) =>
    db.updateTable('contributor').set({ name: 'Jane' }).where('email', '=', 'shared@example.org').execute(),
  );
  await readMailmap(server.services, acme.id, repositoryId);
  expect((await shown())['ada@example.org']).toEqual([4, 'shared@example.org mailmap']);
  await push(null);
});

test('does not merge two members, and grants no person the rights of an account', { tags: 'full' }, async () => {
  const member = await server.make.member(acme.id, 'rol_contributor');
  const accounts = `<${acme.owner.email}> <${member.email}>\n`;
  const person = { name: 'M', email: member.email, login: null, avatarUrl: null };
  const at = '2026-03-02T10:00:00.000Z';
  const commit = { sha: 'c'.repeat(40), message: 'Join', parents: [], authoredAt: at, committedAt: at };
  await ingestCommits(server.services, acme.id, repositoryId, {
    commits: [{ ...commit, author: person, committer: person }],
    branch: 'main',
  });
  const memberPerson = await server.personOf(acme.id, member);
  await push(`${accounts}<${acme.owner.email}> <jo@example.org>\n`);
  // The account of the third address is ambiguous.
  expect(await shown()).toEqual({ ...separate(), [member.email]: [1] });
  await push(`<${acme.owner.email}> <jo@example.org>\n`);
  expect((await shown())[acme.owner.email]).toEqual([2, 'jo@example.org mailmap']);
  expect(await server.personOf(acme.id, member)).toBe(memberPerson);
  const [jo] = (await persons()).filter(({ value }) => value === 'jo@example.org');
  expect(jo?.person_id).not.toBe(await server.personOf(acme.id, acme.owner));
  await push(null);
});

test('changes nothing if the code host denies access, and links no persons if the file is too large', {
  tags: 'full',
}, async () => {
  await push('<ada@example.org> <ada@old.example>\n');
  const github = (await server.services.githubApps.find()) ?? expect.fail('no GitHub');
  const refused = vi.spyOn(github, 'headOf').mockRejectedValue(new HostRefused(403, 'No'));
  await readMailmap(server.services, acme.id, repositoryId);
  expect((await shown())['ada@example.org']).toEqual([5, 'ada@old.example mailmap']);
  refused.mockRestore();
  await push(`<ada@example.org> <ada@old.example>\n${'#'.repeat(300_000)}\n`);
  expect(await shown()).toMatchObject({ 'ada@example.org': [3] });
});
