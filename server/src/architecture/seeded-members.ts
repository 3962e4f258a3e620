import { randomBytes } from 'node:crypto';
import type { Tx } from '#database/database.ts';
import type { TestOrganization, TestServer } from '#testing/server.ts';
import type { Seed } from './seeded.ts';

/** The members of a seeded organization besides its first owner. */
export type SeededMembers = Pick<
  Seed,
  'secondOwner' | 'contributor' | 'reviewer' | 'auditor' | 'deactivated' | 'removed'
>;

export async function createMembers({ make }: TestServer, orgId: string): Promise<SeededMembers> {
  return {
    secondOwner: await make.member(orgId, 'rol_owner'),
    contributor: await make.member(orgId, 'rol_contributor'),
    reviewer: await make.member(orgId, 'rol_reviewer'),
    auditor: await make.member(orgId, 'rol_auditor'),
    deactivated: await make.member(orgId, 'rol_owner'),
    removed: await make.member(orgId, 'rol_owner'),
  };
}

export async function endMemberships(
  { db }: Tx,
  orgId: string,
  { deactivated, removed }: SeededMembers,
): Promise<void> {
  await db
    .updateTable('member')
    .set({ status: 'deactivated' })
    .where('org_id', '=', orgId)
    .where('account_id', '=', deactivated.id)
    .execute();
  await db.deleteFrom('member').where('org_id', '=', orgId).where('account_id', '=', removed.id).execute();
}

export async function insertInvitation(
  { db }: Tx,
  { org, invitationId, invitedBy }: { org: TestOrganization; invitationId: string; invitedBy: string },
): Promise<void> {
  await db
    .insertInto('invitation')
    .values({
      org_id: org.id,
      id: invitationId,
      email: org.owner.email,
      role_id: 'rol_reviewer',
      token_hash: randomBytes(32),
      invited_by: invitedBy,
      expires_at: new Date(Date.now() + 86_400_000),
    })
    .execute();
}
