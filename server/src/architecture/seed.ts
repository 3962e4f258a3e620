import { recordEvents } from '@sightline/contract/timeline/events.ts';
import { recordAuditEntry } from '#core/audit.ts';
import { newId } from '#core/ids.ts';
import type { TestAccount, TestOrganization, TestServer } from '#testing/server.ts';
import { signHead } from '../domains/ledger/ledger/checkpoints.ts';
import { sequenceEntries } from '../domains/ledger/ledger/sequence.ts';
import { repositoryContextId } from '../domains/sources/repositories/context.ts';
import { seededItems } from './endpoint-cases.ts';
import { insertFactors } from './factors.ts';
import { insertItems } from './insert-items.ts';
import { requestNamesOf } from './requests.ts';
import type { Seed } from './seeded.ts';
import { createMembers, endMemberships, insertInvitation } from './seeded-members.ts';

/** `name` occurs in every text of the organization, so that tests can search for leaks. */
export async function seedOrganization(server: TestServer, name: string): Promise<Seed> {
  const { database, ledger } = server.services;
  const org = await server.make.organization(name, { isDemo: true });
  const members = await createMembers(server, org.id);
  const repositoryId = newId();
  const invitationId = newId();
  const installationId = String(Math.trunc(Math.random() * 1e9));
  const items = await database.withOrg(org.id, async (tx) => {
    await endMemberships(tx, org.id, members);
    await insertInvitation(tx, { org, invitationId, invitedBy: members.secondOwner.id });
    return insertItems(server, tx, { org, members, name, repositoryId, installationId });
  });
  for (const { id } of [members.deactivated, members.removed]) server.services.memberships.forget(id);
  const auditId = await insertAuditEntry(server, org, repositoryId);
  while ((await sequenceEntries(ledger, org.id)) > 0);
  await signHead(ledger, org.id);
  const seeded: Partial<Seed> = {
    org,
    ...members,
    moreOwners: [],
    repositoryId,
    fullName: `${name}/api`,
    pullRequest: 42,
    contextId: repositoryContextId(repositoryId),
    invitationId,
    ...items,
    ...(await insertFactors(server, org.owner)),
    auditId,
    installationId,
    ownerEventId: await sendEvent(server, org, org.owner, name),
    contributorEventId: await sendEvent(server, org, members.contributor, name),
  };
  // Complete with the names of all items.
  const seed = seeded as Seed;
  await createSeededItems(server, seed);
  return seed;
}

/** Creates the items of features, and resets all items to their initial state. */
async function createSeededItems(server: TestServer, seed: Seed): Promise<void> {
  for (const items of seededItems) Object.assign(seed, await items.create(server, seed));
  await server.services.database.withOrg(seed.org.id, async (tx) => {
    for (const { restore } of seededItems) await restore(server.services, tx, requestNamesOf(seed));
  });
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
