import { toHex } from '@sightline/evidence/ledger/bytes.ts';
import { signNote } from '@sightline/evidence/ledger/note.ts';
import { recordAuditEntry } from '#core/audit.ts';
import { Conflict, NotFound } from '#core/errors.ts';
import type { LedgerLog } from '#core/ledger-log.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { createLedgerOwnEntry } from './census.ts';
import { signHead } from './checkpoints.ts';
import { appendWithoutQueue, createEpochLog, type LogHead, lockHead } from './head.ts';
import { createSigningKey, openSigningKey, type SigningKey } from './keys.ts';
import { logOriginOf } from './sequence.ts';
import { readStoredCheckpoint } from './stored-checkpoint.ts';

type Doer = { operator: string; requestId: string };
type EpochServices = Pick<Services, 'ledger' | 'people'>;

/**
 * Closes the log of an organization that cannot be continued, and starts a new one with a new origin. Its first leaf
 * contains the last checkpoint of the old log, and the lost leaves. Throws 404 without a log.
 */
export async function closeEpoch({ ledger, people }: EpochServices, actor: Doer, orgId: string): Promise<ClosedEpoch> {
  const outside = await readStoredCheckpoint(ledger, orgId);
  const closed = await ledger.database.withOrg(orgId, async (tx) => {
    const head = await lockHead(tx, orgId, 'wait');
    if (!head) throw NotFound('Ledger of this organization');
    const lost = outside && outside.epoch >= head.epoch && outside.size > head.size ? outside : undefined;
    const old = await openSigningKey(tx, ledger, orgId, head.epoch);
    const last = await lastNote(tx, orgId, head.epoch);
    await tx.query({
      name: 'ledger.close',
      text: 'update ledger_log set closed_at = now() where org_id = $1 and epoch = $2',
      values: [orgId, head.epoch],
    });
    const epoch = Math.max(head.epoch, outside?.epoch ?? 0) + 1;
    const origin = logOriginOf(ledger, orgId, epoch);
    await createEpochLog(tx, orgId, epoch, origin);
    const key = await createSigningKey(tx, { ledgerLog: ledger, orgId, log: { epoch, origin }, fromSize: 0 });
    const newHead = await lockHead(tx, orgId, 'wait');
    if (!newHead) throw new Error('The new epoch was not started');
    const subject = {
      closes: head.epoch,
      origin: head.origin,
      because: head.halted ?? 'an operator ended it',
      kept: head.size,
      lost: lost ? { from: head.size, to: lost.size } : null,
      checkpoint: (lost ?? outside)?.note ?? last ?? null,
      key: endorsementOf(old, key),
    };
    await appendWithoutQueue(tx, orgId, newHead, createLedgerOwnEntry(orgId, 'ledger.epoch', subject));
    await recordAuditEntry(tx, {
      people,
      orgId,
      actor,
      entry: {
        action: 'ledger.epoch_closed',
        subject: { kind: 'ledger', id: orgId },
        data: { before: { epoch: head.epoch, size: head.size }, after: { epoch } },
      },
    });
    return { closed: head.epoch, epoch, origin, kept: head.size, lost: subject.lost, vkey: key.vkey };
  });
  await signHead(ledger, orgId);
  return closed;
}

export interface ClosedEpoch {
  closed: number;
  epoch: number;
  origin: string;
  /** The number of remaining leaves of the old epoch. */
  kept: number;
  /** The signed leaves that no longer exist. */
  lost: { from: number; to: number } | null;
  vkey: string;
}

/**
 * Replaces the signing key. The old key endorses the new one in a leaf, but signs no head with that leaf. Throws 404
 * without a log.
 */
export async function rotateKey(
  { ledger, people }: EpochServices,
  actor: Doer,
  orgId: string,
): Promise<{ vkey: string }> {
  // Signs the final head of the old key.
  await signHead(ledger, orgId);
  const vkey = await ledger.database.withOrg(orgId, async (tx) => {
    const head = await lockHead(tx, orgId, 'wait');
    if (!head) throw NotFound('Ledger of this organization');
    if (head.halted !== null) throw Conflict('The ledger is halted. Start a new epoch, which also creates a new key.');
    const old = await openSigningKey(tx, ledger, orgId, head.epoch);
    const key = await replaceKey(tx, ledger, orgId, { head, old });
    await appendWithoutQueue(
      tx,
      orgId,
      head,
      createLedgerOwnEntry(orgId, 'ledger.key', { before: old.id, key: endorsementOf(old, key) }),
    );
    await recordAuditEntry(tx, {
      people,
      orgId,
      actor,
      entry: {
        action: 'ledger.key_rotated',
        subject: { kind: 'ledger', id: orgId },
        data: { before: { key: old.id }, after: { key: key.id } },
      },
    });
    return key.vkey;
  });
  await signHead(ledger, orgId);
  return { vkey };
}

async function replaceKey(
  tx: Tx,
  ledger: LedgerLog,
  orgId: string,
  { head, old }: { head: LogHead; old: SigningKey },
): Promise<SigningKey> {
  await tx.query({
    name: 'ledger.end-key',
    text: 'update signing_key set to_size = $3 where org_id = $1 and key_id = $2',
    values: [orgId, old.id, head.size],
  });
  return createSigningKey(tx, { ledgerLog: ledger, orgId, log: head, fromSize: head.size + 1 });
}

/**
 * The new key, signed with the old one. Its first line differs from that of a checkpoint, so that neither is mistaken
 * for the other.
 */
const endorsementOf = (old: SigningKey, next: SigningKey): string =>
  signNote(`sightline/ledger-key\n${toHex(next.verifier.id)}\n${next.vkey}\n`, old.signer);

async function lastNote(tx: Tx, orgId: string, epoch: number): Promise<string | undefined> {
  const [row] = await tx.query<{ note: string }>({
    name: 'ledger.last-note',
    text: 'select note from ledger_checkpoint where org_id = $1 and epoch = $2 order by size desc limit 1',
    values: [orgId, epoch],
  });
  return row?.note;
}
