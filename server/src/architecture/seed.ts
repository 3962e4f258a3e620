import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { recordEvents } from '@sightline/contract/timeline/events.ts';
import { recordAuditEntry } from '#core/audit.ts';
import { newId } from '#core/ids.ts';
import type { Tx } from '#database/database.ts';
import type { TestAccount, TestOrganization, TestServer } from '#testing/server.ts';
import { signHead } from '../domains/ledger/ledger/checkpoints.ts';
import { sequenceEntries } from '../domains/ledger/ledger/sequence.ts';
import { repositoryContextId } from '../domains/sources/repositories/context.ts';
import { insertAccessReviews, newAccessReviewIds } from './access-review.ts';
import { insertAnchor, newAnchorIds } from './anchor.ts';
import { insertAuditStream, newAuditStreamIds } from './audit-stream.ts';
import { insertPortal, newPortal } from './auditor-portal.ts';
import { insertChange } from './change.ts';
import { insertContributorMerge, newContributorMergeIds, type SeededContributorMerge } from './contributor-merge.ts';
import { insertControlRun } from './control.ts';
import { insertDigest, newDigestIds } from './digest.ts';
import { newDomainName, resetDomains } from './domain.ts';
import { newErasureIds, resetErasures } from './erasure.ts';
import { insertEvidenceDestination, newEvidenceDestination } from './evidence-destination.ts';
import { insertExtension } from './extension.ts';
import { insertFactors } from './factors.ts';
import { insertFinding } from './finding.ts';
import { insertAccessKeys } from './keys.ts';
import { insertNotification } from './notification.ts';
import { insertPolicies, newPolicyIds } from './policy.ts';
import { insertRepository } from './repository.ts';
import { insertScanner } from './scanner.ts';
import type { Seed } from './seeded.ts';
import { insertSnapshot } from './snapshot.ts';
import { insertTool } from './tool.ts';
import { insertTriage } from './triage.ts';
import { insertSavedView } from './view.ts';
import { insertWebhook, newWebhookIds } from './webhook.ts';

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

/** The settings of a GitHub app without a GitHub: sufficient for calls that do not leave the server. */
export const githubEnvironment = {
  GITHUB_URL: 'http://127.0.0.1:1',
  GITHUB_APP_ID: '77',
  GITHUB_APP_SLUG: 'sightline-seed',
  GITHUB_APP_PRIVATE_KEY: privateKey,
  GITHUB_APP_CLIENT_ID: 'Iv1.seed',
  GITHUB_APP_CLIENT_SECRET: randomUUID(),
  GITHUB_WEBHOOK_SECRET: randomUUID(),
};

/** `name` occurs in every text of the organization, so that tests can search for leaks. */
export async function seedOrganization(server: TestServer, name: string): Promise<Seed> {
  const { database, memberships } = server.services;
  const org = await server.make.organization(name);
  const members = await createMembers(server, org.id);
  const { secondOwner, contributor, deactivated, removed } = members;
  const ids = {
    repositoryId: newId(),
    invitationId: newId(),
    installationId: String(Math.trunc(Math.random() * 1e9)),
    ...newContributorMergeIds(await server.personOf(org.id, org.owner)),
  };
  const { repositoryId, installationId } = ids;
  const items = await database.withOrg(org.id, async (tx) => {
    await endMemberships(tx, org.id, members);
    await insertInvitation(tx, org, ids.invitationId, secondOwner);
    const commit = await insertRepository(tx, { orgId: org.id, repositoryId, name, installationId, owner: org.owner });
    const fixture = { ...ids, orgId: org.id, owner: org.owner.id, secondOwner: secondOwner.id, name, commit };
    return {
      ...(await insertSecurityItems(server, tx, fixture)),
      ...(await insertAccountItems(server, tx, { ...fixture, org, members })),
      ...(await insertEvidenceItems(server, tx, { ...fixture, contributor: contributor.id })),
    };
  });
  for (const { id } of [deactivated, removed]) memberships.forget(id);
  const auditId = await insertAuditEntry(server, org, repositoryId);
  while ((await sequenceEntries(server.services.ledger, org.id)) > 0);
  await signHead(server.services.ledger, org.id);
  return {
    org,
    ...members,
    moreOwners: [],
    fullName: `${name}/api`,
    pullRequest: 42,
    contextId: repositoryContextId(repositoryId),
    ...ids,
    ...items,
    ...(await insertFactors(server, org.owner)),
    auditId,
    ownerEventId: await sendEvent(server, org, org.owner, name),
    contributorEventId: await sendEvent(server, org, contributor, name),
  };
}

type SeededMembers = Awaited<ReturnType<typeof createMembers>>;

const createMembers = async (server: TestServer, orgId: string) => ({
  secondOwner: await server.make.member(orgId, 'rol_owner'),
  contributor: await server.make.member(orgId, 'rol_contributor'),
  reviewer: await server.make.member(orgId, 'rol_reviewer'),
  auditor: await server.make.member(orgId, 'rol_auditor'),
  deactivated: await server.make.member(orgId, 'rol_owner'),
  removed: await server.make.member(orgId, 'rol_owner'),
});

