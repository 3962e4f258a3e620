import type { Tx } from '#database/database.ts';
import { type AuditEntry, recordAuditEntry } from './audit.ts';
import { newId } from './ids.ts';
import type { PersonRegistry } from './people.ts';

/** The actor of a change to an account: its owner, another account, or an unknown client. */
export interface AccountAuditActor {
  accountId: string | undefined;
  requestId: string;
  address: string | undefined;
}

export type AccountEntry = Omit<AuditEntry, 'subject'>;

interface OrganizationIdentity {
  orgId: string;
  personId: string;
  /** The person of the actor if the actor is a member of the organization. */
  actorPersonId: string | null;
}

/**
 * Writes an audit entry to the record of an account and to the audit log of each of its organizations. `tx` has no
 * organization, and has none afterwards.
 */
export async function recordAccountChange(
  tx: Tx,
  {
    people,
    accountId,
    actor,
    entry,
  }: { people: PersonRegistry; accountId: string; actor: AccountAuditActor; entry: AccountEntry },
): Promise<void> {
  await tx.db
    .insertInto('account_audit')
    .values({
      account_id: accountId,
      id: newId(),
      actor_id: actor.accountId ?? null,
      action: entry.action,
      data: JSON.stringify(entry.data ?? {}),
      personal: JSON.stringify(entry.personal ?? {}),
      request_id: actor.requestId,
      address: actor.address ?? null,
    })
    .execute();
  const subject = { kind: 'account', id: accountId } as const;
  const { requestId, address } = actor;
  await forEachOrganizationOfAccount(tx, accountId, actor.accountId, async ({ orgId, personId, actorPersonId }) => {
    // The address of an unauthenticated client is committed under the key of the person it claimed to be.
    const auditActor =
      actor.accountId !== undefined && actorPersonId !== null
        ? { accountId: actor.accountId, personId: actorPersonId, requestId, address }
        : ({ stranger: true, personId, requestId, address } as const);
    await recordAuditEntry(tx, { people, orgId, actor: auditActor, entry: { ...entry, subject } });
  });
}

/** Writes the audit entry of a change that an account made to itself. */
export const recordOwnAccountChange = (
  tx: Tx,
  people: PersonRegistry,
  actor: AccountAuditActor & { accountId: string },
  { subject: _, ...entry }: AuditEntry,
): Promise<void> => recordAccountChange(tx, { people, accountId: actor.accountId, actor, entry });

/**
 * Runs `work` within each organization of an account, ordered by organization ID, in one transaction. Demos that are
 * being deleted are omitted: until their deletion commits, an audit entry waits for it, and then has no organization.
 * So are organizations that moved to another installation, which have no entries here any more.
 */
export async function forEachOrganizationOfAccount(
  tx: Tx,
  accountId: string,
  actorId: string | undefined,
  work: (identity: OrganizationIdentity) => Promise<void>,
): Promise<void> {
  const before = await readTenant(tx);
  await setTenant(tx, '', accountId);
  const orgs = await tx.query<{ org_id: string }>({
    name: 'account-audit.organizations',
    text: `select m.org_id from member m join organization o on o.id = m.org_id
           where m.account_id = $1 and not (o.is_demo and o.archived_at is not null)
             and not exists (select from moved_organization v where v.id = m.org_id) order by m.org_id`,
    values: [accountId],
  });
  for (const { org_id: orgId } of orgs) {
    await setTenant(tx, orgId, '');
    const [row] = await tx.query<{ person: string; actor: string | null }>({
      name: 'account-audit.people',
      text: `select i.person_id as person,
               (select d.person_id from identity d where d.org_id = $1 and d.kind = 'account' and d.value = $3) as actor
             from identity i where i.org_id = $1 and i.kind = 'account' and i.value = $2`,
      values: [orgId, accountId, actorId ?? null],
    });
    if (row) await work({ orgId, personId: row.person, actorPersonId: row.actor });
  }
  await setTenant(tx, before.org, before.account);
}

const readTenant = async (tx: Tx): Promise<{ org: string; account: string }> => {
  const [row] = await tx.query<{ org: string; account: string }>({
    name: 'account-audit.before',
    text: `select coalesce(current_setting('app.org', true), '') as org,
             coalesce(current_setting('app.account', true), '') as account`,
    values: [],
  });
  return row ?? { org: '', account: '' };
};

/** Sets the organization and account whose rows the transaction can access from now on; empty for none. */
export const setTenant = (tx: Tx, orgId: string, accountId: string): Promise<unknown> =>
  tx.query({
    name: 'account-audit.tenant',
    text: "select set_config('app.org', $1, true), set_config('app.account', $2, true)",
    values: [orgId, accountId],
  });
