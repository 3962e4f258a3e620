import type { Person } from '@sightline/sandbox/git/pull-request.ts';
import type { HostName } from '@sightline/sandbox/planted/host-name.ts';
import pg from 'pg';
import { superuserUrl, type TestAccount, type TestServer } from '#testing/server.ts';
import type { CodeHostFixture } from './code-host-fixtures.ts';

/**
 * Adds people as members, each with the account on the host and the e-mail address as identities. Returns their accounts
 * by that address.
 */
export async function addScenarioMembers(
  server: TestServer,
  orgId: string,
  {
    codeHost: { sandbox, identityValueOf },
    on,
    people,
  }: { codeHost: CodeHostFixture; on: HostName; people: readonly Person[] },
): Promise<Map<string, TestAccount>> {
  const accounts = new Map<string, TestAccount>();
  for (const { email } of people) {
    const user = sandbox.sandbox.host.users.byEmail.get(email);
    if (!user) continue;
    const account = await server.make.member(orgId, 'rol_contributor');
    accounts.set(email, account);
    const person_id = await server.personOf(orgId, account);
    const identities = [
      { kind: on, value: identityValueOf(user) },
      { kind: 'email', value: email },
    ];
    await server.services.database.withOrg(orgId, ({ db }) =>
      db
        .insertInto('identity')
        .values(
          identities.map((identity) => ({
            ...identity,
            org_id: orgId,
            person_id,
            source: 'test',
            confidence: 'declared',
          })),
        )
        .execute(),
    );
  }
  return accounts;
}

/** Moves the creation of the organization and its members back by `days`. */
export async function backdateOrganization(server: TestServer, orgId: string, days: number): Promise<void> {
  const superuser = new pg.Client({ connectionString: superuserUrl(server.databaseUrl) });
  await superuser.connect();
  const values = [orgId, days];
  await superuser.query(
    `update organization set created_at = created_at - $2 * interval '1 day' where id = $1`,
    values,
  );
  await superuser.query(`update member_change set at = at - $2 * interval '1 day' where org_id = $1`, values);
  await superuser.end();
}
