import { sql } from 'kysely';
import { isArchived } from '#core/archived.ts';
import { recordAuditEntry } from '#core/audit.ts';
import { newId } from '#core/ids.ts';
import { createOrgSecret, organizationOfSecret, type SecretKind, secretHash } from '#core/org-secrets.ts';
import { renderMail } from '#core/pages/mail.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { MailBudgetExceeded } from '#providers/mail-budget.ts';
import { confirmPath, type UnconfirmedAddress } from './confirm-pages.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'ledger.confirm-address': { orgId: string; addressId: string };
  }
}

const linkSecret: SecretKind = { prefix: 'slanchor_', bytes: 32 };
const LINK_DAYS = 7;

/** Sends a confirmation link to each new address. An address receives nothing else before its recipient confirms. */
export async function requestConfirmations(
  services: Services,
  tx: Tx,
  orgId: string,
  addresses: readonly string[],
): Promise<void> {
  const wanted = [...new Set(addresses.map((address) => address.toLowerCase()))];
  if (wanted.length === 0) return;
  const known = await tx.db
    .selectFrom('anchor_address')
    .select('address')
    .where('org_id', '=', orgId)
    .where('address', 'in', wanted)
    .execute();
  for (const address of wanted) {
    if (known.some((row) => row.address === address)) continue;
    const id = newId();
    await tx.db.insertInto('anchor_address').values({ org_id: orgId, id, address }).execute();
    await queueConfirmation(services, tx, orgId, id);
  }
}

/** Sends another link to an unconfirmed address. Returns false if there is none. */
export async function resendLink(services: Services, tx: Tx, orgId: string, address: string): Promise<boolean> {
  const row = await tx.db
    .selectFrom('anchor_address')
    .select('id')
    .where('org_id', '=', orgId)
    .where('address', '=', address.toLowerCase())
    .where('confirmed_at', 'is', null)
    .executeTakeFirst();
  if (row) await queueConfirmation(services, tx, orgId, row.id);
  return row !== undefined;
}

const queueConfirmation = ({ jobs }: Services, tx: Tx, orgId: string, addressId: string) =>
  jobs.enqueue(tx, 'ledger.confirm-address', { orgId, addressId }, { key: addressId });

/** The confirmed ones of these addresses. */
export async function confirmedOf(tx: Tx, orgId: string, addresses: readonly string[]): Promise<string[]> {
  if (addresses.length === 0) return [];
  const rows = await tx.db
    .selectFrom('anchor_address')
    .select('address')
    .distinct()
    .where('org_id', '=', orgId)
    .where(
      'address',
      'in',
      addresses.map((address) => address.toLowerCase()),
    )
    .where('confirmed_at', 'is not', null)
    .execute();
  return rows.map(({ address }) => address);
}

/** Deletes addresses that no anchor uses. Added again, they need another confirmation. */
export async function deleteUnusedAddresses(tx: Tx, orgId: string): Promise<void> {
  await tx.query({
    name: 'ledger.unnamed-addresses',
    text: `delete from anchor_address c where c.org_id = $1 and not exists (
             select from anchor a cross join jsonb_array_elements_text(a.settings -> 'addresses') as named(address)
             where a.org_id = $1 and a.kind = 'mail' and lower(named.address) = c.address)`,
    values: [orgId],
  });
}

/** Sends the link. Another run sends a new one, and only the newest works. */
export async function mailConfirmation(services: Services, orgId: string, addressId: string): Promise<void> {
  const { config, database, log, mail } = services;
  const { secret, hash } = createOrgSecret(linkSecret, orgId);
  const row = await database.withOrg(orgId, async (tx) => {
    if (await isArchived(tx, orgId)) return undefined;
    return tx.db
      .updateTable('anchor_address as c')
      .from('organization as o')
      .whereRef('o.id', '=', 'c.org_id')
      .set({ token_hash: hash, requested_at: sql`now()` })
      .where('c.org_id', '=', orgId)
      .where('c.id', '=', addressId)
      .where('c.confirmed_at', 'is', null)
      .returning(['c.address', 'o.display_name'])
      .executeTakeFirst();
  });
  if (!row) return;
  const link = `${config.PUBLIC_URL}${confirmPath}?${new URLSearchParams({ token: secret })}`;
  await mail.send('request', confirmationMail(row.address, row.display_name, link)).catch((error: unknown) => {
    if (!(error instanceof MailBudgetExceeded)) throw error;
    log.warn({ orgId, addressId }, 'mail not sent: the budget of its recipient is spent');
  });
}

const confirmationMail = (to: string, organization: string, link: string) =>
  renderMail(to, 'Confirm that you want to receive ledger checkpoints', {
    before: [
      `${organization} wants to send checkpoints of its ledger to this address, so that an external party keeps them.`,
      'You receive none until you confirm.',
    ],
    action: 'Confirm address',
    link,
    after: [
      `The link is valid once, for ${LINK_DAYS} days.`,
      'If you do not know the organization, ignore this email. You receive no checkpoints without confirmation.',
    ],
  });

/** The address of a link; undefined if the link was used or replaced, or expired. */
export async function maybeUnconfirmedAddress(
  services: Services,
  token: string,
): Promise<UnconfirmedAddress | undefined> {
  const orgId = organizationOfSecret(linkSecret, token);
  if (orgId === undefined) return undefined;
  return services.database.withOrg(orgId, (tx) => maybeAddressOf(tx, orgId, token));
}

const maybeAddressOf = (tx: Tx, orgId: string, token: string): Promise<UnconfirmedAddress | undefined> =>
  tx.db
    .selectFrom('anchor_address as c')
    .innerJoin('organization as o', 'o.id', 'c.org_id')
    .select(['c.id', 'c.address', 'o.display_name as organization'])
    .where('c.org_id', '=', orgId)
    .where('c.token_hash', '=', secretHash(token))
    .where('c.requested_at', '>', sql<Date>`now() - make_interval(days => ${LINK_DAYS})`)
    .where('o.archived_at', 'is', null)
    .forUpdate('c')
    .executeTakeFirst();

/** Confirms the address of a link, which works once. Undefined for an invalid link. */
export async function confirmAddress(
  services: Services,
  token: string,
  requestId: string,
): Promise<UnconfirmedAddress | undefined> {
  const { database, people, realtime } = services;
  const orgId = organizationOfSecret(linkSecret, token);
  if (orgId === undefined) return undefined;
  return database.withOrg(orgId, async (tx) => {
    const unconfirmed = await maybeAddressOf(tx, orgId, token);
    if (!unconfirmed) return undefined;
    await tx.db
      .updateTable('anchor_address')
      .set({ confirmed_at: sql`now()`, token_hash: null })
      .where('org_id', '=', orgId)
      .where('id', '=', unconfirmed.id)
      .execute();
    const actor = { recipient: true, requestId } as const;
    const action = 'ledger.anchor_address_confirmed';
    await recordAuditEntry(tx, {
      people,
      orgId,
      actor,
      entry: {
        action,
        subject: { kind: 'ledger', id: unconfirmed.id },
        personal: { email: unconfirmed.address },
      },
    });
    tx.afterCommit(() => realtime.notifyOrganization(orgId, 'orgLedger', {}));
    return unconfirmed;
  });
}
