import { type Ledger, MAX_LEDGER_ENTRIES } from '@sightline/contract/ledger/ledger.ts';
import { toBase64 } from '@sightline/evidence/ledger/bytes.ts';
import { withSignatures } from '@sightline/evidence/ledger/cosignature.ts';
import { verifierText } from '@sightline/evidence/ledger/note.ts';
import { consistencyProof, inclusionProof } from '@sightline/evidence/ledger/proofs.ts';
import { rootAt } from '@sightline/evidence/ledger/tiles.ts';
import { tlogProofText } from '@sightline/evidence/ledger/tlog-proof.ts';
import { Conflict, Invalid, NotFound } from '#core/errors.ts';
import { isReadByKindSql } from '#core/ledger.ts';
import type { Tx } from '#database/database.ts';
import { cosignaturesOf } from './anchors/receipts.ts';
import { maybeParsedEntry } from './check/audit.ts';
import { type LogHead, maybeHead, tileReaderOf } from './head.ts';
import { verifiersOf } from './keys.ts';

/** The organizations with a ledger, for `forEachOrganization`. */
export const organizationsWithLedger = { organizations: 'select orgs_with_ledger() as id' };

/** The state of the ledger of an organization. Throws 404 if it has none. */
export async function findLedger(tx: Tx, orgId: string): Promise<Ledger> {
  const head = await findHead(tx, orgId);
  const checkpoint = await maybeCheckpoint(tx, orgId, head.epoch);
  const [pending] = await tx.query<{ count: number; oldest: Date | null }>({
    name: 'ledger.pending',
    text: `select count(*)::int as count, min(queued_at) as oldest
           from (select queued_at from ledger_pending where org_id = $1 order by id limit 10000) p`,
    values: [orgId],
  });
  const anchors = await tx.query<{ kind: string; party: string; size: number; at: Date }>({
    name: 'ledger.anchors',
    text: `select distinct on (kind, party) kind, party, size, at from ledger_receipt
           where org_id = $1 and epoch = $2 order by kind, party, size desc`,
    values: [orgId, head.epoch],
  });
  const checks = await listChecks(tx, orgId);
  const isPublic = await isLedgerPublic(tx, orgId);
  return {
    epoch: head.epoch,
    origin: head.origin,
    size: head.size,
    root: head.root.toString('base64'),
    checkpoint: checkpoint
      ? { size: checkpoint.size, signedAt: checkpoint.signedAt.toISOString(), note: checkpoint.note }
      : null,
    keys: (await verifiersOf(tx, orgId, head.epoch)).map(verifierText),
    epochs: await listEpochs(tx, orgId),
    pending: { count: pending?.count ?? 0, oldest: pending?.oldest?.toISOString() ?? null },
    anchors: anchors.map(({ at, ...anchor }) => ({ ...anchor, at: at.toISOString() })),
    check: checks[0] ?? null,
    checks,
    halted: head.halted,
    isPublic,
  };
}

/** Whether anyone may read the log of C2SP tlog-tiles. */
export async function isLedgerPublic(tx: Tx, orgId: string): Promise<boolean> {
  const [access] = await tx.query<{ isPublic: boolean }>({
    name: 'ledger.access',
    text: 'select is_public as "isPublic" from ledger_access where org_id = $1',
    values: [orgId],
  });
  return access?.isPublic ?? false;
}

/** The size of the last checkpoint of an epoch. Throws 404 for an unknown epoch. */
export async function findSignedSize(tx: Tx, orgId: string, epoch: number): Promise<number> {
  const [log] = await tx.query<{ size: number }>({
    name: 'ledger.signed-size',
    text: 'select signed_size as size from ledger_log where org_id = $1 and epoch = $2',
    values: [orgId, epoch],
  });
  if (!log) throw NotFound('Ledger');
  return log.size;
}

/** The last signed checkpoint, or that of a size. Throws 404 if there is none. */
export async function findCheckpoint(
  tx: Tx,
  orgId: string,
  { epoch, size }: { epoch?: number | undefined; size?: number | undefined } = {},
): Promise<{ size: number; note: string }> {
  const checkpoint = await maybeCheckpoint(tx, orgId, epoch ?? (await findHead(tx, orgId)).epoch, size);
  if (!checkpoint) throw NotFound('A checkpoint');
  return checkpoint;
}

export interface SignedLedgerCheckpoint {
  epoch: number;
  size: number;
  root: Buffer;
  signedAt: Date;
}

