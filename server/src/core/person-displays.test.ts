import { findPictures } from '@sightline/contract/organization/people.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestRepository } from '#testing/findings.ts';
import { shareTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { ingestCommits } from '../domains/sources/ingest/commands.ts';
import { newId } from './ids.ts';
import type { PersonName } from './people.ts';
import { findPersonDisplays, loadPersonDisplays } from './person-displays.ts';

let server: TestServer;
let acme: TestOrganization;
beforeAll(async () => {
  server = await shareTestServer();
  acme = await server.make.organization('Acme');
});
afterAll(() => server.close());

const inOrg = <Result>(run: Parameters<TestServer['services']['database']['withOrg']>[1]) =>
  server.services.database.withOrg(acme.id, run) as Promise<Result>;

const claim = async (names: PersonName[], display: string | null, picture: string | null = null): Promise<string> => {
  const [id = ''] = await inOrg<string[]>((tx) =>
    server.services.people.resolve(tx, acme.id, [{ names, display, picture, source: 'test' }]),
  );
  return id;
};

const displayOf = async (id: string) =>
  (await inOrg<Awaited<ReturnType<typeof loadPersonDisplays>>>((tx) => loadPersonDisplays(tx, acme.id, [id])))(id);

test('a person has one name and picture: of the account, the commits, the code hosts, else the login', async () => {
  const login = await claim([{ kind: 'github', value: 'zoe' }], null);
  expect(await displayOf(login)).toEqual({ id: login, name: 'zoe', picture: null });
  const named = await claim([{ kind: 'github', value: 'ida' }], 'ida-hub', 'https://code.example/ida.png');
  expect(await displayOf(named)).toMatchObject({ name: 'ida-hub', picture: 'https://code.example/ida.png' });
  // A name beside an address is that of a person, while code hosts often repeat the login.
  await claim(
    [
      { kind: 'github', value: 'ida' },
      { kind: 'email', value: 'ida@example.org' },
    ],
    'Ida Ferrier',
  );
  expect(await displayOf(named)).toMatchObject({ name: 'Ida Ferrier' });
  const repositoryId = await createTestRepository(server, acme);
  const author = { name: 'Ida R. Ferrier', email: 'ida@example.org', login: 'ida', avatarUrl: null };
  const at = '2026-03-01T10:00:00Z';
  const commit = { sha: 'a'.repeat(40), message: 'Begin', author, committer: author, authoredAt: at, committedAt: at };
  await ingestCommits(server.services, acme.id, repositoryId, {
    commits: [{ ...commit, parents: [] }],
    branch: 'main',
  });
  expect(await displayOf(named)).toMatchObject({ name: 'Ida R. Ferrier', picture: 'https://code.example/ida.png' });
  const owner = await claim([{ kind: 'account', value: acme.owner.id }], null);
  const olga = 'https://code.example/olga.png';
  await inOrg((tx) =>
    tx.query({ name: '', text: 'update account set picture = $2 where id = $1', values: [acme.owner.id, olga] }),
  );
  expect(await displayOf(owner)).toMatchObject({ name: acme.owner.name, picture: 'https://code.example/olga.png' });
});

test('a merged person has the name of the other, a deleted one and an unknown one have none', async () => {
  const into = await claim([{ kind: 'email', value: 'nora@example.org' }], 'Nora Quist');
  const merged = await claim([{ kind: 'gitlab', value: 'nq' }], 'nq');
  const erased = await claim([{ kind: 'gitlab', value: 'gone' }], 'Gone Person');
  await inOrg((tx) =>
    tx.query({ name: '', text: 'update person set merged_into = $2 where id = $1', values: [merged, into] }),
  );
  await inOrg((tx) => tx.query({ name: '', text: `delete from identity where value = 'gone'`, values: [] }));
  await inOrg((tx) =>
    tx.query({ name: '', text: 'update person set erased_at = now() where id = $1', values: [erased] }),
  );
  expect(await displayOf(merged)).toEqual({ id: merged, name: 'Nora Quist', picture: null });
  const unknown = newId();
  const found = await inOrg<Awaited<ReturnType<typeof findPersonDisplays>>>((tx) =>
    findPersonDisplays(tx, acme.id, [erased, unknown]),
  );
  expect(found.get(erased)).toEqual({ name: null, picture: null, erased: true });
  expect(found.has(unknown)).toBe(false);
  expect(await displayOf(unknown)).toEqual({ id: unknown, name: 'Unknown person', picture: null });
});

test('finds pictures by account and by person, of the own organization only', async () => {
  const owner = await claim([{ kind: 'account', value: acme.owner.id }], null);
  const other = await claim([{ kind: 'github', value: 'pic' }], 'Pic', 'https://code.example/pic.png');
  const plain = await claim([{ kind: 'github', value: 'plain' }], 'Plain');
  const ids = [acme.owner.id, owner, other, plain];
  const pictures = {
    [acme.owner.id]: 'https://code.example/olga.png',
    [owner]: 'https://code.example/olga.png',
    [other]: 'https://code.example/pic.png',
  };
  const contributor = await server.make.member(acme.id, 'rol_contributor');
  expect(await server.as(contributor, acme.id)(findPictures, { query: { ids } })).toEqual({ pictures });
  const globex = await server.make.organization('Globex');
  expect(await server.as(globex.owner, globex.id)(findPictures, { query: { ids } })).toEqual({ pictures: {} });
});
