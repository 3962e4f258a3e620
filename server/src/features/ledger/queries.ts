import { type Ledger, ledgerEntriesMax } from '@sightline/contract/ledger.ts';
import { toBase64 } from '@sightline/evidence/ledger/bytes.ts';
import { verifierText } from '@sightline/evidence/ledger/note.ts';
import { consistencyProof, inclusionProof } from '@sightline/evidence/ledger/proofs.ts';
import { tlogProofText } from '@sightline/evidence/ledger/tlog-proof.ts';
import { Conflict, Invalid, NotFound } from '#core/errors.ts';
import type { Tx } from '#database/database.ts';
import { parsed } from './check/audit.ts';
import { type Head, maybeHead, tilesOf } from './head.ts';
import { verifiersOf } from './keys.ts';

/** What there is to say of the organisation's log. Throws 404 while it has none. */
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
    text: `select distinct on (kind, party) kind, party, size, at from ledger_anchor
           where org_id = $1 and epoch = $2 order by kind, party, size desc`,
    values: [orgId, head.epoch],
  });
  return {
    epoch: head.epoch,
    origin: head.origin,
    size: head.size,
    root: head.root.toString('base64'),
    checkpoint: checkpoint
      ? { size: checkpoint.size, signedAt: checkpoint.signedAt.toISOString(), note: checkpoint.note }
      : null,
    keys: (await verifiersOf(tx, orgId, head.epoch)).map(verifierText),
    pending: { count: pending?.count ?? 0, oldest: pending?.oldest?.toISOString() ?? null },
    anchors: anchors.map(({ at, ...anchor }) => ({ ...anchor, at: at.toISOString() })),
    check: await maybeCheck(tx, orgId),
    halted: head.halted,
  };
}

/** The checkpoint that was signed last. Throws 404 while there is none. */
export async function findCheckpoint(tx: Tx, orgId: string): Promise<{ size: number; note: string }> {
  const checkpoint = await maybeCheckpoint(tx, orgId, (await findHead(tx, orgId)).epoch);
  if (!checkpoint) throw NotFound('A checkpoint');
  return checkpoint;
}

/** The first `width` hashes of a tile, or all there are. Throws 404 where there are fewer. */
export async function findTile(
  tx: Tx,
  orgId: string,
  place: { level: number; n: number },
  width: number | undefined,
): Promise<Uint8Array> {
  const { epoch } = await findHead(tx, orgId);
  const hashes = await tilesOf(tx, orgId, epoch)(place);
  if (!hashes || hashes.length < (width ?? 1) * 32) throw NotFound('The tile');
  return width === undefined ? hashes : hashes.subarray(0, width * 32);
}

export async function listEntries(tx: Tx, orgId: string, { from, to }: { from: number; to?: number | undefined }) {
  const { epoch, size } = await findHead(tx, orgId);
  const end = Math.min(to ?? size, from + ledgerEntriesMax, size);
  const rows = await tx.query<{ index: number; id: string; kind: string; entry: string; leaf: Buffer }>({
    name: 'ledger.entries',
    text: `select leaf_index as index, entry_id as id, kind, entry, leaf_hash as leaf from ledger_entry
           where org_id = $1 and epoch = $2 and leaf_index >= $3 and leaf_index < $4 order by leaf_index`,
    values: [orgId, epoch, from, end],
  });
  return rows.map(({ leaf, ...row }) => ({ ...row, leafHash: leaf.toString('base64') }));
}

/**
 * The proof of an entry against what was signed last. Throws 404 for none of the organisation's, and 409 for one that waits for its
 * place, or for what is signed next.
 */
export async function findProof(tx: Tx, orgId: string, entryId: string): Promise<string> {
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
    throw waiting.length > 0 ? tooYoung() : NotFound('The entry');
  }
  const { epoch, index } = row;
  if (epoch === null || index === null) throw NotFound('The entry');
  const checkpoint = await maybeCheckpoint(tx, orgId, epoch);
  if (!checkpoint || checkpoint.size <= index) throw tooYoung();
  const hashes = await inclusionProof(tilesOf(tx, orgId, epoch), index, checkpoint.size);
  return tlogProofText({ index, hashes, checkpoint: checkpoint.note });
}

const tooYoung = () => Conflict('The entry is not signed yet. That takes a few seconds: try again.');

/** Throws 400 for sizes that the log does not have. */
export async function findConsistency(tx: Tx, orgId: string, { from, to }: { from: number; to?: number | undefined }) {
  const { epoch, size } = await findHead(tx, orgId);
  const end = to ?? size;
  if (end > size) throw Invalid('to', `must be at most ${size}, the size of the ledger`);
  if (from > end) throw Invalid('from', `must be at most ${end}`);
  const proof = await consistencyProof(tilesOf(tx, orgId, epoch), from, end);
  return { from, to: end, proof: proof.map(toBase64) };
}

async function findHead(tx: Tx, orgId: string): Promise<Head> {
  const head = await maybeHead(tx, orgId);
  if (!head) throw NotFound('The ledger');
  return head;
}

async function maybeCheckpoint(
  tx: Tx,
  orgId: string,
  epoch: number,
): Promise<{ size: number; note: string; signedAt: Date } | undefined> {
  const [row] = await tx.query<{ size: number; note: string; signedAt: Date }>({
    name: 'ledger.checkpoint',
    text: `select size, note, signed_at as "signedAt" from ledger_checkpoint
           where org_id = $1 and epoch = $2 order by size desc limit 1`,
    values: [orgId, epoch],
  });
  return row;
}

/** What the last self-check said, which is an entry itself. */
async function maybeCheck(tx: Tx, orgId: string): Promise<Ledger['check']> {
  const [row] = await tx.query<{ entry: string }>({
    name: 'ledger.last-check',
    text: `select entry from ledger_entry where org_id = $1 and kind = 'ledger.check'
           order by epoch desc, leaf_index desc limit 1`,
    values: [orgId],
  });
  const entry = row && parsed(row.entry);
  if (!entry) return null;
  return { at: entry.asOf, size: Number(entry.subject.size), problems: Number(entry.subject.problems) };
}
