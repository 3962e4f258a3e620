import type { Tx } from '#database/database.ts';

/** The longest time until an entry was sequenced on a day, in whole seconds. */
interface Wait {
  /** Such as `2026-07-01`, in UTC. */
  day: string;
  seconds: number;
}

/** Cache of recorded waits, since most batches wait no longer than an earlier one. */
const recorded = new Map<string, Wait>();
const maxRecorded = 10_000;

/** Records the longest wait of entries on a day, which also shows that waits were measured. */
export async function recordLongestWait(tx: Tx, orgId: string, { day, seconds }: Wait): Promise<void> {
  const known = recorded.get(orgId);
  if (known?.day === day && known.seconds >= seconds) return;
  await tx.query({
    name: 'ledger.wait',
    text: `insert into ledger_delay (org_id, day, seconds) values ($1, $2, $3)
           on conflict (org_id, day) do update set seconds = excluded.seconds where ledger_delay.seconds < excluded.seconds`,
    values: [orgId, day, seconds],
  });
  tx.afterCommit(() => {
    if (recorded.size >= maxRecorded) recorded.clear();
    recorded.set(orgId, { day, seconds });
  });
}
