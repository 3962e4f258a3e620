import { withoutIndependentCount } from '@sightline/evidence/controls/completeness.ts';
import type { Fact } from '@sightline/evidence/controls/facts.ts';
import type { LedgerDayRow } from '@sightline/evidence/controls/rows.ts';
import { entryJoinSql } from '#core/recorded-facts.ts';
import type { Tx } from '#database/database.ts';
import type { Population, PopulationQuery } from './population.ts';

/** A day without recorded facts at the checkpoint is an item too, with unknown facts. */
export const population: Population<LedgerDayRow> = {
  async *rows(tx, query) {
    const recorded = new Map((await recordedDays(tx, query)).map((day) => [day.day, day]));
    yield (await completedDays(tx, query)).map((day) => rowOf(day, recorded.get(day)));
  },
  async completeness(tx, query) {
    return [withoutIndependentCount('ledger', (await completedDays(tx, query)).length)];
  },
};

interface StoredLedgerDay extends Record<string, unknown> {
  day: string;
  selfCheck: 'ok' | 'failed' | null;
  longestPendingSeconds: number | null;
  lastAnchoredAt: Date | null;
  epochBreaks: number;
  leaf: number | null;
}

const recordedDays = (tx: Tx, { orgId, period, asOf }: PopulationQuery): Promise<StoredLedgerDay[]> =>
  tx.query<StoredLedgerDay>({
    name: 'population.log-01',
    text: `select to_char(d.day, 'YYYY-MM-DD') as day, d.self_check as "selfCheck",
             d.longest_pending_seconds as "longestPendingSeconds", d.last_anchored_at as "lastAnchoredAt",
             d.epoch_breaks as "epochBreaks", entry.leaf
           from ledger_day d ${entryJoinSql('entry', { fact: 'd', epoch: '$2', size: '$3' })}
           where d.org_id = $1 and d.day >= $4::timestamptz::date and d.day < $5::timestamptz::date order by d.day`,
    values: [orgId, asOf.epoch, asOf.size, period.from, period.to],
  });

/** The days of the period that were over at the checkpoint, since the first full day of the ledger. */
async function completedDays(tx: Tx, { orgId, period, asOf }: PopulationQuery): Promise<string[]> {
  const days = await tx.query<{ day: string }>({
    name: 'population.log-01-days',
    text: `with began as (select min(signed_at)::date as day from ledger_checkpoint where org_id = $1)
           select to_char(d, 'YYYY-MM-DD') as day from began,
             generate_series(greatest($2::timestamptz, (began.day + 1)::timestamptz),
               least($3::timestamptz, $4::timestamptz) - interval '1 day', interval '1 day') d order by d`,
    values: [orgId, period.from, period.to, asOf.at],
  });
  return days.map(({ day }) => day);
}

function rowOf(day: string, facts: StoredLedgerDay | undefined): LedgerDayRow {
  const leaf = facts?.leaf ?? null;
  return {
    subject: day,
    repository: null,
    leaf,
    leaves: leaf === null ? [] : [leaf],
    waivers: [],
    day,
    selfCheck: known(facts?.selfCheck),
    longestPendingSeconds: known(facts?.longestPendingSeconds),
    lastAnchoredAt: facts ? { state: 'complete', value: facts.lastAnchoredAt?.toISOString() ?? null } : missing,
    epochBreaks: known(facts?.epochBreaks),
  };
}

const missing = { state: 'missing' } as const;
const known = <T>(value: T | null | undefined): Fact<T> => (value == null ? missing : { state: 'complete', value });