async function endMemberships({ db }: Tx, orgId: string, { deactivated, removed }: SeededMembers): Promise<void> {
  await db
    .updateTable('member')
    .set({ status: 'deactivated' })
    .where('org_id', '=', orgId)
    .where('account_id', '=', deactivated.id)
    .execute();
  await db.deleteFrom('member').where('org_id', '=', orgId).where('account_id', '=', removed.id).execute();
}

async function insertInvitation(
  { db }: Tx,
  org: TestOrganization,
  invitationId: string,
  inviter: TestAccount,
): Promise<void> {
  await db
    .insertInto('invitation')
    .values({
      org_id: org.id,
      id: invitationId,
      email: org.owner.email,
      role_id: 'rol_reviewer',
      token_hash: randomBytes(32),
      invited_by: inviter.id,
      expires_at: new Date(Date.now() + 86_400_000),
    })
    .execute();
}

interface ItemsFixture extends SeededContributorMerge {
  orgId: string;
  owner: string;
  secondOwner: string;
  repositoryId: string;
  name: string;
  commit: string;
}

/** Inserts what scanners, tools and members did in the repository. */
async function insertSecurityItems({ services }: TestServer, tx: Tx, fixture: ItemsFixture) {
  const { orgId, owner } = fixture;
  const found = await insertFinding(tx, fixture);
  const scanner = await insertScanner(services, tx, fixture);
  await insertContributorMerge(tx, fixture);
  return {
    ...found,
    ...scanner,
    ...(await insertAccessKeys(tx, orgId, owner)),
    ...(await insertTool(tx, fixture)),
    ...(await insertExtension(tx, orgId, owner)),
    ...(await insertTriage(tx, { ...fixture, findingId: found.findingId })),
  };
}

interface AccountItemsFixture extends ItemsFixture {
  org: TestOrganization;
  members: SeededMembers;
}

/** Inserts items of accounts and of the settings of the organization. */
async function insertAccountItems({ services }: TestServer, tx: Tx, { org, members, ...fixture }: AccountItemsFixture) {
  const { contributor, reviewer, auditor } = members;
  const items = {
    viewId: newId(),
    notificationId: newId(),
    ...newAnchorIds(),
    ...newErasureIds(),
    ...newWebhookIds(),
    ...newDomainName(),
    ...newAuditStreamIds(),
  };
  const all = { ...fixture, ...items };
  const accountIds = [contributor, org.owner, reviewer, auditor].map(({ id }) => id);
  await insertSavedView(tx, all);
  await insertAnchor(services, tx, all);
  await resetErasures(services, tx, { ...all, accountIds });
  await insertWebhook(services, tx, all);
  await insertNotification(tx, all);
  await resetDomains(tx, all);
  await insertAuditStream(services, tx, all);
  return items;
}

/** Inserts control runs, changes, and what auditors and reviewers see of them. */
async function insertEvidenceItems(server: TestServer, tx: Tx, fixture: ItemsFixture & { contributor: string }) {
  const { orgId } = fixture;
  const items = {
    taskId: await insertControlRun(tx, orgId),
    changeId: await insertChange(tx, fixture),
    snapshotId: await insertSnapshot(server, tx, fixture),
    ...newEvidenceDestination(),
    ...newPortal(orgId),
    ...newPolicyIds(),
    ...newDigestIds(),
    ...newAccessReviewIds(),
  };
  const all = { ...fixture, ...items };
  await insertEvidenceDestination(server.services, tx, all);
  await insertPortal(tx, all);
  await insertPolicies(tx, all);
  await insertDigest(tx, all);
  await insertAccessReviews(tx, all);
  return items;
}

/** Inserts the entry of an import that a member started. */
async function insertAuditEntry(server: TestServer, { id: orgId, owner }: TestOrganization, repositoryId: string) {
  const { database, people } = server.services;
  const personId = await server.personOf(orgId, owner);
  return database.withOrg(orgId, async (tx) => {
    const doer = { accountId: owner.id, personId, requestId: newId(), address: '192.0.2.7' };
    await recordAuditEntry(tx, {
      people,
      orgId,
      doer,
      entry: {
        action: 'repository.import_requested',
        subject: { kind: 'repository', id: repositoryId },
      },
    });
    const { id } = await tx.db
      .selectFrom('audit_event')
      .select('id')
      .where('org_id', '=', orgId)
      .executeTakeFirstOrThrow();
    return id;
  });
}

async function sendEvent(server: TestServer, org: TestOrganization, who: TestAccount, name: string): Promise<string> {
  const id = newId();
  await server.as(who, org.id)(recordEvents, {
    body: [
      {
        plugin_id: `${name}-editor`,
        event_type: 'other',
        message_id: id,
        original_timestamp: new Date().toISOString(),
        identifiers: { what: 'extension_installed', tool: name },
      },
    ],
  });
  return id;
}
