import type { ExtensionSide } from '@sightline/contract/identity/extensions.ts';
import { newId } from '#core/ids.ts';
import { appendEntries, createLedgerEntry } from '#core/ledger.ts';
import type { Tx } from '#database/database.ts';

/** One side of a member: editor or browser. */
export interface PresenceSide {
  orgId: string;
  accountId: string;
  side: ExtensionSide;
}

type Reason = 'connected' | 'disconnected' | 'timed_out' | 'paused' | 'signed_out';

/**
 * Records that a side connected. If it is still recorded as connected, its unnoticed end is recorded first. Concurrent
 * connections of two windows are one change.
 */
export async function recordSideConnected(tx: Tx, side: PresenceSide, endedAt: Date | null): Promise<void> {
  if (endedAt !== null) await recordSideDisconnected(tx, side, 'timed_out', endedAt);
  const at = new Date();
  const inserted = await tx.query({
    name: 'presence.came',
    text: `insert into presence_side as s (org_id, account_id, side, connected_since) values ($1, $2, $3, $4)
           on conflict (org_id, account_id, side) do update set connected_since = excluded.connected_since
           where s.connected_since is null returning 1`,
    values: [side.orgId, side.accountId, side.side, at],
  });
  if (inserted.length > 0) await recordChange(tx, side, at, 'connected');
}

/**
 * Records that a side disconnected, now or at the given time. Records nothing if it connected later or is already
 * disconnected.
 */
export async function recordSideDisconnected(
  tx: Tx,
  side: PresenceSide,
  reason: Exclude<Reason, 'connected'>,
  at?: Date,
): Promise<void> {
  const [ended] = await tx.query<{ since: Date }>({
    name: 'presence.gone',
    text: `with was as (
             select connected_since as since from presence_side
             where org_id = $1 and account_id = $2 and side = $3 and connected_since <= coalesce($4, connected_since) for update
           ), written as (
             update presence_side set connected_since = null where org_id = $1 and account_id = $2 and side = $3
               and exists (select from was)
           ) select since from was`,
    values: [side.orgId, side.accountId, side.side, at ?? null],
  });
  if (ended) await recordChange(tx, side, at ?? latest(ended.since, new Date()), reason);
}

// After the clock was set back, a side must not end before it began.
const latest = (one: Date, other: Date) => (one > other ? one : other);

/** Records sides of an organization that timed out, each at its end. */
export async function recordSideTimeouts(tx: Tx, orgId: string): Promise<void> {
  const lapsed = await tx.query<{ account_id: string; side: ExtensionSide; ended_at: Date }>({
    name: 'presence.lapsed',
    text: `select s.account_id, s.side, coalesce(max(e.live_until), s.connected_since) as ended_at
           from presence_side s left join extension_session e
             on e.org_id = $1 and e.account_id = s.account_id and e.side = s.side
           where s.org_id = $1 and s.connected_since is not null
           group by s.account_id, s.side, s.connected_since
           having coalesce(max(e.live_until), s.connected_since) < now()
           order by s.account_id, s.side`,
    values: [orgId],
  });
  for (const { account_id: accountId, side, ended_at: at } of lapsed) {
    await recordSideDisconnected(tx, { orgId, accountId, side }, 'timed_out', at);
  }
}

async function recordChange(tx: Tx, { orgId, accountId, side }: PresenceSide, at: Date, reason: Reason): Promise<void> {
  const [id, connected] = [newId(), reason === 'connected'];
  const [row] = await tx.query<{ person: string | null }>({
    name: 'presence.change',
    text: `insert into presence_change (org_id, account_id, side, at, connected, reason, entry_id) values ($1, $2, $3, $4, $5, $6, $7)
           returning (select person_id from identity where org_id = $1 and kind = 'account' and value = $2::text) as person`,
    values: [orgId, accountId, side, at, connected, reason, id],
  });
  const fact = {
    id,
    org: orgId,
    kind: connected ? 'presence.connected' : 'presence.disconnected',
    asOf: at.toISOString(),
    receivedAt: new Date().toISOString(),
    person: row?.person ?? null,
    source: 'sightline',
    subject: { account: accountId, side, reason },
    personal: {},
  };
  await appendEntries(tx, orgId, [createLedgerEntry(fact, undefined)]);
}
