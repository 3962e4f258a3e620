import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { recordEvents } from '@sightline/contract/timeline/events.ts';
import { recordAuditEntry } from '#core/audit.ts';
import { newId } from '#core/ids.ts';
import type { TestAccount, TestOrganization, TestServer } from '#testing/server.ts';
import { signHead } from '../domains/ledger/ledger/checkpoints.ts';
import { sequenceEntries } from '../domains/ledger/ledger/sequence.ts';
import { repositoryContextId } from '../domains/sources/repositories/context.ts';
import { insertAccessReviews, newAccessReviewIds } from './access-review.ts';
import { insertPortal, newPortal } from './auditor-portal.ts';
import { insertChange } from './change.ts';
import { insertControlRun } from './control.ts';
import { insertDigest, newDigestIds } from './digest.ts';
import { seededItems } from './endpoint-cases.ts';
import { newErasureIds, resetErasures } from './erasure.ts';
import { insertExtension } from './extension.ts';
import { insertFactors } from './factors.ts';
import { insertFinding } from './finding.ts';
import { insertAccessKeys } from './keys.ts';
import { insertNotification } from './notification.ts';
import { insertPolicies, newPolicyIds } from './policy.ts';
import { insertRepository } from './repository.ts';
import { requestNamesOf } from './requests.ts';
import { insertScanner } from './scanner.ts';
import type { Seed } from './seeded.ts';
import { insertSnapshot } from './snapshot.ts';
import { insertTool } from './tool.ts';
import { insertTriage } from './triage.ts';

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
  const [secondOwner, contributor, reviewer, auditor, deactivated, removed] = [
    await server.make.member(org.id, 'rol_owner'),
    await server.make.member(org.id, 'rol_contributor'),
    await server.make.member(org.id, 'rol_reviewer'),
    await server.make.member(org.id, 'rol_auditor'),
    await server.make.member(org.id, 'rol_owner'),
    await server.make.member(org.id, 'rol_owner'),
  ];
  const repositoryId = newId();
  const fullName = `${name}/api`;
  const invitationId = newId();
  const installationId = String(Math.trunc(Math.random() * 1e9));
  const finding = await database.withOrg(org.id, async (tx) => {
    await tx.db
      .updateTable('member')
      .set({ status: 'deactivated' })
      .where('org_id', '=', org.id)
      .where('account_id', '=', deactivated.id)
      .execute();
    await tx.db.deleteFrom('member').where('org_id', '=', org.id).where('account_id', '=', removed.id).execute();
    await tx.db
      .insertInto('invitation')
      .values({
        org_id: org.id,
        id: invitationId,
        email: org.owner.email,
        role_id: 'rol_reviewer',
        token_hash: randomBytes(32),
        invited_by: secondOwner.id,
        expires_at: new Date(Date.now() + 86_400_000),
      })
      .execute();
    const commit = await insertRepository(tx, { orgId: org.id, repositoryId, name, installationId, owner: org.owner });
    const found = await insertFinding(tx, { orgId: org.id, repositoryId, name, commit });
    const asking = { orgId: org.id, owner: org.owner.id, secondOwner: secondOwner.id };
    const scanner = await insertScanner(server.services, tx, { orgId: org.id, owner: org.owner.id, name });
    const keys = await insertAccessKeys(tx, org.id, org.owner.id);
    const tool = await insertTool(tx, { orgId: org.id, repositoryId, name, commit, owner: org.owner.id });
    const extension = await insertExtension(tx, org.id, org.owner.id);
    const erasure = newErasureIds();
    const accountIds = [contributor, org.owner, reviewer, auditor].map(({ id }) => id);
    await resetErasures(server.services, tx, { orgId: org.id, ...erasure, accountIds });
    const notificationId = newId();
    await insertNotification(tx, { orgId: org.id, notificationId, owner: org.owner.id, name });
    const taskId = await insertControlRun(tx, org.id);
    const changeId = await insertChange(tx, { orgId: org.id, repositoryId, name, commit });
    const snapshotId = await insertSnapshot(server, tx, { orgId: org.id, owner: org.owner.id, name });
    const portal = newPortal(org.id);
    await insertPortal(tx, { orgId: org.id, owner: org.owner.id, name, snapshotId, ...portal });
    const policy = newPolicyIds();
    await insertPolicies(tx, { ...asking, name, ...policy });
    const digest = newDigestIds();
    await insertDigest(tx, { orgId: org.id, repositoryId, ...digest });
    const review = newAccessReviewIds();
    await insertAccessReviews(tx, { orgId: org.id, owner: org.owner.id, contributor: contributor.id, ...review });
    return {
      taskId,
      changeId,
      snapshotId,
      notificationId,
      ...erasure,
      ...policy,
      ...digest,
      ...portal,
      ...review,
      ...found,
      ...keys,
      ...extension,
      ...scanner,
      ...tool,
      ...(await insertTriage(tx, { ...asking, findingId: found.findingId })),
    };
  });
  for (const { id } of [deactivated, removed]) memberships.forget(id);
  const auditId = await insertAuditEntry(server, org, repositoryId);
  while ((await sequenceEntries(server.services.ledger, org.id)) > 0);
  await signHead(server.services.ledger, org.id);
  const seeded: Partial<Seed> = {
    org,
    secondOwner,
    contributor,
    reviewer,
    auditor,
    deactivated,
    removed,
    moreOwners: [],
    repositoryId,
    fullName,
    pullRequest: 42,
    contextId: repositoryContextId(repositoryId),
    invitationId,
    ...finding,
    ...(await insertFactors(server, org.owner)),
    auditId,
    installationId,
    ownerEventId: await sendEvent(server, org, org.owner, name),
    contributorEventId: await sendEvent(server, org, contributor, name),
  };
  // Complete with the names of all items.
  const seed = seeded as Seed;
  for (const items of seededItems) Object.assign(seed, await items.create(server, seed));
  await database.withOrg(org.id, async (tx) => {
    for (const { restore } of seededItems) await restore(server.services, tx, requestNamesOf(seed));
  });
  return seed;
}

/** Inserts the entry of an import that a member started. */
async function insertAuditEntry(server: TestServer, { id: orgId, owner }: TestOrganization, repositoryId: string) {
  const { database, people } = server.services;
  const personId = await server.personOf(orgId, owner);
  return database.withOrg(orgId, async (tx) => {
    const actor = { accountId: owner.id, personId, requestId: newId(), address: '192.0.2.7' };
    await recordAuditEntry(tx, {
      people,
      orgId,
      actor,
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
