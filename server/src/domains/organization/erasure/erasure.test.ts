import { randomBytes } from 'node:crypto';
import { listAudit } from '@sightline/contract/organization/audit.ts';
import { erasePerson, listErasures } from '@sightline/contract/organization/erasure.ts';
import { inviteMembers } from '@sightline/contract/organization/invitations.ts';
import { queryEvents, recordEvents } from '@sightline/contract/timeline/events.ts';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { newId } from '#core/ids.ts';
import { createTestRepository } from '#testing/findings.ts';
import { startTestServer, type TestAccount, type TestOrganization, type TestServer } from '#testing/server.ts';
import type { HostPerson, HostUser } from '../../../providers/host-facts.ts';
import { checkLedger } from '../../ledger/ledger/check/check.ts';
import { signHead } from '../../ledger/ledger/checkpoints.ts';
import { sequenceEntries } from '../../ledger/ledger/sequence.ts';
import { ingestCommits, ingestPullRequest } from '../../sources/ingest/commands.ts';
import { runErasure } from './run.ts';
import { findTraces } from './testing/dump.ts';

const masterKey = randomBytes(32).toString('base64');
let server: TestServer;
let acme: TestOrganization;
let zelda: TestAccount;
let repositoryId: string;

beforeAll(async () => {
  server = await startTestServer({ environment: { MASTER_KEY: masterKey } });
});
beforeEach(async () => {
  acme = await server.make.organization('Acme');
  zelda = await server.make.member(acme.id, 'rol_contributor');
  repositoryId = await createTestRepository(server, acme);
});
afterAll(() => server.close());

const inOrg = <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  server.services.database.withOrg(acme.id, (tx) => tx.query<Row>({ name: '', text, values: [acme.id, ...values] }));
const seal = async () => {
  while ((await sequenceEntries(server.services.ledger, acme.id)) > 0);
  await signHead(server.services.ledger, acme.id);
};
const problems = async () => (await checkLedger(server.services, acme.id))?.problems ?? [];
const find = async (query: string) =>
  (await server.as(acme.owner, acme.id)(queryEvents, { body: { query } })).events.map(({ uuid }) => uuid);

const picture = 'https://pictures.example.org/u/4711?v=4';
const bob = { name: 'Bob Builder', email: 'bob@example.org', login: 'bobb', avatarUrl: null };
const at = (minute: number) => new Date(Date.UTC(2026, 9, 1, 10, minute)).toISOString();

