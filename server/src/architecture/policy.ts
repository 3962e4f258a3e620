import pg from 'pg';
import { newId } from '#core/ids.ts';
import type { Tx } from '#database/database.ts';
import { superuserUrl, type TestServer } from '#testing/server.ts';

/**
 * An active policy and an archived one; a waiver and a change that the second owner requested, and those that the owner
 * requested.
 */
export interface SeededPolicy {
  policyId: string;
  endedPolicyId: string;
  controlWaiverId: string;
  ownControlWaiverId: string;
  policyChangeId: string;
  ownPolicyChangeId: string;
}

export const newPolicyIds = (): SeededPolicy => ({
  policyId: newId(),
  endedPolicyId: newId(),
  controlWaiverId: newId(),
  ownControlWaiverId: newId(),
  policyChangeId: newId(),
  ownPolicyChangeId: newId(),
});

interface PolicyFixture extends SeededPolicy {
  orgId: string;
  owner: string;
  secondOwner: string;
  name: string;
}

/** Inserts them in their initial state. */
export async function insertPolicies({ db }: Tx, fixture: PolicyFixture): Promise<void> {
  const { orgId, owner, secondOwner, name } = fixture;
  const from = new Date('2026-01-01T00:00:00Z');
  const defaults = {
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
      { ...defaults, id: fixture.policyId, name: `Secrets of ${name}`, entry_id: newId() },
      { ...defaults, id: fixture.endedPolicyId, name: `Once of ${name}`, entry_id: newId(), ...ended },
    ])
    .execute();
  await db
    .insertInto('policy_change')
    .values(
      [
        { id: fixture.policyChangeId, requested_by: secondOwner, parameter: 'exemptBranches', pattern: '**' },
        { id: fixture.ownPolicyChangeId, requested_by: owner, parameter: 'exemptLabels', pattern: 'chore' },
      ].map(({ parameter, pattern, ...row }) => ({
        ...row,
        org_id: orgId,
        policy_id: newId(),
        action: 'create',
        base_version: 0,
        name: `Tickets of ${name}`,
        proposed: JSON.stringify({
          mode: 'observe',
          kind: 'merge',
          scope: { repositories: null, branches: [], tools: [] },
          settings: { 'CHG-06': { branches: [], exemptBranches: [], exemptLabels: [], [parameter]: [pattern] } },
        }),
        weakened: JSON.stringify([
          { control: 'CHG-06', parameter, repositories: null, before: 'none', after: pattern },
        ]),
        entry_id: newId(),
      })),
    )
    .execute();
  const waiver = { org_id: orgId, control_id: 'CHG-01', valid_until: new Date('2099-01-01T00:00:00Z') };
  await db
    .insertInto('control_waiver')
    .values(
      [
        { id: fixture.controlWaiverId, subject: 'first', requested_by: secondOwner },
        { id: fixture.ownControlWaiverId, subject: 'second', requested_by: owner },
      ].map((row) => ({ ...waiver, ...row, reason: `${name} needs it for now`, reason_length: 20, entry_id: newId() })),
    )
    .execute();
}

/** Restores them after changes. Only a superuser can delete them. */
export async function resetPolicies(server: TestServer, fixture: PolicyFixture): Promise<void> {
  const { database } = server.services;
  const { orgId } = fixture;
  const isInitial = await database.withOrg(orgId, async (tx) => {
    const [row] = await tx.query<{ ok: boolean }>({
      name: '',
      text: `select (select count(*) = 2 and count(valid_until) = 1 from policy where org_id = $1)
               and (select count(*) = 2 and count(decided_at) = 0 from control_waiver where org_id = $1)
               and (select count(*) = 2 and count(decided_at) = 0 from policy_change where org_id = $1)
               and not exists (select from control_setting where org_id = $1)
               and not exists (select from policy_dry_run where org_id = $1) as ok`,
      values: [orgId],
    });
    return row?.ok === true;
  });
  if (isInitial) return;
  const client = new pg.Client({ connectionString: superuserUrl(server.databaseUrl) });
  await client.connect();
  for (const table of ['policy', 'policy_change', 'control_waiver', 'control_setting', 'policy_dry_run']) {
    await client.query(`delete from ${table} where org_id = $1`, [orgId]);
  }
  await client.end();
  await database.withOrg(orgId, (tx) => insertPolicies(tx, fixture));
}
