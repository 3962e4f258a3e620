import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { createPush } from '../sandbox/src/directory/push.ts';
import type { DirectoryTarget } from '../sandbox/src/directory/resources.ts';
import { createOrgSecret } from '../server/src/core/org-secrets.ts';
import { directoryTokenKind } from '../server/src/domains/organization/directory/token.ts';
import { type BenchServer, startServer } from './process.ts';

const users = Number(process.env.BENCH_USERS ?? 5_000);
const groups = Number(process.env.BENCH_GROUPS ?? 500);
/** Every tenth group has a role, which changes memberships. */
const membersPerGroup = 20;
const parallel = 8;

/**
 * Measures the synchronization of a directory over HTTP in both dialects: the first one, one without a change, and one in which a
 * hundredth of the users left. Each request is one of the real directory; the client runs on the same machine.
 */
export async function benchDirectory(): Promise<void> {
  for (const dialect of ['entra', 'okta'] as const) {
    const server = await startServer();
    try {
      const target = await connect(server, dialect);
      const content = makeContent();
      await report(`${dialect}: first synchronization of ${users} users and ${groups} groups`, target, content);
      await report(`${dialect}: again, without a change`, target, content);
      for (const [index, user] of content.users.entries()) if (index % 100 === 0) user.active = false;
      await report(`${dialect}: ${Math.ceil(users / 100)} users left`, target, content);
    } finally {
      await server.stop();
    }
  }
}

async function report(what: string, target: DirectoryTarget, content: ReturnType<typeof makeContent>): Promise<void> {
  const { requests, changes, failures, milliseconds } = await createPush(target, parallel).push(content);
  const total = Object.values(requests).reduce((sum, one) => sum + one, 0);
  console.log(
    `${what}: ${(milliseconds / 1000).toFixed(1)} s, ${total} requests, ${changes} of them changes, ${failures.length} refused`,
  );
  if (failures[0]) throw new Error(`${failures[0].request}: ${failures[0].status} ${failures[0].detail}`);
}

function makeContent() {
  const people = Array.from({ length: users }, (_, index) => ({
    id: randomUUID(),
    givenName: `Given${index}`,
    familyName: `Family${index}`,
    email: `person.${index}@bench.example`,
    active: true,
  }));
  const teams = Array.from({ length: groups }, (_, index) => ({
    id: randomUUID(),
    name: `Team ${index}`,
    members: Array.from({ length: membersPerGroup }, (_, at) => people[(index * 10 + at) % users]?.id ?? ''),
  }));
  return { users: people, groups: teams, deleted: { users: [], groups: [] } };
}

/** Connects a directory with a verified domain and roles for a tenth of the groups, without the API. */
async function connect({ url, superuserUrl, orgId }: BenchServer, dialect: 'entra' | 'okta'): Promise<DirectoryTarget> {
  const database = new URL(superuserUrl);
  database.pathname = '/sightline';
  const client = new pg.Client({ connectionString: database.href });
  await client.connect();
  const { secret: token, hash } = createOrgSecret(directoryTokenKind, orgId);
  const names = Array.from({ length: groups / 10 }, (_, index) => `team ${index * 10}`);
  try {
    await client.query(
      `insert into organization_domain (org_id, domain, token, verified_by, verified_at)
       values ($1, 'bench.example', 'x', 'operator', now())`,
      [orgId],
    );
    await client.query(
      `insert into directory (org_id, product, default_role, token_hash, token_end)
       values ($1, $2, 'rol_contributor', $3, $4)`,
      [orgId, dialect, hash, token.slice(-4)],
    );
    await client.query(
      `insert into group_role (org_id, group_name, role_id) select $1, unnest($2::text[]), 'rol_reviewer'`,
      [orgId, names],
    );
  } finally {
    await client.end();
  }
  return { url: `${url}/scim/v2`, token, dialect };
}
