import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { DirectoryTarget } from '../sandbox/src/directory/directory.ts';
import { createPush } from '../sandbox/src/directory/push.ts';
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

/** Connects a directory with a verified domain and roles for a tenth of the groups. */
async function connect(
  { url, superuserUrl, orgId, token }: BenchServer,
  dialect: 'entra' | 'okta',
): Promise<DirectoryTarget> {
  const database = new URL(superuserUrl);
  database.pathname = '/sightline';
  const client = new pg.Client({ connectionString: database.href });
  await client.connect();
  try {
    await client.query(
      `insert into organization_domain (org_id, domain, token, verified_by, verified_at)
       values ($1, 'bench.example', 'x', 'operator', now()) on conflict do nothing`,
      [orgId],
    );
  } finally {
    await client.end();
  }
  const send = async (method: string, body: object) => {
    const response = await fetch(`${url}/api/v2/directory`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${method} /v2/directory: ${response.status} ${await response.text()}`);
    return (await response.json()) as { token: string };
  };
  const connected = await send('POST', { product: dialect, defaultRole: 'rol_contributor' });
  const groupRoles = Array.from({ length: groups / 10 }, (_, index) => ({
    group: `Team ${index * 10}`,
    roleId: 'rol_reviewer',
  }));
  await send('PUT', { defaultRole: 'rol_contributor', groupRoles });
  return { url: `${url}/scim/v2`, token: connected.token, dialect };
}
