import { providers } from '@sightline/contract/core/providers.ts';
import type { GroupField } from '@sightline/contract/timeline/event-charts.ts';
import type { Parameter } from '@sightline/contract/timeline/events.ts';
import { agentIdOf } from '#core/agents.ts';
import { parsedEventTexts } from '#core/event-text.ts';
import type { Services } from '#core/services.ts';
import { fieldValuesOf, isEventField, presenceTerm } from './fields.ts';
import type { EventField, NewEvent } from './new-event.ts';
import { listFieldValues } from './query-compiler/dictionary.ts';
import type { ResolvedQuery } from './resolved-query.ts';
import { readArchivedEvents } from './segments/lookup.ts';
import { readAllEventRows } from './segments/pages.ts';
import type { GroupCount, Grouping } from './store/groups.ts';
import { hashTerm } from './terms.ts';

/** How to group by a field, and how to read the groups. */
export interface GroupedField {
  grouping: Grouping;
  /** The value of a group; undefined for all events with any value. */
  valueOf: (group: string) => string | undefined;
  /** Whether all values are grouped. Of too many, only those of the newest events are. */
  isComplete: boolean;
}

const columns: Partial<Record<GroupField, 'kind' | 'actor' | 'repo' | 'source'>> = {
  kind: 'kind',
  actor: 'actor',
  repo: 'repo',
  source: 'source',
};

type Store = Pick<Services, 'database' | 'archiveStore'>;

const MAX_VALUES = 1000;
const MAX_READ_EVENTS = 500;

/** Finds the values that a field can have in the events of a query. */
export async function groupedFieldOf(services: Store, query: ResolvedQuery, field: GroupField): Promise<GroupedField> {
  const column = columns[field];
  if (column || !isEventField(field))
    return { grouping: { by: 'column', column: column ?? 'kind' }, valueOf: (group) => group, isComplete: true };
  const named = await listFieldValues(services.database, query.orgId, field, MAX_VALUES + 1);
  const isComplete = named.length <= MAX_VALUES;
  const values = isComplete ? named : await valuesOfNewest(services, query, field);
  const byTerm = new Map(values.map(({ value, term }) => [String(term), value]));
  return {
    grouping: { by: 'terms', terms: [presenceTerm(field), ...values.map(({ term }) => term)] },
    valueOf: (group) => byTerm.get(group),
    isComplete,
  };
}

async function valuesOfNewest(
  services: Store,
  query: ResolvedQuery,
  field: EventField,
): Promise<{ value: string; term: number }[]> {
  const walk = { from: undefined, direction: 'older', limit: MAX_READ_EVENTS } as const;
  const { rows } = await readAllEventRows(services, query, walk, ['detail']);
  const values = new Set(
    rows.flatMap(({ kind, source, summary, detail = '[]' }) => {
      const content = parsedEventTexts({ summary, detail });
      return [...(fieldValuesOf({ kind: kind as NewEvent['kind'], source, ...content }).get(field) ?? [])];
    }),
  );
  return Array.from(values, (value) => ({ value, term: hashTerm(`${field}\n${value}`) }));
}

/** The name of a group: its value in the query language, if any, and its label. */
export interface GroupLabel {
  value: string | null;
  label: string;
}

/**
 * The names of groups by value. Groups of the same person, tool or agent have the same name; others keep their value as
 * label. `examples` are events of each value.
 */
export async function labelsOfGroups(
  services: Store,
  orgId: string,
  field: GroupField,
  groups: readonly { value: string; example: string | undefined }[],
): Promise<ReadonlyMap<string, GroupLabel>> {
  const { database } = services;
  const values = groups.map(({ value }) => value);
  if (field === 'kind' || field === 'source') return new Map(values.map((value) => [value, { value, label: value }]));
  if (field === 'repo') return repositoryLabels(database, orgId, values);
  if (field === 'actor') return personLabels(database, orgId, values);
  const texts = await textsOfEvents(services, orgId, groups);
  return new Map(
    groups.map(({ value, example }) => {
      const shown = shownValueOf(value, texts.get(example ?? '') ?? []);
      // A tool is indexed by its ID and by its name.
      if (shown?.kind === 'tool') return [value, { value: shown.ident.toLowerCase(), label: shown.display }];
      if (field === 'agent') return [value, { value: agentIdOf(value), label: agentIdOf(value) }];
      if (field === 'cwe') return [value, { value, label: `CWE-${value}` }];
      return [value, { value, label: shown?.text ?? value }];
    }),
  );
}