/** The checkpoint of a size, by default of the current epoch. Throws 404 if there is none of that size. */
export async function findCheckpointAt(
  tx: Tx,
  orgId: string,
  { epoch, size }: { epoch?: number | undefined; size: number },
): Promise<SignedLedgerCheckpoint> {
  const [checkpoint] = await tx.query<SignedLedgerCheckpoint & Record<string, unknown>>({
    name: 'ledger.checkpoint-at',
    text: `select epoch, size, root, signed_at as "signedAt" from ledger_checkpoint where org_id = $1 and epoch = $2 and size = $3`,
    values: [orgId, epoch ?? (await findHead(tx, orgId)).epoch, size],
  });
  if (!checkpoint) throw NotFound('A checkpoint of that size');
  return checkpoint;
}

/** Proofs of an epoch for any of its earlier sizes, with hashes in base64. */
export function proofReaderOf(tx: Tx, orgId: string, epoch: number) {
  const read = tileReaderOf(tx, orgId, epoch);
  return {
    inclusion: async (index: number, size: number) => (await inclusionProof(read, index, size)).map(toBase64),
    consistency: async (from: number, to: number) => (await consistencyProof(read, from, to)).map(toBase64),
    root: async (size: number) => toBase64(await rootAt(read, size)),
  };
}

/** Origin, signed note and key of a checkpoint. Throws 404 if there is none of that size. */
export async function findSignedNote(
  tx: Tx,
  orgId: string,
  { epoch, size }: { epoch: number; size: number },
): Promise<{ origin: string; note: string; vkey: string }> {
  const [row] = await tx.query<{ origin: string; note: string; vkey: string }>({
    name: 'ledger.note-at',
    text: `select l.origin, c.note, k.vkey from ledger_checkpoint c
           join ledger_log l on l.org_id = c.org_id and l.epoch = c.epoch
           join signing_key k on k.org_id = c.org_id and k.epoch = c.epoch and k.from_size <= c.size and (k.to_size is null or c.size <= k.to_size)
           where c.org_id = $1 and c.epoch = $2 and c.size = $3 order by k.from_size limit 1`,
    values: [orgId, epoch, size],
  });
  if (!row) throw NotFound('A checkpoint of that size');
  return { ...row, note: withSignatures(row.note, await cosignaturesOf(tx, orgId, epoch, size)) };
}

/** The time-stamp token for the checkpoint of a size; undefined if there is none. */
export async function maybeTimeStampToken(
  tx: Tx,
  orgId: string,
  { epoch, size }: { epoch: number; size: number },
): Promise<Buffer | undefined> {
  const [row] = await tx.query<{ token: Buffer }>({
    name: 'ledger.stamp-at',
    text: `select token from ledger_receipt where org_id = $1 and epoch = $2 and size = $3 and kind = 'rfc3161' and token is not null
           order by party limit 1`,
    values: [orgId, epoch, size],
  });
  return row?.token;
}

export async function readLedgerEntries(
  tx: Tx,
  orgId: string,
  { from, to, epoch: which }: { from: number; to?: number | undefined; epoch?: number | undefined },
) {
  const { epoch, size } = await findLog(tx, orgId, which);
  const end = Math.min(to ?? size, from + MAX_LEDGER_ENTRIES, size);
  const rows = await tx.query<{ index: number; id: string; kind: string; entry: string; leaf: Buffer }>({
    name: 'ledger.entries',
    text: `select leaf_index as index, entry_id as id, kind, entry_text(e) as entry, leaf_hash as leaf from ledger_entry e
           where org_id = $1 and epoch = $2 and leaf_index >= $3 and leaf_index < $4 order by leaf_index`,
    values: [orgId, epoch, from, end],
  });
  return rows.map(({ leaf, ...row }) => ({ ...row, leafHash: leaf.toString('base64') }));
}

/**
 * The inclusion proof of an entry in the last checkpoint, or that of a size. Throws 404 for an unknown entry, and 409
 * for an entry that is pending or not signed yet.
 */
