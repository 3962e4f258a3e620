import { ada, bob, createRepository, zoe } from '@sightline/sandbox/testing/repository.ts';
import { expect, vi } from 'vitest';
import type { Tx } from '#database/database.ts';
import { type SandboxGithub, startSandboxGithub } from '#providers/github/sandbox.fixture.ts';
import { startTestServer, type TestAccount, type TestOrganization, type TestServer } from '#testing/server.ts';
import { queueImport } from '../../sources/imports/commands.ts';
import { webhookHelpers } from '../../sources/webhooks/deliveries.fixture.ts';

/** The latest version of a change record. */
export interface StoredRecord {
  [column: string]: unknown;
  id: string;
  version: number;
  merge_method: string;
  number: number | null;
  approval: string;
  missing: string[];
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect parts as JSON
  parts: any;
  sources: Record<string, { state: string; reason: string | null }>;
}

/**
 * A sandbox repository with three branches, which sends webhooks to a server; its history is imported. Ada and Bob are
 * members, Zoë is not.
 */
export async function startWorld() {
  const story = await createStory();
  const github: SandboxGithub = await startSandboxGithub([story.path]);
  const server: TestServer = await startTestServer({
    environment: github.environment,
    jobs: true,
    destinations: [github.sandbox.url],
  });
  const acme: TestOrganization = await server.make.organization();
  const member = await server.make.member(acme.id, 'rol_contributor');
  const joinedAt = Date.now();
  const { enableOnly, inOrg } = webhookHelpers(() => server);
  const inAcme = <Result>(work: (tx: Tx) => Promise<Result>) => inOrg(acme.id, work);
  const linkIdentities = async (account: TestAccount, login: string, email: string) => {
    const person = await server.personOf(acme.id, account);
    await inAcme(({ db }) =>
      db
        .insertInto('identity')
        .values(
          [
            { kind: 'github', value: login },
            { kind: 'email', value: email },
          ].map((name) => ({ ...name, org_id: acme.id, person_id: person, source: 'test', confidence: 'declared' })),
        )
        .execute(),
    );
    return person;
  };
  const persons = {
    ada: await linkIdentities(acme.owner, 'ada', 'ada@example.org'),
    bob: await linkIdentities(member, 'bob', 'info@example.org'),
  };
  const repositoryId = await enableOnly(acme, github);
  const installation = [...github.sandbox.host.installations.keys()][0] ?? 0;
  await inAcme((tx) => queueImport(server.services, tx, acme.id, repositoryId));
  await vi.waitFor(
    async () => {
      const row = await inAcme(({ db }) => db.selectFrom('repository_import').select('state').executeTakeFirst());
      expect(row?.state).toBe('done');
    },
    { timeout: 30_000 },
  );
  // The host reports times in seconds: activity in the second of joining would seem to precede it.
  await vi.waitFor(() => expect(Date.now()).toBeGreaterThan(joinedAt + 1_000), { timeout: 5_000 });
  github.sandbox.deliverTo(`${server.url}/api/webhooks/github`);

  const numberOf = (headRef: string): number =>
    github.sandbox.host.repositories[0]?.git.pullRequests.find((pull) => pull.headRef === headRef)?.number ?? 0;
  const repository = 'sandbox/widgets';
  const control = (path: string, body: object) => github.control(path, { repository, ...body });

  const rowsOf = <Row extends Record<string, unknown>>(text: string, values: unknown[] = []): Promise<Row[]> =>
    inAcme((tx) => tx.query<Row>({ name: '', text, values: [acme.id, ...values] }));
  const { recordOf, directOf } = recordReaders(rowsOf);
  const close = async () => {
    await server.close();
    await github.close();
    await story.remove();
  };
  return {
    story,
    github,
    server,
    acme,
    member,
    persons,
    repositoryId,
    repository,
    installation,
    inAcme,
    rowsOf,
    numberOf,
    control,
    recordOf,
    directOf,
    close,
  };
}

async function createStory() {
  const story = createRepository();
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
  return story;
}

type RowsOf = <Row extends Record<string, unknown>>(text: string, values?: unknown[]) => Promise<Row[]>;

const hasReadPush = ({ parts }: StoredRecord) => {
  expect(parts.unreviewedFiles.state).toBe('complete');
  expect(parts.hostActivity.state).toBe('complete');
};

/** Readers of the latest versions of records by a query whose first value is the organization. */
export function recordReaders(rowsOf: RowsOf) {
  const latest = 'select distinct on (id) * from change_record where org_id = $1';
  /** Waits until the record of a merge passes the check; by default until the server has read its push. */
  const recordOf = (number: number, check: (record: StoredRecord) => void = hasReadPush) =>
    waitForRecord(`${latest} and number = $2 order by id, version desc`, [number], check);
  const directOf = (sha: string, check: (record: StoredRecord) => void = () => undefined) =>
    waitForRecord(`${latest} and push_id is not null and merge_sha = $2 order by id, version desc`, [sha], check);
  const waitForRecord = (text: string, values: unknown[], check: (record: StoredRecord) => void) =>
    vi.waitFor(
      async () => {
        const [record] = await rowsOf<StoredRecord>(text, values);
        if (!record) throw new Error('no record yet');
        check(record);
        return record;
      },
      { timeout: 30_000, interval: 200 },
    );
  return { recordOf, directOf };
}
