import { signCheckpoint } from '@sightline/evidence/ledger/checkpoint.ts';
import { type ReadTile, rootAt } from '@sightline/evidence/ledger/tiles.ts';
import type { LedgerLog } from '#core/ledger-log.ts';
import type { Tx } from '#database/database.ts';
import { LedgerContradiction, type LogHead, maybeHead, tileReaderOf } from './head.ts';
import { openSigningKey } from './keys.ts';
import { haltLog } from './sequence.ts';
import { readStoredCheckpoint, type StoredCheckpoint, storeCheckpoint } from './stored-checkpoint.ts';

/** Seconds between the signatures of a growing log. Each is kept, so a shorter interval would cost storage. */
const signingInterval = 10;
/** Seconds between signatures while someone requests proofs of new entries. */
const intervalOnRequest = 0.5;

/** Signs the head of a grown log, unless the last signature is recent. */
export async function signHeadWhenDue(ledger: LedgerLog, orgId: string): Promise<void> {
  const head = await ledger.database.withOrg(orgId, (tx) => maybeHead(tx, orgId));
  if (head && isSignatureDue(head, signingInterval)) await signHead(ledger, orgId);
}

/** Signs the head if it contains the entry and no checkpoint does, so that a new entry can be proved without a wait. */
export async function signHeadForEntry(ledger: LedgerLog, orgId: string, entryId: string): Promise<void> {
  const head = await ledger.database.withOrg(orgId, async (tx) => {
    const open = await maybeHead(tx, orgId);
    if (!open || !isSignatureDue(open, intervalOnRequest)) return undefined;
    const unsigned = await tx.query({
      name: 'ledger.unsigned-entry',
      text: 'select from ledger_entry where org_id = $1 and entry_id = $2 and epoch = $3 and leaf_index >= $4 limit 1',
      values: [orgId, entryId, open.epoch, open.signedSize],
    });
    return unsigned.length > 0 ? open : undefined;
  });
  if (head) await signHead(ledger, orgId);
}

const isSignatureDue = ({ halted, size, signedSize, signatureAge }: LogHead, interval: number): boolean =>
  halted === null && size > signedSize && (signatureAge === null || signatureAge >= interval);

/**
 * Signs the committed head, never one that may be rolled back. Returns the checkpoint; undefined for an empty or halted
 * log. A head that contradicts an earlier checkpoint is not signed and halts the log.
 */
export async function signHead(ledger: LedgerLog, orgId: string): Promise<StoredCheckpoint | undefined> {
  try {
    const outside = await readStoredCheckpoint(ledger, orgId);
    const sealed = await ledger.database.withOrg(orgId, (tx) => seal(tx, ledger, orgId, outside));
    if (sealed) await storeCheckpoint(ledger, orgId, sealed);
    return sealed;
  } catch (error) {
    if (!(error instanceof LedgerContradiction)) throw error;
    await haltLog(ledger, orgId, error.message);
    return undefined;
  }
}

async function seal(
  tx: Tx,
  ledger: LedgerLog,
  orgId: string,
  outside: StoredCheckpoint | undefined,
): Promise<StoredCheckpoint | undefined> {
  const head = await maybeHead(tx, orgId);
  if (!head || head.halted !== null || head.size === 0) return undefined;
  const [last] = await tx.query<{ size: number; root: Buffer; note: string }>({
    name: 'ledger.last-checkpoint',
    text: 'select size, root, note from ledger_checkpoint where org_id = $1 and epoch = $2 order by size desc limit 1',
    values: [orgId, head.epoch],
  });
  await refuseContradiction(tileReaderOf(tx, orgId, head.epoch), head, last, outside);
  if (last?.size === head.size) return { ...last, epoch: head.epoch };
  const { signer } = await openSigningKey(tx, ledger, orgId, head.epoch);
  const { epoch, size, root } = head;
  const note = signCheckpoint({ size, root: new Uint8Array(root) }, signer);
  await tx.query({
    name: 'ledger.sign',
    text: `with signed as (
             insert into ledger_checkpoint (org_id, epoch, size, root, note) values ($1, $2, $3, $4, $5) on conflict do nothing
           )
           update ledger_log set signed_size = greatest(signed_size, $3), signed_at = now() where org_id = $1 and epoch = $2`,
    values: [orgId, epoch, size, root, note],
  });
  return { epoch, size, root, note };
}

/** Throws a `Contradiction` unless the head extends all earlier checkpoints. */
export async function refuseContradiction(
  read: ReadTile,
  head: LogHead,
  last: { size: number; root: Buffer } | undefined,
  outside: StoredCheckpoint | undefined,
): Promise<void> {
  await refuseUnlessExtended(read, head, head, 'The head');
  if (last) await refuseUnlessExtended(read, head, last, `The checkpoint of ${last.size} leaves`);
  if (!outside || outside.epoch < head.epoch) return;
  const what = `The last signed checkpoint of this server, ${outside.size} leaves of epoch ${outside.epoch},`;
  if (outside.epoch > head.epoch)
    throw new LedgerContradiction(`${what} is newer than the database, which is at epoch ${head.epoch}`);
  await refuseUnlessExtended(read, head, outside, what);
}

async function refuseUnlessExtended(
  read: ReadTile,
  head: LogHead,
  signed: { size: number; root: Buffer },
  what: string,
): Promise<void> {
  if (signed.size > head.size) {
    throw new LedgerContradiction(
      `${what} is larger than the log, which has ${head.size}. A backup may have been restored.`,
    );
  }
  const root = await rootAt(read, signed.size).catch(() => undefined);
  if (root === undefined || !signed.root.equals(root))
    throw new LedgerContradiction(`${what} does not match the tiles`);
}
