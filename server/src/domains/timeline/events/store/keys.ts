import type { StoreCondition } from './condition.ts';
import { columnsOfRanges, type DenseWalk, rangesThroughDenseHours } from './dense-hours.ts';
import type { ColumnAtom, PlanBranch, TermLead } from './plan.ts';
import {
  type BindPostgres,
  conditionSql,
  hourSql,
  isKeyCondition,
  listColumnSql,
  pendingTermsSql,
  sqlTypes,
  termsInCondition,
} from './tests.ts';

export interface Cursor {
  /** RFC 3339 UTC. */
  asOf: string;
  id: string;
}

export interface EventWalk {
  direction: 'older' | 'newer';
  from: Cursor | undefined;
  limit: number;
  /**
   * Limits the walk to the time range of a row `slice(begins, ends, place)` of the surrounding statement, the end excluded. These
   * are all the ranges in milliseconds; their places begin at 1.
   */
  inSlice?: readonly { from: number; to: number }[];
  /**
   * Returns this column as `value` beside the keys. Only if the walk reads rows of events: along the table, or along the
   * index of a column beside terms.
   */
  value?: string | undefined;
}

/** The columns of the next keys, of rows `k`. */
const keyColumns = 'k.as_of, k.id';

/**
 * SQL of the next keys as columns as_of and id, in the order of the walk, for a lateral subquery of `tenant`. With
 * `columns`, the rows `k` of a single walk along the table instead, without a second lookup.
 *
 * Expected plan of each lead: `walk` an index scan in the order of the walk; `each` an index scan per value and a merge
 * of their first rows; `terms` an index scan of posting_list per range of hours, and lookups of events by key.
 */
export function eventKeysSql(
  branches: readonly PlanBranch[],
  walk: EventWalk,
  bind: BindPostgres,
  columns = keyColumns,
): string {
  const order = orderOf(walk);
  const limit = bind(walk.limit, 'int');
  const each = branches.map((branch) => keysOfOne(branch, { walk, limit, bind, columns }));
  const pending = pendingTermsSql(
    branches.flatMap(({ lead, tests }) => [
      ...(lead.by === 'terms' ? lead.along : []),
      ...tests.flatMap(termsInCondition),
    ]),
    bind,
  );
  const [only = ''] = each;
  const keys =
    each.length === 1
      ? only
      : `select ${keyColumns} from (${each.map((sql) => `(${sql})`).join(' union ')}) k order by ${order('k')} limit ${limit}`;
  return `${pending}${keys}`;
}

type Order = (row: string) => string;
const orderOf = ({ direction }: EventWalk): Order => {
  const sortOrder = direction === 'older' ? 'desc' : 'asc';
  return (row) => `${row}.as_of ${sortOrder}, ${row}.id ${sortOrder}`;
};

interface PrintedWalk {
  walk: EventWalk;
  limit: string;
  bind: BindPostgres;
  columns: string;
}

function keysOfOne(branch: PlanBranch, { walk, limit, bind, columns }: PrintedWalk): string {
  const order = orderOf(walk);
  const bounds = boundsOf(branch, walk, bind);
  const { lead } = branch;
  if (lead.by === 'terms') return keysByTerms(branch, { lead, walk, bounds, limit, bind });
  const conditions = [
    'k.org_id = tenant.org',
    ...bounds,
    ...branch.tests.map((test) => conditionSql(test, 'k', bind, isInParts(branch))),
  ];
  const end = `order by ${order('k')} limit ${limit}`;
  if (lead.by === 'walk')
    return `select ${valuesOf(walk, columns)} from event k where ${conditions.join(' and ')} ${end}`;
  return `select ${keyColumns} from unnest(${bind(lead.values, `${sqlTypes[lead.column]}[]`)}) v(value) cross join lateral (
    select ${keyColumns} from event k where k.${lead.column} = v.value and ${conditions.join(' and ')} ${end}) k ${end}`;
}

const valuesOf = ({ value }: EventWalk, columns = keyColumns): string =>
  value === undefined ? columns : `${keyColumns}, k.${value} as value`;
const namesOf = ({ value }: EventWalk): string => (value === undefined ? keyColumns : `${keyColumns}, k.value`);

/**
 * Walks along the lists of the rarest terms. Each range of hours is intersected with the other lists and sorted when
 * the page reaches it. Pending events are added.
 */
