import pg from 'pg';
import { type BenchServer, startServer } from './process.ts';
import { measureRequests } from './questions.ts';
import { printReport } from './report.ts';

const members = Number(process.env.BENCH_MEMBERS ?? 10_000);
const sizes = { members, invitations: members / 5, committers: (members * 3) / 10 };
const seconds = 5;

/**
 * Measures the member list and its summary over HTTP, in an organization with `members` members, a fifth as many
 * invitations and nearly a third as many uninvited committers, beside other organizations of ordinary size.
 */
export async function benchMembers(): Promise<void> {
  const server = await startServer();
  try {
    await seedMembers(server);
    const rows = await measureRequests(server, questions, { connections: [1, 16], seconds });
    printReport(`members: ${await counts(server)}`, rows);
  } finally {
    await server.stop();
  }
}

/** Returns the number of members of each status in the summary. */
async function counts({ url, token }: BenchServer): Promise<string> {
  const answer = await fetch(`${url}${summary}`, { headers: { authorization: `Bearer ${token}` } });
  const { byStatus } = (await answer.json()) as { byStatus: Record<string, number> };
  return Object.entries(byStatus)
    .map(([status, count]) => `${count} ${status}`)
    .join(', ');
}

const summary = '/api/v2/auth0mgm/org/members/summary';
const list = (query: string) => `/api/v2/auth0mgm/org/members?${query}`;
const questions: Record<string, string[]> = {
  'newest 10': [list('')],
  'page 500': [list('page=500'), list('page=501')],
  '100 by name': [list('perPage=100&sort=name-asc'), list('perPage=100&sort=name-asc&page=7')],
  '10 by role': [list('sort=role-asc'), list('sort=role-desc')],
  'search, few hits': ['person 7312', 'dev.1499@', 'COMMITTER 88'].map((text) =>
    list(`search=${encodeURIComponent(text)}`),
  ),
  'search, many hits': ['person', 'example.org', 'er 1'].map((text) => list(`search=${encodeURIComponent(text)}`)),
  'search, no hit': [list('search=nobody-is-called-this')],
  'role and status': [list('role=rol_reviewer,rol_auditor&status=active'), list('status=pending,outdated')],
  uninvited: [list('status=uninvited'), list('status=uninvited&sort=name-asc')],
  summary: [summary],
};

/** Inserts members without the API, as a year of invitations and imports produces them. */
export async function seedMembers({ superuserUrl, orgId, accountId }: BenchServer): Promise<void> {
  const url = new URL(superuserUrl);
  url.pathname = '/sightline';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    await seedOrganization(client, { orgId, ownerId: accountId, mark: 'dev', ...sizes });
    for (let other = 1; other <= 19; other += 1) {
      const { rows } = await client.query<{ id: string }>(
        `insert into organization (id, name, slug, display_name)
         values (gen_random_uuid(), 'Other', 'other-' || $1::text, 'Other') returning id`,
        [other],
      );
      const one = { orgId: rows[0]?.id ?? '', ownerId: accountId, mark: `other${other}` };
      await seedOrganization(client, { ...one, members: 500, invitations: 100, committers: 150 });
    }
    for (const table of tables) await client.query(`vacuum analyze ${table}`);
  } finally {
    await client.end();
  }
}

const tables = ['account', 'member', 'invitation', 'person', 'identity', 'repository', 'contributor', 'organization'];

interface Sizes {
  orgId: string;
  ownerId: string;
  /** A part of every address that differs between organizations. */
  mark: string;
  members: number;
  invitations: number;
  committers: number;
}

async function seedOrganization(client: pg.Client, sizes: Sizes): Promise<void> {
  const { orgId, ownerId, mark } = sizes;
  const run = (text: string, values: unknown[]) => client.query(text, values);
  await run(
    `with made as materialized (
       select n, gen_random_uuid() as account_id, gen_random_uuid() as person_id, 'Person ' || n as name,
         $2 || '.' || n || '@example.org' as email, now() - n * interval '37 minutes' as at
       from generate_series(1, $3::int) n
     ), accounts as (
       insert into account (id, email, name, email_verified_at, created_at, last_login_at)
       select account_id, email, name, at, at, at from made
     ), members as (
       insert into member (org_id, account_id, role_id, status, created_at, last_activity_at)
       select $1, account_id,
         case when n % 500 = 0 then 'rol_owner' when n % 20 = 0 then 'rol_reviewer' when n % 50 = 1 then 'rol_auditor'
           else 'rol_contributor' end,
         case when n % 25 = 0 then 'deactivated' when n % 10 = 0 then 'accepted' else 'active' end,
         at, now() - n * interval '3 minutes' from made
     ), persons as (
       insert into person (org_id, id, created_at) select $1, person_id, at from made
     )
     insert into identity (org_id, kind, value, person_id, display, source, confidence)
     select $1, kind, case kind when 'account' then account_id::text else email end, person_id, name, 'sightline', 'declared'
     from made, unnest(array['account', 'email']) kind`,
    [orgId, mark, sizes.members],
  );
  await run(
    `insert into invitation (org_id, id, email, role_id, token_hash, invited_by, created_at, expires_at)
     select $1, gen_random_uuid(), $2 || '.invited.' || n || '@example.org', 'rol_contributor',
       sha256(($2 || '.' || n)::bytea), $3, at, at + interval '7 days'
     from (select n, now() - n * interval '11 minutes' as at from generate_series(1, $4::int) n) made`,
    [orgId, mark, ownerId, sizes.invitations],
  );
  // Each repository has committers of two per hundred; every third member commits as well.
  await run(
    `with repositories as materialized (
       insert into repository (org_id, id, provider, provider_repo_id, installation_id, owner, name, full_name,
         default_branch, is_private, html_url, tracked)
       select $1, gen_random_uuid(), 'github', n::text, '1', $2, 'r' || n, $2 || '/r' || n, 'main', true, 'https://example.org', n % 10 > 0
       from generate_series(1, 100) n returning id, provider_repo_id::int as n
     ), strangers as materialized (
       select n, gen_random_uuid() as person_id, 'Committer ' || n as name, $2 || '.stranger.' || n || '@example.org' as email
       from generate_series(1, $3::int) n
     ), persons as (
       insert into person (org_id, id, created_at)
       select $1, person_id, now() - n * interval '53 minutes' from strangers
     ), known as (
       insert into identity (org_id, kind, value, person_id, display, source, confidence)
       select $1, 'email', email, person_id, name, 'github', 'observed' from strangers
     ), authors as (
       select n, person_id, name, email from strangers
       union all
       select row_number() over ()::int, person_id, display, value from identity
       where org_id = $1 and kind = 'email' and hashtext(value) % 3 = 0
     )
     insert into contributor (org_id, repository_id, person_id, name, email, login, commits, last_commit)
     select distinct on (r.id, a.person_id) $1, r.id, a.person_id, a.name, a.email, null, 1 + a.n % 90, now() - a.n * interval '1 hour'
     from authors a join repositories r on r.n in (1 + a.n % 100, 1 + (a.n * 7) % 100)`,
    [orgId, mark, sizes.committers],
  );
}
