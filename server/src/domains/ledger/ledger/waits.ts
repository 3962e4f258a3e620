import type { Tx } from '#database/database.ts';

/** How long an entry waited for its place on a day, in whole seconds. */
interface Wait {
  /** Such as `2026-07-01`, in UTC. */
  day: string;
  seconds: number;
}

/** What this process knows to be noted: most batches wait no longer than one before them did. */
const noted = new Map<string, Wait>();
const mostNoted = 10_000;

/** Keeps how long entries waited at most on a day, and that somebody looked. */
export async function noteWait(tx: Tx, orgId: string, { day, seconds }: Wait): Promise<void> {
  const known = noted.get(orgId);
  if (known?.day === day && known.seconds >= seconds) return;
  await tx.query({
    name: 'ledger.wait',
    text: `insert into ledger_delay (org_id, day, seconds) values ($1, $2, $3)
           on conflict (org_id, day) do update set seconds = excluded.seconds where ledger_delay.seconds < excluded.seconds`,
    values: [orgId, day, seconds],
  });
  tx.afterCommit(() => {
    if (noted.size >= mostNoted) noted.clear();
    noted.set(orgId, { day, seconds });
  });
}