/** The persons that these IDs were merged into, by ID; without those that were not merged. */
export async function mergedPersons(
  { database }: Store,
  orgId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await database.onceWithOrg<{ id: string; merged_into: string }>(orgId, {
    name: 'events.group-merged',
    text: ` select p.id, p.merged_into from tenant cross join lateral (
              select id, merged_into from person where org_id = tenant.org and merged_into is not null and id = any($2::uuid[]) offset 0) p`,
    values: [ids],
  });
  return new Map(rows.map((row) => [row.id, row.merged_into]));
}

async function repositoryLabels(
  database: Services['database'],
  orgId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, GroupLabel>> {
  const rows = await database.onceWithOrg<{ id: string; full_name: string }>(orgId, {
    name: 'events.group-repositories',
    text: ` select r.id, r.full_name from tenant cross join lateral (
              select id, full_name from repository where org_id = tenant.org and id = any($2::uuid[]) offset 0) r`,
    values: [ids],
  });
  const names = new Map(rows.map((row) => [row.id, row.full_name]));
  return new Map(ids.map((id) => [id, { value: names.get(id) ?? null, label: names.get(id) ?? 'Unknown repository' }]));
}

/** One handle per person, a login before an email address, with the display name. */
async function personLabels(
  database: Services['database'],
  orgId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, GroupLabel>> {
  const rows = await database.onceWithOrg<{ id: string; value: string | null; display: string | null }>(orgId, {
    name: 'events.group-persons',
    text: ` select r.id, r.value, r.display from tenant cross join lateral (
              select p.id, i.value, d.name as display
              from person p cross join lateral person_display(tenant.org, p.id) d left join lateral (
                select value from identity
                where org_id = tenant.org and person_id = coalesce(p.merged_into, p.id) and kind = any('{email,${providers.join(',')}}')
                order by kind = 'email', value limit 1) i on true
              where p.org_id = tenant.org and p.id = any($2::uuid[]) offset 0) r`,
    values: [ids],
  });
  const known = new Map(
    rows.map(({ id, value, display }) => [id, { value, label: display || value || 'Unknown person' }]),
  );
  return new Map(ids.map((id) => [id, known.get(id) ?? { value: null, label: 'Unknown person' }]));
}

async function textsOfEvents(
  services: Store,
  orgId: string,
  groups: readonly Pick<GroupCount, 'example'>[],
): Promise<ReadonlyMap<string, Parameter[]>> {
  const ids = groups.flatMap(({ example }) => example ?? []);
  const rows = await services.database.onceWithOrg<{ id: string; summary: string; detail: string }>(orgId, {
    name: 'events.group-texts',
    text: ` select e.id, e.summary, e.detail from tenant cross join lateral (
              select id, summary, detail from event where org_id = tenant.org and id = any($2::uuid[]) offset 0) e`,
    values: [ids],
  });
  const found = new Set(rows.map(({ id }) => id));
  const missing = ids.filter((id) => !found.has(id));
  if (missing.length > 0)
    rows.push(...(await readArchivedEvents(services, orgId, missing, ['id', 'summary', 'detail'])).values());
  return new Map(
    rows.map((row) => {
      const { summary, detail } = parsedEventTexts(row);
      return [row.id, [...summary.parameters, ...detail.map(({ parameter }) => parameter)]];
    }),
  );
}

/** The parameter that shows a value, with the text that equals it; values are stored in lower case. */
function shownValueOf(value: string, parameters: readonly Parameter[]): (Parameter & { text: string }) | undefined {
  for (const parameter of parameters) {
    const text = [parameter.ident, parameter.display].find((one) => one.toLowerCase() === value);
    if (text !== undefined && parameter.ident !== '') return { ...parameter, text };
  }
  return undefined;
}