/** Records data that names her through all interfaces. */
async function recordTraces(): Promise<Record<string, string | Buffer>> {
  const tag = zelda.id.slice(-6);
  const name = `Zelda Quixote${tag}`;
  const login = `zeldaq${tag}`;
  const second = `Zelda.Q${tag}@Work.example`;
  await server.services.database.global(({ db }) =>
    db.updateTable('account').set({ name, picture, github_login: login }).where('id', '=', zelda.id).execute(),
  );
  const her = { name, email: zelda.email, login, avatarUrl: picture };
  const commit = (n: number, author: HostPerson, message: string, committer = author) => ({
    sha: n.toString(16).padStart(4, '0').repeat(10),
    message,
    author,
    committer,
    parents: [],
    authoredAt: at(n),
    committedAt: at(n),
  });
  await ingestCommits(server.services, acme.id, repositoryId, {
    commits: [
      commit(1, her, `Add a quest\n\nSigned-off-by: ${name} <${zelda.email}>`),
      commit(2, { ...her, email: second, name: `${name} at work` }, 'Go on'),
      commit(3, bob, `Fix what ${name} broke\n\nCo-authored-by: ${name} <${zelda.email}>`),
      commit(4, bob, 'Rebased', her),
    ],
    branch: 'main',
  });
  const user = { login, avatarUrl: picture, isAgent: false };
  const other = { login: 'bobb', avatarUrl: null, isAgent: false };
  const pull = (number: number, author: HostUser, title: string) => ({
    number,
    title,
    state: 'accepted' as const,
    draft: false,
    author,
    mergedBy: user,
    closedBy: null,
    createdAt: at(10),
    updatedAt: at(20),
    mergedAt: at(20),
    closedAt: at(20),
    baseRef: 'main',
    headRef: `${login}/quest`,
    headSha: 'f'.repeat(40),
    mergeSha: 'e'.repeat(40),
    additions: 1,
    deletions: 0,
    changedFiles: 1,
    commits: 1,
    url: 'https://code.example/acme/api/pull/1',
  });
  const review = (id: string, by: HostUser) => ({
    id,
    user: by,
    state: 'approved' as const,
    sha: null,
    submittedAt: at(15),
  });
  await ingestPullRequest(server.services, acme.id, {
    repositoryId,
    pullRequest: pull(1, user, 'A quest'),
    reviews: [review('1', other)],
  });
  await ingestPullRequest(server.services, acme.id, {
    repositoryId,
    pullRequest: pull(2, other, `Thanks @${login}`),
    reviews: [review('2', user)],
  });
  await server.as(zelda, acme.id)(recordEvents, {
    body: Array.from({ length: 3 }, () => ({
      plugin_id: 'sightline-browser',
      event_type: 'web_page_view',
      message_id: newId(),
      identifiers: { kind: 'issue' },
      original_timestamp: at(30),
      tracking_source: 'chrome',
      content_uri: 'https://wiki.example.org/',
    })),
  });
  // An audit entry of the owner that names her, with a commitment under the owner's key.
  await server.as(acme.owner, acme.id)(inviteMembers, {
    body: { invite: { emails: [second], roleID: 'rol_contributor' } },
  });
  await inOrg(`insert into notification_pending (org_id, id, notification) values ($1, gen_random_uuid(), $2)`, [
    JSON.stringify({ type: 'member.joined', says: `${name} joined` }),
  ]);
  await inOrg(
    `insert into webhook_delivery (org_id, provider, delivery_id, event, body, processed_at) values ($1, 'github', gen_random_uuid(), 'push', $2, now())`,
    [JSON.stringify({ sender: { login } })],
  );
  await server.services.database.global(({ db }) =>
    db
      .insertInto('mail')
      .values({ id: newId(), recipient: zelda.email, subject: 'Welcome', body_text: `Dear ${name}`, body_html: '' })
      .execute(),
  );
  const keys = await server.services.database.withOrg(acme.id, async (tx) =>
    server.services.people.keys(tx, acme.id, [await server.personOf(acme.id, zelda)]),
  );
  const [key] = [...keys.values()];
  if (!key) throw new Error('no key');
  return { name, email: zelda.email, 'second email': second, login, picture, key: Buffer.from(key) };
}

const eraseZelda = async () => {
  const erasure = await server.as(acme.owner, acme.id)(erasePerson, {
    body: { subject: { kind: 'member', id: zelda.id }, confirm: zelda.email },
  });
  await runErasure(server.services, acme.id, erasure.id);
  return erasure;
};

test('an erasure removes the person from database and files, and the ledger stays valid', async () => {
  const traces = await recordTraces();
  await seal();
  expect(await problems()).toEqual([]);
  expect(new Set((await findTraces(server, traces)).map(({ value }) => value))).toEqual(
    new Set(['name', 'email', 'second email', 'login', 'picture']),
  );
  const herEvents = await inOrg<{ id: string }>(`select id from event where org_id = $1 and actor = $2`, [
    await server.personOf(acme.id, zelda),
  ]);
  const before = await inOrg<{ n: number; size: number }>(
    'select count(*)::int as n, (select max(size)::int from ledger_checkpoint where org_id = $1) as size from event where org_id = $1',
  );
  const { id } = await eraseZelda();
  expect(await findTraces(server, traces)).toEqual([]);
  // All rows remain, with the same hashes.
  await seal();
  expect(await problems()).toEqual([]);
  const after = await inOrg<{ n: number }>('select count(*)::int as n from event where org_id = $1');
  expect(after[0]?.n).toBe(before[0]?.n);
  expect((await find('quest')).length).toBeGreaterThan(0);
  expect(await find('zelda')).toEqual([]);
  expect((await find('deleted')).length).toBeGreaterThanOrEqual(herEvents.length);
  expect(await find('wiki')).toHaveLength(3);
  const contributors = await inOrg<{ name: string }>('select name from contributor where org_id = $1 order by 1');
  expect(contributors.map(({ name }) => name)).toEqual(['Bob Builder', 'Deleted person']);
  const [erasure] = (await server.as(acme.owner, acme.id)(listErasures, {})).rows;
  expect(erasure).toMatchObject({
    id,
    state: 'done',
    basis: 'owner',
    person: { name: null, email: null },
    deletesAccount: true,
  });
  expect(erasure?.progress.done).toBe(erasure?.progress.total);
  const { entries } = await server.as(acme.owner, acme.id)(listAudit, { query: {} });
  expect(entries.map(({ action }) => action)).toContain('person.erased');
});

