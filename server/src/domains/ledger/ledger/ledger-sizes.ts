import type { getLedgerSize, LedgerSizeFacts } from '@sightline/contract/ledger/ledger.ts';
import type { z } from 'zod';
import { Invalid, NotFound } from '#core/errors.ts';
import { resolveLedgerSize } from '#core/ledger-size.ts';
import type { Tx } from '#database/database.ts';

/**
 * The time and the checkpoint of a ledger size; by default of the last checkpoint, or of the last one at a time. Throws
 * 404 without a checkpoint, and 400 for a size beyond the last checkpoint or a time before the first one.
 */
export async function findLedgerSize(
  tx: Tx,
  orgId: string,
  { ledgerSize, at }: z.output<typeof getLedgerSize.query>,
): Promise<LedgerSizeFacts> {
  const [first] = await tx.query<{ at: Date }>({
    name: 'ledger-size.first',
    text: 'select signed_at as at from ledger_checkpoint where org_id = $1 order by epoch, size limit 1',
    values: [orgId],
  });
  if (!first) throw NotFound('A checkpoint');
  const text = ledgerSize ?? (await sizeAt(tx, orgId, at));
  if (text === undefined) throw Invalid('at', `must not be before ${first.at.toISOString()}, the first checkpoint`);
  const { epoch, size, at: recordedAt } = await resolveLedgerSize(tx, orgId, text);
  const [checkpoint] = await tx.query<{ size: number; signedAt: Date }>({
    name: 'ledger-size.checkpoint',
    text: `select size, signed_at as "signedAt" from ledger_checkpoint
           where org_id = $1 and epoch = $2 and size >= $3 order by size limit 1`,
    values: [orgId, epoch, size],
  });
  if (!checkpoint) throw NotFound('A checkpoint of that size');
  return {
    ledgerSize: `${epoch}.${size}`,
    epoch,
    size,
    recordedAt: new Date(recordedAt).toISOString(),
    checkpoint: { size: checkpoint.size, signedAt: checkpoint.signedAt.toISOString() },
    since: first.at.toISOString(),
  };
}

/** The size of the last checkpoint that was signed until a time; by default of the last one. */
async function sizeAt(tx: Tx, orgId: string, at: string | undefined): Promise<string | undefined> {
  const [row] = await tx.query<{ text: string }>({
    name: 'ledger-size.at',
    text: `select epoch || '.' || size as text from ledger_checkpoint
           where org_id = $1 and ($2::timestamptz is null or date_trunc('milliseconds', signed_at) <= $2) order by epoch desc, size desc limit 1`,
    values: [orgId, at ?? null],
  });
  return row?.text;
}