function keysByTerms(
  branch: PlanBranch,
  {
    lead,
    walk,
    bounds,
    limit,
    bind,
  }: { lead: TermLead; walk: EventWalk; bounds: string[]; limit: string; bind: BindPostgres },
): string {
  const order = orderOf(walk);
  const sortOrder = walk.direction === 'older' ? 'desc' : 'asc';
  const [rarest = [], ...others] = lead.along;
  const end = `order by ${order('k')} limit ${limit}`;
  const tested = testedByKey(lead.beside ? [lead.beside, ...branch.tests] : branch.tests, {
    walk,
    bind,
    inParts: isInParts(branch),
  });
  const dense = denseWalkOf(branch, lead, walk);
  const printed = { branch, walk, dense, bind };
  const listed = lead.beside
    ? { keys: keysByColumn(lead, lead.beside, printed), conditions: [] }
    : { keys: `${listedKeys(lead, printed)} ${tested.row}`, conditions: tested.conditions };
  const place = isSingle(lead) && !dense ? `h.hour ${sortOrder}` : 'h.place';
  const alsoUnder = others.map((terms) => conditionSql({ is: 'terms', any: terms }, 'k', bind));
  const pending = `select distinct x.as_of, x.id from pend x where ${isOneOf('x.term', rarest, bind)}`;
  const found = walk.value === undefined ? keyColumns : `${keyColumns}, e.value`;
  return `select ${namesOf(walk)} from ((
      select ${namesOf(walk)} from ${listed.keys}
      where ${['true', ...bounds, ...listed.conditions].join(' and ')} order by ${place}, ${order('k')} limit ${limit}
    ) union (
      select ${found} from (${pending}) k ${tested.row}
      where ${['true', ...bounds, ...alsoUnder, ...tested.conditions].join(' and ')} ${end}
    )) k ${end}`;
}

/**
 * Tests of keys `k`. Tests of the row look it up per key, since the number of keys is unknown until the page is full.
 */
function testedByKey(
  tests: readonly StoreCondition[],
  { walk: { value }, bind, inParts }: { walk: EventWalk; bind: BindPostgres; inParts: boolean },
): { row: string; conditions: string[] } {
  const conditionsOf = (row: 'k' | 'e') => tests.map((test) => conditionSql(test, row, bind, inParts));
  if (tests.every(isKeyCondition)) return { row: '', conditions: conditionsOf('k') };
  const row = ['e.org_id = tenant.org', 'e.as_of = k.as_of', 'e.id = k.id', ...conditionsOf('e')].join(' and ');
  return {
    row: `cross join lateral (select ${value === undefined ? '' : `e.${value} as value`} from event e where ${row} offset 0) e`,
    conditions: [],
  };
}

interface ListWalk {
  branch: PlanBranch;
  walk: EventWalk;
  /** Set if the walk reads dense hours in parts. */
  dense: BoundDenseWalk | undefined;
  bind: BindPostgres;
}

/** Walks along the index of a column and intersects it with the lists of each range. */
function keysByColumn({ along }: TermLead, column: ColumnAtom, printed: ListWalk): string {
  const { branch, walk, dense, bind } = printed;
  const [rarest = []] = along;
  const conditions = [
    'k.org_id = tenant.org',
    conditionSql(column, 'k', bind),
    ...(dense
      ? inTimesOfRange
      : ['k.as_of >= to_timestamp(h.first * 3600.0)', 'k.as_of < to_timestamp((h.last + 1) * 3600.0)']),
    ...along.map((terms) => isListed(terms, printed)),
    ...branch.tests.map((test) => conditionSql(test, 'k', bind, isInParts(branch))),
  ];
  return `${rangesOf(rarest, printed)}
    cross join lateral (select ${valuesOf(walk)} from event k where ${conditions.join(' and ')} offset 0) k`;
}

const isOneOf = (column: string, terms: readonly number[], bind: BindPostgres) =>
  terms.length === 1 ? `${column} = ${bind(terms[0], 'bigint')}` : `${column} = any(${bind(terms, 'bigint[]')})`;

/** Whether the lead is a single term, whose lists are read in index order, by `h.hour`. */
const isSingle = ({ along: [terms, ...others], beside }: TermLead) =>
  !beside && terms?.length === 1 && others.length === 0;

/** Keys `k` of the events with one of each group of terms, with the position `h.place` of their range. */
function listedKeys(lead: TermLead, printed: ListWalk): string {
  const { branch, walk, dense, bind } = printed;
  const [rarest = [], ...others] = lead.along;
  if (isSingle(lead) && !dense) {
    const lists = listsOf(rarest, hoursOf(branch, walk, bind), bind);
    // Unnesting in the select list would lose the known order of the index.
    return `(select p.hour, ${listColumnSql('as_of')} as as_of, ${listColumnSql('id')} as id from ${lists}) h
      cross join lateral unnest(h.as_of, h.id) as k(as_of, id)`;
  }
  const unfolded = `unnest(${listColumnSql('as_of')}) as as_of, unnest(${listColumnSql('id')}) as id`;
  const once = rarest.length === 1 ? '' : 'distinct';
  // The lists of a part contain events of its surroundings.
  const inTime = dense ? inTimesOfRange : [];
  const also = ['true', ...inTime, ...others.map((terms) => isListed(terms, printed))].join(' and ');
  return `${rangesOf(rarest, printed)} cross join lateral (
      select ${once} k.as_of, k.id from (select ${unfolded} from ${listsInRange(rarest, printed)}) k
      where ${also} offset 0) k`;
}

