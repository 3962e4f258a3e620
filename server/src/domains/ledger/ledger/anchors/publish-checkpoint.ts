import type { AnchorKind } from '@sightline/contract/ledger/anchors.ts';
import { sql } from 'kysely';
import { Refusal } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { openSecrets } from '../../../delivery/destinations/queries.ts';
import { raiseNotifications } from '../../../delivery/notifications/commands.ts';
import { signHead } from '../checkpoints.ts';
import { maybeHead } from '../head.ts';
import { anchors } from './anchor-type.ts';
import type { SignedCheckpoint } from './kind.ts';
import { publish } from './kinds.ts';
import { insertReceipt, maybeNewestReceipt } from './receipts.ts';

/** Minutes until the next attempt after each failure; after the last one, the interval of the anchor applies. */
const RETRY_MINUTES = [5, 30, 120, 360] as const;
/** Owners are notified after so many failures in a row. */
const FAILURES_UNTIL_NOTICE = 3;

interface AnchorKey {
  orgId: string;
  anchorId: string;
}

/** A checkpoint, by its size. */
export interface CheckpointKey {
  epoch: number;
  size: number;
}

interface AnchorRow {
  id: string;
  kind: AnchorKind;
  party: string;
  settings: unknown;
  every_hours: number;
}

type PublishOutcome =
  | { outcome: 'published' | 'unchanged'; signed: SignedCheckpoint; message: string; receipt: Buffer | null }
  | { outcome: 'failed'; signed: SignedCheckpoint | undefined; message: string };

/** Publishes the newest checkpoint to an anchor, or that of a size, and records the attempt. Idempotent. */
export async function publishTo(services: Services, { orgId, anchorId }: AnchorKey, at?: CheckpointKey): Promise<void> {
  const anchor = await services.database.withOrg(orgId, (tx) => leaseAnchor(tx, orgId, anchorId));
  if (!anchor) return;
  const started = performance.now();
  const outcome = await attempt(services, orgId, anchor, at);
  const ms = Math.round(performance.now() - started);
  await services.database.withOrg(orgId, (tx) => recordAttempt(services, tx, orgId, { anchor, outcome, ms }));
}

/** Leases an anchor for ten minutes. If this process dies, another one publishes then. */
async function leaseAnchor({ db }: Tx, orgId: string, anchorId: string): Promise<AnchorRow | undefined> {
  const row = await db
    .updateTable('anchor')
    .set({ next_at: sql<Date>`now() + interval '10 minutes'` })
    .where('org_id', '=', orgId)
    .where('id', '=', anchorId)
    .where('enabled', '=', true)
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('organization').where('id', '=', orgId).where('archived_at', 'is', null).select('id')),
    )
    .returning(['id', 'kind', 'party', 'settings', 'every_hours'])
    .executeTakeFirst();
  return row && { ...row, kind: row.kind as AnchorKind };
}

async function attempt(
  services: Services,
  orgId: string,
  anchor: AnchorRow,
  at: CheckpointKey | undefined,
): Promise<PublishOutcome> {
  const { kind, party, settings } = anchor;
  const signed = at ? await signedAt(services, orgId, at) : await signNow(services, orgId);
  if (typeof signed === 'string') return { outcome: 'failed', signed: undefined, message: signed };
  const before = await services.database.withOrg(orgId, (tx) =>
    maybeNewestReceipt(tx, orgId, { kind, party, epoch: signed.epoch }),
  );
  if (before && before.size >= signed.size) {
    const message =
      before.size === signed.size
        ? 'The anchor already has this checkpoint.'
        : 'The anchor already has a later checkpoint.';
    return { outcome: 'unchanged', signed, message, receipt: null };
  }
  try {
    const [secret = ''] = await services.database.withOrg(orgId, (tx) =>
      openSecrets(services, tx, anchors, { orgId, id: anchor.id }),
    );
    const publication = { orgId, settings, secret, checkpoint: signed, before: before?.size ?? 0 };
    return { outcome: 'published', signed, ...(await publish(services, kind, publication)) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { outcome: 'failed', signed, message: [error.message, error.extra.cause].filter(Boolean).join(' ') };
  }
}

/** Signs a checkpoint of the whole ledger; returns the reason if nothing can be signed. */
async function signNow({ database, ledger }: Services, orgId: string): Promise<SignedCheckpoint | string> {
  const sealed = await signHead(ledger, orgId);
  const head = await database.withOrg(orgId, (tx) => maybeHead(tx, orgId));
  if (!head || head.size === 0) return 'The ledger has no entries.';
  if (!sealed || sealed.epoch !== head.epoch) return 'The ledger is halted and signs no checkpoints.';
  const { epoch, size, root, note } = sealed;
  return { epoch, size, root: root.toString('base64'), note, origin: head.origin };
}

async function signedAt(
  { database }: Services,
  orgId: string,
  { epoch, size }: CheckpointKey,
): Promise<SignedCheckpoint | string> {
  const [row] = await database.withOrg(orgId, (tx) =>
    tx.query<{ root: Buffer; note: string; origin: string }>({
      name: 'ledger.checkpoint-to-publish',
      text: `select c.root, c.note, l.origin from ledger_checkpoint c join ledger_log l on l.org_id = $1 and l.epoch = c.epoch
             where c.org_id = $1 and c.epoch = $2 and c.size = $3`,
      values: [orgId, epoch, size],
    }),
  );
  return row ? { ...row, epoch, size, root: row.root.toString('base64') } : 'No checkpoint exists at that size.';
}

async function recordAttempt(
  services: Services,
  tx: Tx,
  orgId: string,
  { anchor, outcome, ms }: { anchor: AnchorRow; outcome: PublishOutcome; ms: number },
): Promise<void> {
  const { signed, message } = outcome;
  const failed = outcome.outcome === 'failed';
  const after = await tx.db
    .updateTable('anchor')
    .set({
      tries: failed ? sql`tries + 1` : 0,
      failing_since: failed ? sql<Date>`coalesce(failing_since, now())` : null,
    })
    .where('org_id', '=', orgId)
    .where('id', '=', anchor.id)
    .returning('tries')
    .executeTakeFirst();
  // Also for an anchor that was removed meanwhile: it has the checkpoint.
  if (outcome.outcome === 'published' && signed) {
    const { kind, party } = anchor;
    await insertReceipt(tx, orgId, { epoch: signed.epoch, size: signed.size, kind, party, token: outcome.receipt });
  }
  if (!after) return;
  const minutes = (failed ? RETRY_MINUTES[after.tries - 1] : undefined) ?? anchor.every_hours * 60;
  await tx.db
    .updateTable('anchor')
    .set({ next_at: sql<Date>`now() + make_interval(mins => ${Math.min(minutes, anchor.every_hours * 60)})` })
    .where('org_id', '=', orgId)
    .where('id', '=', anchor.id)
    .execute();
  await tx.db
    .insertInto('anchor_attempt')
    .values({
      org_id: orgId,
      id: newId(),
      anchor_id: anchor.id,
      outcome: outcome.outcome,
      epoch: signed?.epoch ?? null,
      size: signed?.size ?? null,
      message: message.replaceAll('\0', '\uFFFD'),
      ms,
    })
    .execute();
  if (failed && after.tries === FAILURES_UNTIL_NOTICE) {
    await raiseNotifications(services, tx, orgId, {
      actor: { clock: true },
      notifications: [{ type: 'ledger.anchor_failed', anchorId: anchor.id, party: anchor.party, because: message }],
    });
  }
  tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgLedger', {}));
}
