import { newId } from '#core/ids.ts';
import type { Tx } from '#database/database.ts';
import type { SeededItems } from '../../../../architecture/endpoint-case.ts';
import { secretLocation } from '../../../delivery/destinations/queries.ts';
import { anchors } from './anchor-type.ts';

declare module '../../../../architecture/seeded.ts' {
  interface Seed {
    anchorId: string;
  }
}

/** An anchor with an attempt and a receipt. */
export const seededItems: SeededItems = {
  create: () => ({ anchorId: newId() }),
  restore: async ({ secrets }, tx, { orgId, org, anchorId }, scene) => {
    const { db } = tx;
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
        created_by: org.owner.id,
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
    if (scene === 'unconfirmed-address') await setUnconfirmedAddress(tx, orgId, anchorId);
  },
};

/** Changes the anchor to the kind mail, with an unconfirmed address. */
async function setUnconfirmedAddress({ db }: Tx, orgId: string, anchorId: string): Promise<void> {
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
