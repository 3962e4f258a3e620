import { newId } from '#core/ids.ts';
import type { Tx } from '#database/database.ts';
import type { TestOrganization, TestServer } from '#testing/server.ts';
import { insertAccessReviews, newAccessReviewIds } from './access-review.ts';
import { insertPortal, newPortal } from './auditor-portal.ts';
import { insertChange } from './change.ts';
import { insertControlRun } from './control.ts';
import { insertDigest, newDigestIds } from './digest.ts';
import { newErasureIds, resetErasures } from './erasure.ts';
import { insertExtension } from './extension.ts';
import { insertFinding } from './finding.ts';
import { insertAccessKeys } from './keys.ts';
import { insertNotification } from './notification.ts';
import { insertPolicies, newPolicyIds } from './policy.ts';
import { insertRepository } from './repository.ts';
import { insertScanner } from './scanner.ts';
import type { SeededMembers } from './seeded-members.ts';
import { insertSnapshot } from './snapshot.ts';
import { insertTool } from './tool.ts';
import { insertTriage } from './triage.ts';

type ItemContext = {
  org: TestOrganization;
  members: SeededMembers;
  name: string;
  repositoryId: string;
  installationId: string;
};

/** Inserts one item of every kind that this folder defines, and returns their IDs. */
export async function insertItems(server: TestServer, tx: Tx, context: ItemContext) {
  const { org, members, name, repositoryId, installationId } = context;
  const [orgId, owner] = [org.id, org.owner.id];
  const commit = await insertRepository(tx, { orgId, repositoryId, name, installationId, owner: org.owner });
  const finding = await insertFinding(tx, { orgId, repositoryId, name, commit });
  const scanner = await insertScanner(server.services, tx, { orgId, owner, name });
  const keys = await insertAccessKeys(tx, orgId, owner);
  const tool = await insertTool(tx, { orgId, repositoryId, name, commit, owner });
  const extension = await insertExtension(tx, orgId, owner);
  const erasure = newErasureIds();
  const accountIds = [members.contributor, org.owner, members.reviewer, members.auditor].map(({ id }) => id);
  await resetErasures(server.services, tx, { orgId, ...erasure, accountIds });
  const notificationId = newId();
  await insertNotification(tx, { orgId, notificationId, owner, name });
  const triage = { orgId, owner, secondOwner: members.secondOwner.id, findingId: finding.findingId };
  return {
    notificationId,
    ...erasure,
    ...finding,
    ...keys,
    ...extension,
    ...scanner,
    ...tool,
    ...(await insertComplianceItems(server, tx, context, commit)),
    ...(await insertTriage(tx, triage)),
  };
}

async function insertComplianceItems(
  server: TestServer,
  tx: Tx,
  { org, members, name, repositoryId }: ItemContext,
  commit: string,
) {
  const [orgId, owner] = [org.id, org.owner.id];
  const taskId = await insertControlRun(tx, orgId);
  const changeId = await insertChange(tx, { orgId, repositoryId, name, commit });
  const snapshotId = await insertSnapshot(server, tx, { orgId, owner, name });
  const portal = newPortal(orgId);
  await insertPortal(tx, { orgId, owner, name, snapshotId, ...portal });
  const policy = newPolicyIds();
  await insertPolicies(tx, { orgId, owner, secondOwner: members.secondOwner.id, name, ...policy });
  const digest = newDigestIds();
  await insertDigest(tx, { orgId, repositoryId, ...digest });
  const review = newAccessReviewIds();
  await insertAccessReviews(tx, { orgId, owner, contributor: members.contributor.id, repositoryId, ...review });
  return { taskId, changeId, snapshotId, ...policy, ...digest, ...portal, ...review };
}
