import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#database/database.ts';
import type { LedgerSize } from './ledger-size.ts';

/** A fact with `org_id` and the ID of its entry, and the parameters of a ledger size, such as `$2`. */
interface RecordedFact {
  fact: string;
  entry?: string;
  epoch: string;
  size: string;
}

/**
 * The sum hides the epoch from the PostgreSQL planner, which would otherwise scan all entries up to the size for each
 * fact.
 */
const isBeforeSizeSql = (epoch: string, size: string): string =>
  `(le.epoch + 0, le.leaf_index) < (${epoch}::int, ${size}::bigint)`;

/**
 * SQL that joins the leaf index of the entry of a fact as `<name>.leaf`, null in a closed epoch, and excludes facts
 * beyond a ledger size.
 */
export const entryJoinSql = (name: string, { fact, entry = 'entry_id', epoch, size }: RecordedFact): string =>
  `cross join lateral (
  select case when le.epoch = ${epoch}::int then le.leaf_index end as leaf from ledger_entry le
  where le.org_id = ${fact}.org_id and le.entry_id = ${fact}.${entry} and ${isBeforeSizeSql(epoch, size)}
  order by le.epoch + 0, le.leaf_index limit 1
) ${name}`;

/**
 * The same, but includes facts without an entry: those of earlier releases, and the state at the start of a history.
 * They are in no ledger at any size, so they never cause a difference.
 */
export const entryOrLegacyJoinSql = (name: string, { fact, entry = 'entry_id', epoch, size }: RecordedFact): string =>
  `cross join lateral (
  (select null::bigint as leaf where ${fact}.${entry} is null)
  union all
  (select case when le.epoch = ${epoch}::int then le.leaf_index end from ledger_entry le
   where le.org_id = ${fact}.org_id and le.entry_id = ${fact}.${entry} and ${isBeforeSizeSql(epoch, size)}
   order by le.epoch + 0, le.leaf_index limit 1)
) ${name}`;

/** The condition that the ledger contains the entry of a fact at a size. */
export const isRecordedSql = ({ fact, entry = 'entry_id', epoch, size }: RecordedFact): string =>
  `exists (select from ledger_entry le where le.org_id = ${fact}.org_id and le.entry_id = ${fact}.${entry}
     and ${isBeforeSizeSql(epoch, size)})`;

/** A ledger size as literals of a query that is built from parts. Both numbers come from the database. */
const literalsOf = ({ epoch, size }: LedgerSize) => ({ epoch: String(epoch), size: String(size) });

/** The condition that the ledger contains the entry of a row at a size; `fact` is the alias of its table. */
export const isRecordedAt = (size: LedgerSize, fact: string, entry?: string): RawBuilder<boolean> =>
  sql.raw<boolean>(isRecordedSql({ fact, ...(entry !== undefined && { entry }), ...literalsOf(size) }));

/** Rows by the name of their table, as recorded at a ledger size. */
export type RecordedTables = Readonly<Record<string, RawBuilder<Record<string, unknown>>>>;

/**
 * A query builder in which common table expressions hide the tables with these names: a list at a ledger size runs the
 * query of the current list, with its permissions, filters and order, on recorded rows.
 */
export const withRecordedTables = (db: Tx['db'], tables: RecordedTables): Tx['db'] =>
  Object.entries(tables).reduce(
    (creator, [name, rows]) =>
      creator.with(
        (expression) => expression(name).notMaterialized(),
        () => sql<Record<string, unknown>>`(${rows})`,
      ) as unknown as Tx['db'],
    db,
  );
