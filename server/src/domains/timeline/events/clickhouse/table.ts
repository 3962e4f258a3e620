import type { ClickHouse } from '#providers/clickhouse.ts';

/**
 * What is asked of events here: their columns, and what they show as one text. In the order of the timeline; an event that
 * comes twice is one row after the next merge. What an event has none of is zeroes.
 */
const make = `
  create table if not exists sightline_event (
    org_id UUID,
    as_of DateTime64(6, 'UTC') codec(Delta, ZSTD(1)),
    id UUID,
    kind LowCardinality(String),
    actor UUID,
    repo UUID,
    pr Int32,
    source LowCardinality(String),
    late Bool,
    shown String codec(ZSTD(3)),
    copied_at DateTime64(3, 'UTC'),
    index words shown type text(tokenizer = 'splitByNonAlpha')
  ) engine = ReplacingMergeTree(copied_at)
  partition by toYYYYMM(as_of) order by (org_id, as_of, id)`;

export const table = 'sightline_event';

/** A row as it is sent. */
export interface Copied {
  org_id: string;
  /** `2026-11-21 10:13:14.5`, in UTC. */
  as_of: string;
  id: string;
  kind: string;
  actor: string;
  repo: string;
  pr: number;
  source: string;
  late: boolean;
  shown: string;
}

const made = new WeakSet<ClickHouse>();

export async function ensureTable(clickhouse: ClickHouse): Promise<void> {
  if (made.has(clickhouse)) return;
  await clickhouse.run(make);
  made.add(clickhouse);
}
