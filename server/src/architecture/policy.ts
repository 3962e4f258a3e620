import pg from 'pg';
import { newId } from '#core/ids.ts';
import type { Tx } from '#database/database.ts';
import { asSuperuser, type TestServer } from '#testing/server.ts';

/** A policy that holds and one that ended; leave that the second owner asked for, and leave that the owner did. */
export interface SeededPolicy {
  policyId: string;
  endedPolicyId: string;
  leaveId: string;
  ownLeaveId: string;
}

export const newPolicy = (): SeededPolicy => ({
  policyId: newId(),
  endedPolicyId: newId(),
  leaveId: newId(),
  ownLeaveId: newId(),
});

interface PolicyFixture extends SeededPolicy {
  orgId: string;
  owner: string;
  secondOwner: string;
  name: string;
}

/** Inserts them as they are first. */
export async function insertPolicies({ db }: Tx, place: PolicyFixture): Promise<void> {
  const { orgId, owner, secondOwner, name } = place;
  const from = new Date('2026-01-01T00:00:00Z');
  const said = {
    org_id: orgId,
    version: 1,
    kind: 'sla',
    mode: 'observe',
    author: owner,
    valid_from: from,
    scope: JSON.stringify({ repositories: null, branches: [], tools: [] }),
    settings: JSON.stringify({ 'VUL-02': { limit: 3 } }),
  };
  const ended = { valid_until: new Date('2026-02-01T00:00:00Z'), ended_entry_id: newId() };
  await db
    .insertInto('policy')
    .values([
      { ...said, id: place.policyId, name: `Secrets of ${name}`, entry_id: newId() },
      { ...said, id: place.endedPolicyId, name: `Once of ${name}`, entry_id: newId(), ...ended },
    ])
    .execute();
  const asked = { org_id: orgId, control_id: 'CHG-01', valid_until: new Date('2099-01-01T00:00:00Z') };
  await db
    .insertInto('control_waiver')
    .values(
      [
        { id: place.leaveId, subject: 'first', requested_by: secondOwner },
        { id: place.ownLeaveId, subject: 'second', requested_by: owner },
      ].map((row) => ({ ...asked, ...row, reason: `${name} needs it for now`, reason_length: 20, entry_id: newId() })),
    )
    .execute();
}

/** Puts them back, if anybody changed anything: what holds for ever, only a superuser takes away. */
export async function resetPolicies(server: TestServer, place: PolicyFixture): Promise<void> {
  const { database } = server.services;
  const { orgId } = place;
  const isAsFirst = await database.withOrg(orgId, async (tx) => {
    const [row] = await tx.query<{ ok: boolean }>({
      name: '',
      text: `select (select count(*) = 2 and count(valid_until) = 1 from policy where org_id = $1)
               and (select count(*) = 2 and count(decided_at) = 0 from control_waiver where org_id = $1)
               and not exists (select from control_setting where org_id = $1)
               and not exists (select from policy_dry_run where org_id = $1) as ok`,
      values: [orgId],
    });
    return row?.ok === true;
  });
  if (isAsFirst) return;
  const client = new pg.Client({ connectionString: asSuperuser(server.databaseUrl) });
  await client.connect();
  for (const table of ['policy', 'control_waiver', 'control_setting', 'policy_dry_run']) {
    await client.query(`delete from ${table} where org_id = $1`, [orgId]);
  }
  await client.end();
  await database.withOrg(orgId, (tx) => insertPolicies(tx, place));
}
