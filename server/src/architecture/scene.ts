import type { Endpoint } from '@sightline/contract/core/endpoint.ts';
import type { RoleId } from '@sightline/contract/core/permissions.ts';
import type { Tx } from '#database/database.ts';
import type { TestServer } from '#testing/server.ts';
import { resetAccessReviews } from './access-review.ts';
import { insertAnchor, setUnconfirmedAddress } from './anchor.ts';
import { insertAuditStream } from './audit-stream.ts';
import { resetPortals } from './auditor-portal.ts';
import { insertContributorMerge } from './contributor-merge.ts';
import { resetDigests } from './digest.ts';
import { resetDomains } from './domain.ts';
import { resetErasures } from './erasure.ts';
import { insertEvidenceDestination } from './evidence-destination.ts';
import { resetExtension } from './extension.ts';
import { resetSeededFactors } from './factors.ts';
import { resetPolicies } from './policy.ts';
import { endpointKeyOf } from './requests.ts';
import { resetScanner } from './scanner.ts';
import type { Seed } from './seeded.ts';
import { resetTriage } from './triage.ts';
import { insertSavedView } from './view.ts';
import { insertWebhook } from './webhook.ts';

// Calls that need their own scene.
const restore = 'PUT /v2/auth0mgm/org/restore';
const snippet = 'GET /v2/vulnerabilities/:findingId/snippet';
const removeTotp = 'DELETE /v2/account/second-factors/totp';
const confirmation = 'POST /v2/ledger/anchors/:anchorId/confirmations';

/** The current scene of each organization, until a call may have changed it. */
const currentScenes = new Map<Seed, string | undefined>();
const sceneOf = (endpoint?: Endpoint) =>
  [restore, snippet, removeTotp, confirmation].find((key) => endpoint && endpointKeyOf(endpoint) === key);

/** Restores the organization like `setScene`, unless it is in that scene and unchanged. */
export async function ensureScene(server: TestServer, seed: Seed, endpoint?: Endpoint): Promise<void> {
  if (currentScenes.has(seed) && currentScenes.get(seed) === sceneOf(endpoint)) return;
  await restoreScene(server, seed, endpoint);
  currentScenes.set(seed, sceneOf(endpoint));
}

/** Marks the organization of a successful call, or all organizations, as changed. */
export function markSceneChanged(endpoint: Endpoint, within?: Seed): void {
  if (endpoint.method === 'GET') return;
  if (within) currentScenes.delete(within);
  else currentScenes.clear();
}

/** Restores the organization so that the owner's request succeeds. */
export async function restoreScene(server: TestServer, seed: Seed, endpoint?: Endpoint): Promise<void> {
  const scene = sceneOf(endpoint);
  const { services } = server;
  const { org, secondOwner, contributor } = seed;
  const fixture = { ...seed, orgId: org.id, owner: org.owner.id, secondOwner: secondOwner.id, name: org.name };
  await services.database.withOrg(org.id, async (tx) => {
    await resetTriage(tx, fixture);
    await resetOrganization(tx, org.id, scene === restore);
    await resetExtension(tx, org.id, seed);
    await resetRepositories(tx, org.id, scene === snippet);
    await resetInvitations(tx, org.id, seed.invitationId);
    const accountIds = [contributor, org.owner, seed.reviewer, seed.auditor].map(({ id }) => id);
    await resetErasures(services, tx, { ...fixture, accountIds });
    await resetScanner(services, tx, fixture);
    await tx.db.deleteFrom('notification_default').where('org_id', '=', org.id).execute();
    await insertAnchor(services, tx, fixture);
    if (scene === confirmation) await setUnconfirmedAddress(tx, org.id, seed.anchorId);
    await resetDomains(tx, fixture);
    await insertAuditStream(services, tx, fixture);
    await insertEvidenceDestination(services, tx, fixture);
    await insertWebhook(services, tx, fixture);
    await insertSavedView(tx, fixture);
    await insertContributorMerge(tx, fixture);
    await restoreAccessKey(tx, org.id, seed.accessKeyId);
    await resetMembers(tx, seed);
  });
  await resetAccessReviews(server, { ...fixture, contributor: contributor.id });
  await resetDigests(server, org.id);
  await resetPortals(server, fixture);
  await resetPolicies(server, fixture);
  await resetSeededFactors(server, org.owner, seed, scene === removeTotp);
  services.memberships.forgetOrganization(org.id);
}

async function resetOrganization({ db }: Tx, orgId: string, isArchived: boolean): Promise<void> {
  await db
    .updateTable('organization')
    .set({
      archived_at: isArchived ? new Date() : null,
      require_second_factor: false,
      idle_minutes: null,
      session_hours: null,
      allowed_networks: [],
    })
    .where('id', '=', orgId)
    .execute();
}

/** A suspended installation prevents requests for code to the host. */
async function resetRepositories({ db }: Tx, orgId: string, isSuspended: boolean): Promise<void> {
  await db
    .updateTable('installation')
    .set({ suspended_at: isSuspended ? new Date() : null, deleted_at: null })
    .where('org_id', '=', orgId)
    .execute();
  await db.updateTable('repository').set({ removed_at: null, tracked: true }).where('org_id', '=', orgId).execute();
}

async function resetInvitations({ db }: Tx, orgId: string, invitationId: string): Promise<void> {
  await db.deleteFrom('invitation').where('org_id', '=', orgId).where('id', '<>', invitationId).execute();
  await db
    .updateTable('invitation')
    .set({ accepted_at: null, declined_at: null, revoked_at: null })
    .where('org_id', '=', orgId)
    .execute();
}

async function restoreAccessKey({ db }: Tx, orgId: string, accessKeyId: string): Promise<void> {
  await db
    .updateTable('access_key')
    .set({ revoked_at: null })
    .where('org_id', '=', orgId)
    .where('id', '=', accessKeyId)
    .execute();
}

async function resetMembers({ db }: Tx, seed: Seed): Promise<void> {
  const members: [string, RoleId, 'active' | 'deactivated'][] = [
    [seed.org.owner.id, 'rol_owner', 'active'],
    [seed.secondOwner.id, 'rol_owner', 'active'],
    [seed.contributor.id, 'rol_contributor', 'active'],
    [seed.reviewer.id, 'rol_reviewer', 'active'],
    [seed.auditor.id, 'rol_auditor', 'active'],
    [seed.deactivated.id, 'rol_owner', 'deactivated'],
    ...seed.moreOwners,
  ];
  for (const [account_id, role_id, status] of members) {
    const state = { role_id, status, status_before_archive: null };
    await db
      .insertInto('member')
      .values({ org_id: seed.org.id, account_id, ...state })
      .onConflict((conflict) => conflict.columns(['org_id', 'account_id']).doUpdateSet(state))
      .execute();
  }
}
