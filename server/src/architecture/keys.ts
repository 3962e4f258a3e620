import { newAccessKey } from '#core/access-keys.ts';
import { newId } from '#core/ids.ts';
import type { Tx } from '#database/database.ts';

/** Access keys of an organization: a valid one with its ID, and a revoked one. */
export interface SeededAccessKeys {
  accessKeyId: string;
  accessKey: string;
  revokedKey: string;
}

export async function insertAccessKeys(tx: Tx, orgId: string, accountId: string): Promise<SeededAccessKeys> {
  const accessKeyId = newId();
  const [good, revoked] = [newAccessKey(orgId), newAccessKey(orgId)];
  const shared = { org_id: orgId, name: 'House', use: 'sarif', key_end: 'Qa7x', created_by: accountId };
  await tx.db
    .insertInto('access_key')
    .values([
      { ...shared, id: accessKeyId, hash: good.hash, revoked_at: null },
      { ...shared, id: newId(), hash: revoked.hash, revoked_at: new Date() },
    ])
    .execute();
  return { accessKeyId, accessKey: good.key, revokedKey: revoked.key };
}