export async function findInclusionProofText(tx: Tx, orgId: string, entryId: string, size?: number): Promise<string> {
  const [row] = await tx.query<{ epoch: number | null; index: number | null }>({
    name: 'ledger.find-entry',
    text: `select epoch, leaf_index as index from ledger_entry where org_id = $1 and entry_id = $2
           order by epoch desc, leaf_index desc limit 1`,
    values: [orgId, entryId],
  });
  if (!row) {
    const waiting = await tx.db
      .selectFrom('ledger_pending')
      .select('id')
      .where('org_id', '=', orgId)
      .where('entry_id', '=', entryId)
      .limit(1)
      .execute();
    throw waiting.length > 0 ? tooYoung() : NotFound('Entry');
  }
  const { epoch, index } = row;
  if (epoch === null || index === null) throw NotFound('Entry');
  const checkpoint = await maybeCheckpoint(tx, orgId, epoch, size);
  if (!checkpoint && size !== undefined) throw NotFound('A checkpoint of that size');
  if (!checkpoint || checkpoint.size <= index) throw tooYoung();
  const hashes = await inclusionProof(tileReaderOf(tx, orgId, epoch), index, checkpoint.size);
  return tlogProofText({ index, hashes, checkpoint: checkpoint.note });
}

const tooYoung = () => Conflict('The entry is not signed yet. Try again in a second.');

/** The consistency proof between two sizes. Throws 400 for sizes beyond that of the log. */
export async function findConsistencyProof(
  tx: Tx,
  orgId: string,
  { from, to }: { from: number; to?: number | undefined },
) {
  const { epoch, size } = await findHead(tx, orgId);
  const end = to ?? size;
  if (end > size) throw Invalid('to', `must be at most ${size}, the size of the ledger`);
  if (from > end) throw Invalid('from', `must be at most ${end}`);
  const proof = await consistencyProof(tileReaderOf(tx, orgId, epoch), from, end);
  return { from, to: end, proof: proof.map(toBase64) };
}

async function findHead(tx: Tx, orgId: string): Promise<LogHead> {
  const head = await maybeHead(tx, orgId);
  if (!head) throw NotFound('Ledger');
  return head;
}

/** The log of an epoch, open or closed; by default the current one. */
async function findLog(tx: Tx, orgId: string, epoch: number | undefined): Promise<{ epoch: number; size: number }> {
  if (epoch === undefined) return findHead(tx, orgId);
  const [log] = await tx.query<{ epoch: number; size: number }>({
    name: 'ledger.log',
    text: 'select epoch, size from ledger_log where org_id = $1 and epoch = $2',
    values: [orgId, epoch],
  });
  if (!log) throw NotFound('Ledger');
  return log;
}

/** The newest checkpoint, or that of a size, with the cosignatures of witnesses after its own signature. */
async function maybeCheckpoint(
  tx: Tx,
  orgId: string,
  epoch: number,
  size?: number,
): Promise<{ size: number; note: string; signedAt: Date } | undefined> {
  const [row] = await tx.query<{ size: number; note: string; signedAt: Date }>({
    name: size === undefined ? 'ledger.checkpoint' : 'ledger.checkpoint-of-size',
    text: `select size, note, signed_at as "signedAt" from ledger_checkpoint
           where org_id = $1 and epoch = $2${size === undefined ? '' : ' and size = $3'} order by size desc limit 1`,
    values: size === undefined ? [orgId, epoch] : [orgId, epoch, size],
  });
  return row && { ...row, note: withSignatures(row.note, await cosignaturesOf(tx, orgId, epoch, row.size)) };
}

async function listEpochs(tx: Tx, orgId: string): Promise<Ledger['epochs']> {
  const rows = await tx.query<{ epoch: number; origin: string; size: number; closedAt: Date | null }>({
    name: 'ledger.epochs',
    text: `select epoch, origin, size, closed_at as "closedAt" from ledger_log where org_id = $1 order by epoch`,
    values: [orgId],
  });
  const epochs: Ledger['epochs'] = [];
  for (const { closedAt, ...log } of rows) {
    const keys = (await verifiersOf(tx, orgId, log.epoch)).map(verifierText);
    epochs.push({ ...log, keys, closedAt: closedAt?.toISOString() ?? null });
  }
  return epochs;
}

/** The results of the last self-checks from their ledger entries, newest first. */
async function listChecks(tx: Tx, orgId: string): Promise<Ledger['checks']> {
  const rows = await tx.query<{ entry: string }>({
    name: 'ledger.last-checks',
    text: `select entry_text(e) as entry from ledger_entry e where org_id = $1 and kind = 'ledger.check' and ${isReadByKindSql}
           order by epoch desc, leaf_index desc limit 14`,
    values: [orgId],
  });
  return rows.flatMap(({ entry: text }) => {
    const entry = maybeParsedEntry(text);
    return entry
      ? [{ at: entry.asOf, size: Number(entry.subject.size), problems: Number(entry.subject.problems) }]
      : [];
  });
}
