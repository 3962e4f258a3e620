import type { ClickHouse } from '#providers/clickhouse.ts';

/**
 * Columns of events for queries, and their shown text, in the order of the timeline. The next merge removes repeated
 * events. Zeros represent missing values.
 */
const createTableSql = `
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

export const copyTable = 'sightline_event';

/** A row for an insert. */
export interface CopiedEvent {
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

const ensured = new WeakSet<ClickHouse>();

export async function ensureTable(clickhouse: ClickHouse): Promise<void> {
  if (ensured.has(clickhouse)) return;
  await clickhouse.run(createTableSql);
  ensured.add(clickhouse);
}
