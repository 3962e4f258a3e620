import type { ContextFilter } from '@sightline/contract/contexts.ts';
import { Invalid } from '#core/errors.ts';
import { idOf } from '#core/ids.ts';
import type { Database } from '#database/database.ts';
import { termOfThing, termsOf } from './words.ts';

/** What narrows the timeline, resolved to what the event table holds. An empty `any` list matches nothing. */
export interface Narrowing {
  kinds: Choice<string>[];
  repositories: Choice<string>[];
  actors: Choice<string>[];
  pullRequests: Choice<number>[];
  /** Ids of events. */
  events: Choice<string>[];
  after: string | undefined;
  before: string | undefined;
  /** The rarest first. */
  terms: number[];
}

interface Choice<Value> {
  any: Value[];
  /** True for `is-not` and `not-in`. */
  not: boolean;
}

/** Resolves filters by name to ids within the organisation, and words to terms. */
export async function narrow(
  database: Database,
  orgId: string,
  filters: readonly ContextFilter[],
  query: string,
): Promise<Narrowing> {
  const narrowing: Narrowing = {
    kinds: [],
    repositories: [],
    actors: [],
    pullRequests: [],
    events: [],
    after: undefined,
    before: undefined,
    terms: termsOf(query, 16),
  };
  for (const filter of filters) await add(database, orgId, narrowing, filter);
  for (const filter of filters)
    if (filter.within === 'file') narrowing.events.push(await touching(database, orgId, narrowing, filter));
  if (narrowing.terms.length > 1) narrowing.terms = await rarestFirst(database, orgId, narrowing.terms);
  return narrowing;
}

// Past this many lists a word counts as frequent, however frequent it is.
const frequent = 1000;

/** Each term once, those with the fewest lists first. */
async function rarestFirst(database: Database, orgId: string, terms: number[]): Promise<number[]> {
  const rows = await database.onceWithOrg<{ term: number }>(orgId, {
    name: 'events.rarest',
    text: ` select t.term from tenant cross join lateral (
              select w.term, (select count(*) from (
                select from posting_list where org_id = tenant.org and term = w.term limit $3) lists) as lists
              from unnest($2::bigint[]) as w(term) offset 0) t order by t.lists, t.term`,
    values: [[...new Set(terms)], frequent],
  });
  return rows.map((row) => row.term);
}

async function add(database: Database, orgId: string, narrowing: Narrowing, filter: ContextFilter): Promise<void> {
  const { within, field, predicate, arguments: values } = filter;
  if (within === 'file') return;
  const name = `${within}.${field}`;
  if (name === 'event.as_of') return addTime(narrowing, predicate, values[0] ?? '');
  if (name === 'event.words') {
    narrowing.terms.push(...values.flatMap((value) => termsOf(value, 16)));
    return;
  }
  if (name === 'tool.id') {
    if (predicate !== 'is') throw Invalid(name, `cannot be asked with ${predicate}`);
    narrowing.terms.push(...values.map((value) => termOfThing('tool', value)));
    return;
  }
  const not = predicate === 'is-not' || predicate === 'not-in';
  if (!not && predicate !== 'is' && predicate !== 'in') throw Invalid(name, `cannot be asked with ${predicate}`);
  if (name === 'event.kind') narrowing.kinds.push({ any: [...values], not });
  if (name === 'repository.fullName')
    narrowing.repositories.push({ any: await repositoriesNamed(database, orgId, values), not });
  if (name === 'repository.id') narrowing.repositories.push({ any: values.filter((value) => uuid.test(value)), not });
  if (name === 'pull_request.number') narrowing.pullRequests.push({ any: values.map(numberOf), not });
  if (within === 'user') narrowing.actors.push({ any: await personsNamed(database, orgId, field, values), not });
}

// So many of a repository's newest commits are looked through for a file, and so many shown.
const newestCommits = 10_000;
const mostTouching = 1000;

/** The events of commits that touched a file of the repositories asked for beside it. */
async function touching(
  database: Database,
  orgId: string,
  { repositories }: Narrowing,
  { predicate, arguments: paths }: ContextFilter,
): Promise<Choice<string>> {
  const [within] = repositories.filter(({ not }) => !not);
  if (!within) throw Invalid('file.path', 'needs a repository beside it');
  if (predicate !== 'is' && predicate !== 'in') throw Invalid('file.path', `cannot be asked with ${predicate}`);
  const rows = await database.onceWithOrg<{ repository_id: string; sha: string }>(orgId, {
    name: 'events.touching',
    text: ` select t.repository_id, t.sha from tenant cross join lateral (
              select c.repository_id, c.sha from unnest($2::uuid[]) as r(id) cross join lateral (
                select repository_id, sha, files, committed_at from commit
                where org_id = tenant.org and repository_id = r.id order by committed_at desc limit ${newestCommits}) c
              where c.files @> any($3::jsonb[])
              order by c.committed_at desc limit ${mostTouching} offset 0) t`,
    values: [within.any, paths.map((path) => JSON.stringify([{ path }]))],
  });
  return { any: rows.map((row) => idOf('commit', row.repository_id, row.sha)), not: false };
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

function numberOf(value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1 || number > 2_147_483_647)
    throw Invalid('pull_request.number', 'must be a positive number');
  return number;
}

function addTime(narrowing: Narrowing, predicate: string, value: string): void {
  const time = timeOf(value);
  if (time === undefined) throw Invalid('event.as_of', 'must be a time between 1970 and 2100');
  if (predicate === 'after') narrowing.after = time;
  else if (predicate === 'before') narrowing.before = time;
  else throw Invalid('event.as_of', `cannot be asked with ${predicate}`);
}

// Undefined for a time that no event can have: PostgreSQL would refuse the year 0000.
function timeOf(value: string): string | undefined {
  const time = Date.parse(value);
  return time >= 0 && time < Date.UTC(2101, 0, 1) ? new Date(time).toISOString() : undefined;
}

async function repositoriesNamed(database: Database, orgId: string, names: readonly string[]): Promise<string[]> {
  const rows = await database.onceWithOrg<{ id: string }>(orgId, {
    name: 'events.repositories',
    text: ` select r.id from tenant cross join lateral (
              select id from repository where org_id = tenant.org and lower(full_name) = any($2::text[]) offset 0) r`,
    values: [names.map((name) => name.toLowerCase())],
  });
  return rows.map((row) => row.id);
}

async function personsNamed(
  database: Database,
  orgId: string,
  field: string,
  values: readonly string[],
): Promise<string[]> {
  if (field === 'id') return values.filter((value) => uuid.test(value));
  const rows = await database.onceWithOrg<{ person_id: string }>(orgId, {
    name: 'events.persons',
    text: ` select i.person_id from tenant cross join lateral (
              select person_id from identity where org_id = tenant.org and value = any($2::text[])
              and (($3 = 'email') = (kind = 'email')) and kind <> 'account' offset 0) i`,
    values: [values.map((value) => value.toLowerCase()), field],
  });
  return rows.map((row) => row.person_id);
}
