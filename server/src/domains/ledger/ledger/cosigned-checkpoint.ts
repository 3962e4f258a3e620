import { cosign, withSignatures } from '@sightline/evidence/ledger/cosignature.ts';
import type { LedgerLog } from '#core/ledger-log.ts';
import { openSigningKeyOfSize } from './keys.ts';
import { findCheckpointAt } from './queries.ts';

/** The last cosigned checkpoint of each log: signing takes about ten milliseconds. */
const latest = new Map<string, string>();
const MAX_LOGS = 500;

/**
 * Adds a signature of ML-DSA-44 by the log itself to a stored checkpoint, which has one of Ed25519 (C2SP
 * tlog-checkpoint). It is created when the checkpoint is read: 3.2 kB with each stored one would need ten times its
 * storage.
 */
export async function cosignCheckpoint(
  ledger: LedgerLog,
  orgId: string,
  { epoch, size, note }: { epoch: number; size: number; note: string },
): Promise<string> {
  const log = `${orgId}/${epoch}`;
  const known = latest.get(log);
  if (known?.startsWith(note)) return known;
  const line = await ledger.database.withOrg(orgId, async (tx) => {
    const { signedAt } = await findCheckpointAt(tx, orgId, { epoch, size });
    const { cosigner } = await openSigningKeyOfSize(tx, ledger, orgId, { epoch, size });
    return cosign(note, cosigner, Math.floor(signedAt.getTime() / 1000));
  });
  const cosigned = withSignatures(note, [line]);
  latest.delete(log);
  latest.set(log, cosigned);
  const [oldest] = latest.keys();
  if (latest.size > MAX_LOGS && oldest !== undefined) latest.delete(oldest);
  return cosigned;
}
