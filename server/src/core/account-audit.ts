import type { Tx } from '#database/database.ts';
import { type AuditEntry, record } from './audit.ts';
import { newId } from './ids.ts';
import type { PersonRegistry } from './people.ts';

/** Who did something to an account: its owner, another account, or nobody known. */
export interface AccountDoer {
  accountId: string | undefined;
  requestId: string;
  address: string | undefined;
}

export type AccountEntry = Omit<AuditEntry, 'subject'>;

interface Home {
  orgId: string;
  personId: string;
  /** The person of whoever did it, where they are a member too. */
  doerPersonId: string | null;
}

/**
 * Writes an entry about an account: in the account's own record, and in the audit log of every organization it is in.
 * `tx` belongs to no organization, and does so again afterwards.
 */
export async function recordForAccount(
  tx: Tx,
  {
    people,
    accountId,
    doer,
    entry,
  }: { people: PersonRegistry; accountId: string; doer: AccountDoer; entry: AccountEntry },
): Promise<void> {
  await tx.db
    .insertInto('account_audit')
    .values({
      account_id: accountId,
      id: newId(),
      actor_id: doer.accountId ?? null,
      action: entry.action,
      data: JSON.stringify(entry.data ?? {}),
      personal: JSON.stringify(entry.personal ?? {}),
      request_id: doer.requestId,
      address: doer.address ?? null,
    })
    .execute();
  const subject = { kind: 'account', id: accountId } as const;
  const { requestId, address } = doer;
  await inEveryOrganization(tx, accountId, doer.accountId, async ({ orgId, personId, doerPersonId }) => {
    // A stranger's address is committed under the key of the person they wanted to be.
    const who =
      doer.accountId !== undefined && doerPersonId !== null
        ? { accountId: doer.accountId, personId: doerPersonId, requestId, address }
        : ({ stranger: true, personId, requestId, address } as const);
    await record(tx, { people, orgId, doer: who, entry: { ...entry, subject } });
  });
}

/** The same for what somebody did to their own account. */
export const recordEverywhere = (
  tx: Tx,
  people: PersonRegistry,
  actor: AccountDoer & { accountId: string },
  { subject: _, ...entry }: AuditEntry,
): Promise<void> => recordForAccount(tx, { people, accountId: actor.accountId, doer: actor, entry });

/** Runs `work` in the name of each organization of an account, in the order of their ids, in one transaction. */
export async function inEveryOrganization(
  tx: Tx,
  accountId: string,
  doerId: string | undefined,
  work: (home: Home) => Promise<void>,
): Promise<void> {
  const before = await tenantOf(tx);
  await setTenant(tx, '', accountId);
  const orgs = await tx.query<{ org_id: string }>({
    name: 'account-audit.organizations',
    text: 'select org_id from member where account_id = $1 order by org_id',
    values: [accountId],
  });
  for (const { org_id: orgId } of orgs) {
    await setTenant(tx, orgId, '');
    const [row] = await tx.query<{ person: string; doer: string | null }>({
      name: 'account-audit.people',
      text: `select i.person_id as person,
               (select d.person_id from identity d where d.org_id = $1 and d.kind = 'account' and d.value = $3) as doer
             from identity i where i.org_id = $1 and i.kind = 'account' and i.value = $2`,
      values: [orgId, accountId, doerId ?? null],
    });
    if (row) await work({ orgId, personId: row.person, doerPersonId: row.doer });
  }
  await setTenant(tx, before.org, before.account);
}

const tenantOf = async (tx: Tx): Promise<{ org: string; account: string }> => {
  const [row] = await tx.query<{ org: string; account: string }>({
    name: 'account-audit.before',
    text: `select coalesce(current_setting('app.org', true), '') as org,
             coalesce(current_setting('app.account', true), '') as account`,
    values: [],
  });
  return row ?? { org: '', account: '' };
};

/** Which rows the rest of the transaction sees; empty for none. */
export const setTenant = (tx: Tx, orgId: string, accountId: string): Promise<unknown> =>
  tx.query({
    name: 'account-audit.tenant',
    text: "select set_config('app.org', $1, true), set_config('app.account', $2, true)",
    values: [orgId, accountId],
  });
