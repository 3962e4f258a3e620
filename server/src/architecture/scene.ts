import type { Endpoint } from '@sightline/contract/core/endpoint.ts';
import type { RoleId } from '@sightline/contract/core/permissions.ts';
import type { TestServer } from '#testing/server.ts';
import { resetAccessReviews } from './access-review.ts';
import { resetPortals } from './auditor-portal.ts';
import { resetDigests } from './digest.ts';
import type { SceneName } from './endpoint-case.ts';
import { caseOf, seededItems } from './endpoint-cases.ts';
import { resetErasures } from './erasure.ts';
import { resetExtension } from './extension.ts';
import { resetSeededFactors } from './factors.ts';
import { resetFrameworks } from './framework.ts';
import { resetPolicies } from './policy.ts';
import { requestNamesOf } from './requests.ts';
import { resetScanner } from './scanner.ts';
import type { Seed } from './seeded.ts';
import { resetTriage } from './triage.ts';

const sceneOf = (endpoint?: Endpoint): SceneName | undefined => endpoint && caseOf(endpoint).scene;

/** Restores the organization so that the owner's request succeeds. */
export async function restoreScene(server: TestServer, seed: Seed, endpoint?: Endpoint): Promise<void> {
  const scene = sceneOf(endpoint);
  const archivedAt = scene === 'archived' ? new Date() : null;
  const { database, memberships } = server.services;
  const members: [string, RoleId, 'active' | 'deactivated'][] = [
    [seed.org.owner.id, 'rol_owner', 'active'],
    [seed.secondOwner.id, 'rol_owner', 'active'],
    [seed.contributor.id, 'rol_contributor', 'active'],
    [seed.reviewer.id, 'rol_reviewer', 'active'],
    [seed.auditor.id, 'rol_auditor', 'active'],
    [seed.deactivated.id, 'rol_owner', 'deactivated'],
    ...seed.moreOwners,
  ];
  await database.withOrg(seed.org.id, async (tx) => {
    const { db } = tx;
    await resetTriage(tx, { ...seed, orgId: seed.org.id, owner: seed.org.owner.id, secondOwner: seed.secondOwner.id });
    await db
      .updateTable('organization')
      .set({
        archived_at: archivedAt,
        require_second_factor: false,
        idle_minutes: null,
        session_hours: null,
        allowed_networks: [],
      })
      .where('id', '=', seed.org.id)
      .execute();
    await resetExtension(tx, seed.org.id, seed);
    // A suspended installation prevents requests for code to the host.
    await db
      .updateTable('installation')
      .set({ suspended_at: scene === 'suspended-installation' ? new Date() : null, deleted_at: null })
      .where('org_id', '=', seed.org.id)
      .execute();
    await db
      .updateTable('repository')
      .set({ removed_at: null, tracked: true })
      .where('org_id', '=', seed.org.id)
      .execute();
    await db.deleteFrom('invitation').where('org_id', '=', seed.org.id).where('id', '<>', seed.invitationId).execute();
    await db
      .updateTable('invitation')
      .set({ accepted_at: null, declined_at: null, revoked_at: null })
      .where('org_id', '=', seed.org.id)
      .execute();
    const accountIds = [seed.contributor, seed.org.owner, seed.reviewer, seed.auditor].map(({ id }) => id);
    await resetErasures(server.services, tx, { ...seed, orgId: seed.org.id, accountIds });
    const { name, owner } = seed.org;
    await resetScanner(server.services, tx, { orgId: seed.org.id, owner: owner.id, name });
    await db.deleteFrom('notification_default').where('org_id', '=', seed.org.id).execute();
    for (const { restore } of seededItems) await restore(server.services, tx, requestNamesOf(seed), scene);
    await db
      .updateTable('access_key')
      .set({ revoked_at: null })
      .where('org_id', '=', seed.org.id)
      .where('id', '=', seed.accessKeyId)
      .execute();
    for (const [account_id, role_id, status] of members) {
      const state = { role_id, status, status_before_archive: null };
      await db
        .insertInto('member')
        .values({ org_id: seed.org.id, account_id, ...state })
        .onConflict((conflict) => conflict.columns(['org_id', 'account_id']).doUpdateSet(state))
        .execute();
    }
  });
  const { org, secondOwner } = seed;
  await resetAccessReviews(server, {
    ...seed,
    orgId: seed.org.id,
    owner: seed.org.owner.id,
    contributor: seed.contributor.id,
  });
  await resetFrameworks(server, seed);
  await resetDigests(server, seed.org.id);
  await resetPortals(server, { ...seed, orgId: org.id, owner: org.owner.id, name: org.name });
  await resetPolicies(server, {
    ...seed,
    orgId: org.id,
    owner: org.owner.id,
    secondOwner: secondOwner.id,
    name: org.name,
  });
  await resetSeededFactors(server, seed.org.owner, seed, scene === 'totp');
  memberships.forgetOrganization(seed.org.id);
}