const listsOf = (terms: readonly number[], hours: readonly string[], bind: BindPostgres) =>
  `posting_list p where ${['p.org_id = tenant.org', isOneOf('p.term', terms, bind), ...hours].join(' and ')}`;

const inHourRange = ['p.hour between h.first and h.last'];
const inTimesOfRange = ['k.as_of >= h.begins', 'k.as_of < h.ends'];

/** The lists `p` of a range `h`: those of whole hours, and those that overlap a part of an hour. */
function listsInRange(terms: readonly number[], { dense, bind }: ListWalk): string {
  if (!dense) return listsOf(terms, inHourRange, bind);
  const each = [
    inHourRange,
    ['p.hour = h.hour', 'p.part between h.low and h.high'],
    ['p.hour = h.hour', 'p.part = any(h.around)'],
  ];
  return `(${each.map((range) => `select p.* from ${listsOf(terms, range, bind)}`).join(' union all ')}) p`;
}

/** The walk through dense hours, once or for each slice. */
type BoundDenseWalk = readonly (DenseWalk | undefined)[];

/** Hours between the start of a walk and a dense hour behind it. */
const DENSE_DISTANCE = { single: 24, several: 720 };

/** Undefined if there is no dense hour near the start of the walk. */
function denseWalkOf({ dense, from, to }: PlanBranch, lead: TermLead, walk: EventWalk): BoundDenseWalk | undefined {
  if (!dense || dense.length === 0) return undefined;
  // The order of the index is lost for a single term, which is not worth it for a dense hour that most pages end before.
  const { direction } = walk;
  const distance = isSingle(lead) ? DENSE_DISTANCE.single : DENSE_DISTANCE.several;
  const cursor = walk.from && Date.parse(walk.from.asOf);
  const until = direction === 'older' && cursor !== undefined ? cursor + 1 : undefined;
  const since = direction === 'newer' ? cursor : undefined;
  const windows = walk.inSlice ?? [{ from: maxOf(from, since), to: minOf(to, until) }];
  const walks = windows.map((window) => rangesThroughDenseHours(dense, window, { direction, distance }));
  return walks.some(Boolean) ? walks : undefined;
}

const maxOf = (one: number | null, other: number | undefined) =>
  other === undefined ? one : Math.max(one ?? other, other);
const minOf = (one: number | null, other: number | undefined) =>
  other === undefined ? one : Math.min(one ?? other, other);

/** Tests of terms read parts of hours too if the organization has dense ones. */
const isInParts = ({ dense }: PlanBranch) => dense !== undefined && dense.length > 0;

/**
 * Ranges `h` in the order of `place`: those through dense hours, and behind them ranges of hours. A range has either hours from `first` to `last`, or
 * an `hour` with the numbers of its parts: from `low` to `high`, and `around`. All have times from `begins` to `ends`, excluded.
 */
function rangesOf(terms: readonly number[], printed: ListWalk): string {
  const { walk, dense, bind } = printed;
  if (!dense) return hourRangesOf(terms, printed);
  const flat = dense.flatMap((one, slice) => (one?.ranges ?? []).map((range) => ({ slice: slice + 1, range })));
  const { first, last, hour, low, high, around } = columnsOfRanges(flat.map(({ range }) => range));
  const ints = [flat.map(({ slice }) => slice), first, last, hour, low, high].map((column) => bind(column, 'int[]'));
  const columns = 'place, first, last, hour, low, high, around';
  return `(select ${columns},
      to_timestamp(coalesce(first, hour) * 3600.0 + coalesce((low - 1) / 2, 0)) as begins,
      to_timestamp(least((coalesce(last, hour) + 1) * 3600.0, hour * 3600.0 + (high + 1) / 2)) as ends
    from (
      select r.place, r.first, r.last, r.hour, r.low, r.high, r.around::int[] as around
      from unnest(${ints.join(', ')}, ${bind(around, 'text[]')}) with ordinality as r(slice, first, last, hour, low, high, around, place)
      where r.slice = ${walk.inSlice ? 'slice.place' : '1'}
      union all
      select ${bind(flat.length, 'int')} + h.place, h.first, h.last, null, null, null, null from ${hourRangesOf(terms, printed)}
    ) r order by place offset 0) h`;
}
const rangesPerSize = 4;
const maxDoublings = 7;

