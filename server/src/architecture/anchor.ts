import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { secretLocation } from '../domains/delivery/destinations/queries.ts';
import { anchors } from '../domains/ledger/ledger/anchors/anchor-type.ts';

/** An anchor of the ledger. */
export interface SeededAnchor {
  anchorId: string;
}

export const newAnchorIds = (): SeededAnchor => ({ anchorId: newId() });

/** Restores the anchor with an attempt and a receipt, and deletes all other anchors. */
export async function insertAnchor(
  { secrets }: Services,
  { db }: Tx,
  { orgId, owner, anchorId }: SeededAnchor & { orgId: string; owner: string },
): Promise<void> {
  const of = { org_id: orgId };
  await db.deleteFrom('anchor').where('org_id', '=', orgId).execute();
  const settings = { url: 'https://git.example/evidence.git', branch: 'main', folder: 'ledger', user: '' };
  await db
    .insertInto('anchor')
    .values({
      ...of,
      id: anchorId,
      kind: 'git',
      party: anchorPartyOf(anchorId),
      settings: JSON.stringify(settings),
      secret_sealed: secrets.seal(secretLocation(anchors, orgId, anchorId), Buffer.from('a token')),
      every_hours: 24,
      next_at: new Date(Date.now() + 86_400_000),
      created_by: owner,
    })
    .execute();
  await db
    .insertInto('anchor_attempt')
    .values({
      ...of,
      id: newId(),
      anchor_id: anchorId,
      outcome: 'published',
      epoch: 1,
      size: 1,
      message: 'Committed.',
      ms: 12,
    })
    .execute();
  const receipt = { epoch: 1, size: 1, kind: 'git', party: anchorPartyOf(anchorId) };
  await db
    .insertInto('ledger_receipt')
    .values({ ...of, ...receipt, token: Buffer.from('0123456789abcdef\n') })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Changes the anchor to the kind mail, with an unconfirmed address. */
export async function setUnconfirmedAddress({ db }: Tx, orgId: string, anchorId: string): Promise<void> {
  await db
    .updateTable('anchor')
    .set({ kind: 'mail', settings: JSON.stringify({ addresses: [unconfirmedAddress] }) })
    .where('org_id', '=', orgId)
    .where('id', '=', anchorId)
    .execute();
  await db.deleteFrom('anchor_address').where('org_id', '=', orgId).execute();
  await db.insertInto('anchor_address').values({ org_id: orgId, id: newId(), address: unconfirmedAddress }).execute();
}

export const unconfirmedAddress = 'auditor@seed.example';

export const anchorPartyOf = (anchorId: string): string => `House ${anchorId}`;
