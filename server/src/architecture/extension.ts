import { randomBytes } from 'node:crypto';
import { newId } from '#core/ids.ts';
import type { Tx } from '#database/database.ts';

export interface SeededExtension {
  /** A connected extension of the owner. */
  extensionId: string;
}

export async function insertExtension(tx: Tx, orgId: string, accountId: string): Promise<SeededExtension> {
  const extensionId = newId();
  await tx.db
    .insertInto('extension_grant')
    .values({
      org_id: orgId,
      id: extensionId,
      account_id: accountId,
      side: 'ide',
      type: 'vscode',
      device: 'A desk',
      hash: randomBytes(32),
    })
    .execute();
  return { extensionId };
}

/** Reconnects the extension. */
export async function resetExtension(tx: Tx, orgId: string, { extensionId }: SeededExtension): Promise<void> {
  await tx.db.deleteFrom('extension_ended').where('grant_id', '=', extensionId).execute();
  await tx.db
    .updateTable('extension_grant')
    .set({ revoked_at: null })
    .where('org_id', '=', orgId)
    .where('id', '=', extensionId)
    .execute();
}
