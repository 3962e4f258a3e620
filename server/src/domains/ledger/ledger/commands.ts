import { setTimeout as delay } from 'node:timers/promises';
import { utf8 } from '@sightline/evidence/ledger/bytes.ts';
import { signNote } from '@sightline/evidence/ledger/note.ts';
import { type DsseEnvelope, signStatement } from '@sightline/evidence/slsa/dsse.ts';
import { Conflict } from '#core/errors.ts';
import type { LedgerLog } from '#core/ledger-log.ts';
import type { Services } from '#core/services.ts';
import { type CheckpointKey, publishTo } from './anchors/publish-checkpoint.ts';
import { appendCensus } from './census.ts';
import { signHead } from './checkpoints.ts';
import { maybeHead } from './head.ts';
import { openSigningKey, openSigningKeyOfSize } from './keys.ts';
import { findCheckpointAt, type SignedLedgerCheckpoint } from './queries.ts';
import { sequenceEntries } from './sequence.ts';

/** Maximum wait for another process to sequence entries, in milliseconds. */
const maxWaitMs = 60_000;

/**
 * Sequences all pending entries, appends a census, and signs the head. Returns the checkpoint; undefined for an
 * organization without a ledger. Throws 409 if the ledger is halted.
 */
export async function sequenceAndSign(ledger: LedgerLog, orgId: string): Promise<SignedLedgerCheckpoint | undefined> {
  await sequenceAll(ledger, orgId);
  await appendCensus(ledger, orgId);
  const sealed = await signHead(ledger, orgId);
  const { withOrg } = ledger.database;
  if (sealed) return withOrg(orgId, (tx) => findCheckpointAt(tx, orgId, sealed));
  const head = await withOrg(orgId, (tx) => maybeHead(tx, orgId));
  if (head?.halted) throw Conflict(`Ledger integrity failure, halted: ${head.halted}`);
  return undefined;
}

/**
 * Publishes a checkpoint to all enabled anchors before it is handed out, and waits for them. A failed anchor is retried
 * later as usual.
 */
export async function publishEverywhere(services: Services, orgId: string, at: CheckpointKey): Promise<void> {
  const rows = await services.database.withOrg(orgId, ({ db }) =>
    db.selectFrom('anchor').select('id').where('org_id', '=', orgId).where('enabled', '=', true).execute(),
  );
  await Promise.all(rows.map(({ id }) => publishTo(services, { orgId, anchorId: id }, at)));
}

async function sequenceAll(ledger: LedgerLog, orgId: string): Promise<void> {
  const { withOrg } = ledger.database;
  const until = Date.now() + maxWaitMs;
  const last = await withOrg(orgId, (tx) =>
    tx.query<{ id: number }>({
      name: 'ledger.newest-waiting',
      text: 'select id from ledger_pending where org_id = $1 order by id desc limit 1',
      values: [orgId],
    }),
  );
  const findPending = () =>
    withOrg(orgId, (tx) =>
      tx.query({
        name: 'ledger.still-waiting',
        text: 'select from ledger_pending where org_id = $1 and id <= $2 limit 1',
        values: [orgId, last[0]?.id ?? 0],
      }),
    );
  while ((await findPending()).length > 0) {
    if ((await sequenceEntries(ledger, orgId)) > 0) continue;
    const head = await withOrg(orgId, (tx) => maybeHead(tx, orgId));
    if (head?.halted) return;
    if (Date.now() > until) throw Conflict('The ledger is busy. Try again in a minute.');
    await delay(20);
  }
}

/**
 * Signs a note with the key for checkpoints of a size, under the name of the log. Throws for text that is invalid in a
 * note.
 */
export const signLedgerNote = (
  ledger: LedgerLog,
  orgId: string,
  at: { epoch: number; size: number },
  text: string,
): Promise<string> =>
  ledger.database.withOrg(orgId, async (tx) => {
    const { signer } = await openSigningKeyOfSize(tx, ledger, orgId, at);
    return signNote(text, signer);
  });

/**
 * Signs an in-toto statement with the current signing key. Throws 409 if the ledger is halted, or not created yet.
 */
export const signLedgerStatement = (ledger: LedgerLog, orgId: string, statement: string): Promise<DsseEnvelope> =>
  ledger.database.withOrg(orgId, async (tx) => {
    const head = await maybeHead(tx, orgId);
    if (!head) throw Conflict('The ledger of the organization has no signing key yet. Try again in a minute.');
    if (head.halted !== null) throw Conflict(`Ledger integrity failure, halted: ${head.halted}`);
    const { signer } = await openSigningKey(tx, ledger, orgId, head.epoch);
    return signStatement(utf8(statement), signer);
  });