/**
 * Ranges of hours `h`, from `first` to `last`, ordered by `place` in the direction of the walk, between the ends of
 * these lists. The first four ranges have one hour, which suffices for frequent terms. Every four ranges the length
 * doubles, up to 128 hours, since sparse ranges cost more than their events. So the last range is at most a quarter of
 * all that was read.
 */
function hourRangesOf(terms: readonly number[], { branch, walk, dense, bind }: ListWalk): string {
  const beyond = dense ? [isBehind(dense, walk, bind)] : [];
  const hours = ['p.org_id = tenant.org', 'p.term = t.term', ...hoursOf(branch, walk, bind), ...beyond].join(' and ');
  const end = (sortOrder: string) => `(select l.hour from unnest(${bind(terms, 'bigint[]')}) as t(term)
    cross join lateral (select p.hour from posting_list p where ${hours} order by p.hour ${sortOrder} limit 1) l order by l.hour ${sortOrder} limit 1)`;
  const [near, far, sign] = walk.direction === 'older' ? ['desc', 'asc', '-'] : ['asc', 'desc', '+'];
  const doublings = `least(place / ${rangesPerSize}, ${maxDoublings})`;
  const size = `(1 << ${doublings})`;
  const behind = `(${rangesPerSize} * (${size} - 1) + (place - ${rangesPerSize} * ${doublings}) * ${size})`;
  const [first, last] = [`near ${sign} ${behind}`, `near ${sign} (${behind} + ${size} - 1)`];
  const enough = `abs(near - far) / ${2 ** maxDoublings} + ${rangesPerSize * maxDoublings}`;
  return `(select place, least(${first}, ${last}) as first, greatest(${first}, ${last}) as last
    from (select ${end(near)} as near, ${end(far)} as far offset 0) ends
    cross join lateral generate_series(0, ${enough}) as place order by place) h`;
}

/** SQL that tests whether the hour of a list is behind the dense ones. */
function isBehind(dense: BoundDenseWalk, { direction, inSlice }: EventWalk, bind: BindPostgres): string {
  const none = direction === 'older' ? MAX_INT : -1;
  const edges = dense.map((one) => one?.edge ?? none);
  const edge = inSlice ? `(${bind(edges, 'int[]')})[slice.place]` : bind(edges[0], 'int');
  return `p.hour ${direction === 'older' ? '<' : '>'} ${edge}`;
}

const MAX_INT = 2 ** 31 - 1;

/** `is true` prevents a join, which the planner would base on unknown sizes: the list is hashed once per range. */
const isListed = (terms: readonly number[], printed: ListWalk) =>
  `(k.id in (select unnest(${listColumnSql('id')}) from ${listsInRange(terms, printed)})) is true`;

/** The hours that can contain events of the page. */
function hoursOf({ from, to }: Pick<PlanBranch, 'from' | 'to'>, walk: EventWalk, bind: BindPostgres): string[] {
  const test = (operator: '<=' | '>=', time: number | null) =>
    time === null ? [] : [`p.hour ${operator} ${bind(Math.floor(time / 3_600_000), 'int')}`];
  const cursorTime = walk.from === undefined ? null : Date.parse(walk.from.asOf);
  const inSlice = walk.inSlice ? [`p.hour between ${hourSql('slice.begins')} and ${hourSql('slice.ends')}`] : [];
  return [
    ...inSlice,
    ...test('>=', from),
    ...test('<=', to),
    ...test(walk.direction === 'older' ? '<=' : '>=', cursorTime),
  ];
}

/** The start of the page in time, and the bounds of the branch. */
function boundsOf({ from, to }: Pick<PlanBranch, 'from' | 'to'>, walk: EventWalk, bind: BindPostgres): string[] {
  const cursor = walk.from;
  return [
    ...(cursor
      ? [
          `(k.as_of, k.id) ${walk.direction === 'older' ? '<' : '>'} (${bind(cursor.asOf, 'timestamptz')}, ${bind(cursor.id, 'uuid')})`,
        ]
      : []),
    ...(walk.inSlice ? ['k.as_of >= slice.begins', 'k.as_of < slice.ends'] : []),
    ...(from === null ? [] : [`k.as_of >= ${bind(timeOf(from), 'timestamptz')}`]),
    ...(to === null ? [] : [`k.as_of < ${bind(timeOf(to), 'timestamptz')}`]),
  ];
}

const timeOf = (time: number) => new Date(time).toISOString();
