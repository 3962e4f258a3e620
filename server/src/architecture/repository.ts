import type { Tx } from '#database/database.ts';
import type { TestAccount } from '#testing/server.ts';
import { repositoryContextId } from '../domains/sources/repositories/context.ts';

interface RepositoryFixture {
  orgId: string;
  repositoryId: string;
  name: string;
  installationId: string;
  owner: TestAccount;
}

const at = new Date('2026-03-01T12:00:00Z');

/** Inserts an imported repository with a commit and a pull request of the owner. Returns the commit. */
export async function insertRepository(tx: Tx, fixture: RepositoryFixture): Promise<string> {
  const { orgId, repositoryId, owner } = fixture;
  const [row] = await tx.query<{ person_id: string }>({
    name: 'seed.person',
    text: `select person_id from identity where org_id = $1 and kind = 'account' and value = $2`,
    values: [orgId, owner.id],
  });
  const authored = {
    of: { org_id: orgId, repository_id: repositoryId },
    name: fixture.name,
    fullName: `${fixture.name}/api`,
    sha: repositoryId.replaceAll('-', '').padEnd(40, '0'),
    person: row?.person_id ?? '',
  };
  await insertHostedRepository(tx, fixture, authored);
  await insertCommit(tx, authored);
  await insertPullRequest(tx, authored);
  return authored.sha;
}

interface AuthoredWork {
  of: { org_id: string; repository_id: string };
  name: string;
  fullName: string;
  sha: string;
  person: string;
}

async function insertHostedRepository(
  tx: Tx,
  { orgId, repositoryId, name, installationId, owner }: RepositoryFixture,
  { of, fullName }: AuthoredWork,
): Promise<void> {
  await tx.db
    .insertInto('installation')
    .values({
      org_id: orgId,
      provider: 'github',
      installation_id: installationId,
      account_login: name,
      html_url: `https://code.example/${name}`,
      created_by: owner.id,
    })
    .execute();
  await tx.db
    .insertInto('repository')
    .values({
      org_id: orgId,
      id: repositoryId,
      provider: 'github',
      provider_repo_id: repositoryId,
      installation_id: installationId,
      owner: name,
      name: 'api',
      full_name: fullName,
      default_branch: 'main',
      is_private: true,
      html_url: `https://code.example/${fullName}`,
      tracked: true,
      last_change: at,
    })
    .execute();
  await tx.db
    .insertInto('repository_import')
    .values({ ...of, state: 'done', phase: 'files' })
    .execute();
}

async function insertCommit(tx: Tx, { of, name, sha, person }: AuthoredWork): Promise<void> {
  const email = `${name}@code.example`;
  await tx.db
    .insertInto('commit')
    .values({
      ...of,
      sha,
      author_person: person,
      author_name: name,
      author_email: email,
      authored_at: at,
      committer_name: name,
      committer_email: email,
      committed_at: at,
      message: `${name} begins`,
      branch: 'main',
    })
    .execute();
  await tx.db
    .insertInto('contributor')
    .values({ ...of, person_id: person, name, email, commits: 1, last_commit: at })
    .execute();
}

async function insertPullRequest(tx: Tx, { of, name, fullName, sha, person }: AuthoredWork): Promise<void> {
  const contextId = repositoryContextId(of.repository_id);
  await tx.db
    .insertInto('pull_request')
    .values({
      ...of,
      number: 42,
      title: `${name} goes on`,
      status: 'in-progress',
      draft: false,
      author_person: person,
      author_login: name,
      created_at: at,
      updated_at: at,
      base_ref: 'main',
      head_ref: 'next',
      head_sha: sha,
      url: `https://code.example/${fullName}/pull/42`,
      context_id: contextId,
    })
    .execute();
  await tx.db
    .insertInto('review')
    .values({ ...of, number: 42, review_id: '1', person_id: person, login: name, state: 'approved', submitted_at: at })
    .execute();
  const filters = [{ within: 'repository', field: 'fullName', predicate: 'is', arguments: [fullName] }];
  await tx.db
    .insertInto('context')
    .values({ org_id: of.org_id, id: contextId, filters: JSON.stringify(filters) })
    .execute();
}
