import { providers } from '@sightline/contract/core/providers.ts';
import type { QualifierValue } from '@sightline/contract/timeline/query-language/ast.ts';
import { Refusal } from '#core/errors.ts';
import type { Database } from '#database/database.ts';
import { likePatternOf } from '#database/page.ts';

const limit = 1000;

/** IDs of the repositories with one of these names, ignoring case. */
export async function repositoryIdsByName(
  database: Database,
  orgId: string,
  values: readonly QualifierValue[],
): Promise<string[]> {
  const { exact, patterns } = exactAndPatterns(values);
  const rows = await database.onceWithOrg<{ id: string }>(orgId, {
    name: patterns.length === 0 ? 'events.repositories' : 'events.repositories.like',
    text: ` select r.id from tenant cross join lateral (
              select id from repository where org_id = tenant.org and (lower(full_name) = any($2::text[])
              ${patterns.length === 0 ? '' : 'or lower(full_name) like any($3::text[])'}) limit ${limit + 1} offset 0) r`,
    values: patterns.length === 0 ? [exact] : [exact, patterns],
  });
  refuseTooMany(rows.length, 'repositories');
  return rows.map((row) => row.id);
}

/**
 * All IDs of the persons with one of these logins or email addresses, ignoring case; if there is none, of those with
 * this display name. An asterisk matches any part.
 */
export async function personIdsByName(
  database: Database,
  orgId: string,
  values: readonly QualifierValue[],
): Promise<string[]> {
  const { exact, patterns } = exactAndPatterns(values);
  const known = exact.length === 0 ? [] : await byHandle(database, orgId, exact);
  const found = new Set(known.map(({ value }) => value));
  const names = exact.filter((value) => !found.has(value));
  const others = names.length + patterns.length === 0 ? [] : await byName(database, orgId, names, patterns);
  refuseTooMany(others.length, 'persons');
  return withMergedPersonIds(database, orgId, [...new Set([...known, ...others].map((row) => row.person_id))]);
}

/** These persons with all IDs merged into them, since events store the ID at their time. */
export async function withMergedPersonIds(
  database: Database,
  orgId: string,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await database.onceWithOrg<{ id: string }>(orgId, {
    name: 'events.former',
    text: ` select f.id from tenant cross join lateral (
              select former.id from person former where former.org_id = tenant.org and former.merged_into in (
                select coalesce(p.merged_into, p.id) from person p where p.org_id = tenant.org and p.id = any($2::uuid[]))
              union
              select p.merged_into from person p
              where p.org_id = tenant.org and p.id = any($2::uuid[]) and p.merged_into is not null
              offset 0) f`,
    values: [ids],
  });
  return [...new Set([...ids, ...rows.map(({ id }) => id)])];
}

const byHandle = (database: Database, orgId: string, exact: readonly string[]) =>
  database.onceWithOrg<{ person_id: string; value: string }>(orgId, {
    name: 'events.handles',
    text: ` select i.person_id, i.value from tenant cross join lateral (
              select person_id, value from identity where org_id = tenant.org
              and kind = any('{email,${providers.join(',')}}') and value = any($2::text[]) offset 0) i`,
    values: [exact],
  });

const byName = (database: Database, orgId: string, names: readonly string[], patterns: readonly string[]) =>
  database.onceWithOrg<{ person_id: string }>(orgId, {
    name: 'events.names.persons',
    text: ` select i.person_id from tenant cross join lateral (
              select distinct person_id from identity where org_id = tenant.org and kind <> 'account'
              and (lower(display) = any($2::text[]) or value like any($3::text[]) or lower(display) like any($3::text[]))
              limit ${limit + 1} offset 0) i`,
    values: [names, patterns],
  });

function exactAndPatterns(values: readonly QualifierValue[]) {
  return {
    exact: values.filter(({ wild }) => !wild).map(({ text }) => text.toLowerCase()),
    patterns: values.filter(({ wild }) => wild).map(({ text }) => likePatternOf(text.toLowerCase())),
  };
}

function refuseTooMany(count: number, what: string): void {
  if (count > limit) throw new Refusal('query_too_complex', `More than ${limit} ${what} match. Use a longer name.`);
}