test('a repeated step changes nothing, and an interrupted run resumes', { tags: ['full'] }, async () => {
  const traces = await recordTraces();
  const erasure = await server.as(acme.owner, acme.id)(erasePerson, {
    body: { subject: { kind: 'member', id: zelda.id }, confirm: zelda.email },
  });
  await runErasure(server.services, acme.id, erasure.id);
  await runErasure(server.services, acme.id, erasure.id);
  expect(await findTraces(server, traces)).toEqual([]);
  const leaves = await inOrg<{ kind: string }>(
    `select kind from ledger_known where org_id = $1 and kind like 'erasure%' order by kind`,
  );
  expect(leaves.map(({ kind }) => kind)).toEqual(['erasure', 'erasure.done']);
});

test('reports rows falsely marked as erased', async () => {
  await recordTraces();
  await eraseZelda();
  await seal();
  expect(await problems()).toEqual([]);
  const [event] = await inOrg<{ id: string }>(
    `select id from event e where org_id = $1 and not exists (select from erased_row x where x.org_id = $1 and x.entry_id = e.id) limit 1`,
  );
  const [erasure] = await inOrg<{ id: string }>('select id from erasure where org_id = $1');
  await server.services.erasure.withOrg(acme.id, async (tx) => {
    const values = [acme.id, event?.id, erasure?.id];
    await tx.query({
      name: '',
      text: 'insert into erased_row (org_id, entry_id, erasure_id) values ($1, $2, $3)',
      values,
    });
  });
  expect(await problems()).toEqual([
    expect.objectContaining({ what: 'event', message: expect.stringContaining('that do not match ledger entry') }),
  ]);
});

test('another process drops a cached key within seconds', async () => {
  const other = await startTestServer({ environment: { MASTER_KEY: masterKey }, beside: server });
  try {
    const person = await server.personOf(acme.id, zelda);
    const keys = () =>
      other.services.database.withOrg(acme.id, (tx) => other.services.people.keys(tx, acme.id, [person]));
    expect((await keys()).size).toBe(1);
    await eraseZelda();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 6_000 });
    expect((await keys()).size).toBe(0);
  } finally {
    vi.useRealTimers();
    await other.close();
  }
});

test('treats later activity as a new person and does not restore old rows', async () => {
  await recordTraces();
  const person = await server.personOf(acme.id, zelda);
  await eraseZelda();
  const again = { name: 'Zelda Quixote', email: zelda.email, login: 'zeldaq', avatarUrl: null };
  const commit = (n: number) => ({
    sha: n.toString(16).padStart(4, '0').repeat(10),
    message: 'Again',
    author: again,
    committer: again,
    parents: [],
    authoredAt: at(n),
    committedAt: at(n),
  });
  // A known commit and a new one.
  await ingestCommits(server.services, acme.id, repositoryId, { commits: [commit(1), commit(50)], branch: 'main' });
  const rows = await inOrg<{ sha: string; author_person: string; author_name: string }>(
    `select left(sha, 4) as sha, author_person, author_name from commit where org_id = $1 and left(sha, 4) in ('0001', '0032') order by 1`,
  );
  expect(rows[0]).toEqual({ sha: '0001', author_person: person, author_name: 'Deleted person' });
  expect(rows[1]).toMatchObject({ sha: '0032', author_name: 'Zelda Quixote' });
  expect(rows[1]?.author_person).not.toBe(person);
});
