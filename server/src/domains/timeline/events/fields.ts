import { severities } from '@sightline/contract/core/severities.ts';
import type { Parameter } from '@sightline/contract/timeline/events.ts';
import type { EventField, EventFieldValues, NewEvent } from './new-event.ts';
import { fieldNames } from './new-event.ts';
import { hashTerm } from './terms.ts';

export const isEventField = (name: string): name is EventField => (fieldNames as readonly string[]).includes(name);

/** A value of a field, in lower case. */
export type FieldValue = readonly [field: EventField, value: string];

type FieldSource = Pick<NewEvent, 'kind' | 'source' | 'summary' | 'detail'> & { fields?: EventFieldValues | undefined };

/** The distinct values of an event by field: from its sentence, its details and its own fields. */
export function fieldValuesOf({
  kind,
  source,
  summary,
  detail,
  fields,
}: FieldSource): ReadonlyMap<EventField, ReadonlySet<string>> {
  const found = new Map<EventField, Set<string>>();
  const values = [
    ...valuesOfSource(source),
    ...summary.parameters.flatMap(valuesOfParameter),
    ...detail.flatMap((one) => valuesOfDetail(kind, one)),
    ...valuesOfOwnFields(fields),
  ];
  for (const [field, value] of values) add(found, field, value);
  return found;
}

export const valuesOfSource = (source: string): FieldValue[] => [
  ...valued('source', source),
  ...(browsers.has(source) ? valued('browser', source) : []),
];

/** The field values of a parameter of a sentence. */
export function valuesOfParameter({ kind, ident, display }: Parameter): FieldValue[] {
  switch (kind) {
    case 'branch':
    case 'sha':
    case 'browser':
      return valued(kind, ident);
    case 'file':
      return valuesOfOwnFields({ file: [ident] });
    case 'website':
      return valued('site', ident);
    case 'tool':
      return [...valued('tool', ident), ...valued('tool', display)];
    default:
      return [];
  }
}

/** The field values of a detail of an event of this kind. */
export function valuesOfDetail(kind: NewEvent['kind'], { label, parameter }: NewEvent['detail'][number]): FieldValue[] {
  // The extension that sent the event is not part of the activity.
  if (label === 'Sent by') return [];
  const values = valuesOfParameter(parameter);
  if (label === 'Vendor') values.push(...valued('vendor', parameter.display));
  if (label === 'Language') values.push(...valued('lang', parameter.display));
  const severity = label.toLowerCase();
  if (kind === 'vulnerability' && isSeverity(severity) && Number(parameter.ident) > 0)
    values.push(...valued('severity', severity));
  return values;
}

/** The values of the event's own fields, with the extensions of files. */
export function valuesOfOwnFields(fields: EventFieldValues = {}): FieldValue[] {
  return (Object.entries(fields) as [EventField, readonly string[]][]).flatMap(([field, values]) =>
    values.flatMap((value) => [
      ...valued(field, value),
      ...(field === 'file' ? valued('ext', extensionOf(value)) : []),
    ]),
  );
}

const valued = (field: EventField, value: string): FieldValue[] =>
  value === '' ? [] : [[field, value.toLowerCase().slice(0, maxLength)]];

// The maximum length of a path in a commit; longer values are truncated.
const maxLength = 500;
const browsers: ReadonlySet<string> = new Set(['chrome', 'firefox', 'edge', 'brave', 'opera', 'safari']);
const isSeverity = (word: string) => (severities as readonly string[]).includes(word);

/** Separately given fields, in the format of `fieldsOf`. */
export const ownFieldValues = (fields: EventFieldValues): ReadonlyMap<EventField, ReadonlySet<string>> =>
  mergeFields(new Map(), fields);

/** Known values merged with more fields. */
export function mergeFields(
  known: ReadonlyMap<EventField, ReadonlySet<string>>,
  more: EventFieldValues,
): ReadonlyMap<EventField, ReadonlySet<string>> {
  const merged = new Map(Array.from(known, ([field, values]) => [field, new Set(values)]));
  for (const [field, value] of valuesOfOwnFields(more)) add(merged, field, value);
  return merged;
}

function add(found: Map<EventField, Set<string>>, field: EventField, value: string): void {
  const values = found.get(field);
  if (values) values.add(value);
  else found.set(field, new Set([value]));
}

/** The extension of a file name; dots in folder names do not count. */
function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot === -1 ? '' : name.slice(dot + 1);
}

/** The terms that index an event with these values. */
export const fieldTerms = (fields: ReadonlyMap<EventField, ReadonlySet<string>>): number[] => [
  ...new Set(
    [...fields].flatMap(([field, values]) => Array.from(values, (value) => termsOfValue([field, value])).flat()),
  ),
];

/** The terms of one value: its presence, the value, and the groups that contain it. */
export const termsOfValue = ([field, value]: FieldValue): number[] =>
  optionalFields.has(field) ? [presenceTerm(field), ...valueTerms(field, value)] : valueTerms(field, value);

// Every event has a source.
const optionalFields: ReadonlySet<EventField> = new Set(fieldNames.filter((field) => field !== 'source'));

/** The term of all events with a value of this field. */
export const presenceTerm = (field: string) => cachedTerm(`has\n${field}`);

function valueTerms(field: EventField, value: string): number[] {
  switch (field) {
    case 'sha':
      return [hashTerm(`sha\n${value.slice(0, 4)}`)];
    case 'site':
      return [value, ...parentsOf(value)].map((site) => cachedTerm(`site\n${site}`));
    case 'file':
      return [hashTerm(`file\n${value}`), ...foldersOf(value).map((folder) => cachedTerm(`folder\n${folder}`))];
    default:
      return [cachedTerm(`${field}\n${value}`)];
  }
}

/** `*.example.org` and `*.org` for `www.example.org`. */
const parentsOf = (site: string): string[] => {
  const labels = site.split('.');
  return labels.slice(1).map((_, index) => `*.${labels.slice(index + 1).join('.')}`);
};

const foldersOf = (path: string): string[] => {
  const names = path.split('/');
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'));
};

/** The single term for all values that match a pattern with asterisks; undefined if there is none. */
export function termOfPattern(field: EventField, pattern: string): number | undefined {
  const literal = (text: string) => text !== '' && !text.includes('*');
  if (field === 'site' && pattern.startsWith('*.') && literal(pattern.slice(2))) return hashTerm(`site\n${pattern}`);
  if (field !== 'file') return undefined;
  const folder = /^(.*[^*])\/\*+$/.exec(pattern)?.[1];
  if (folder !== undefined && literal(folder)) return hashTerm(`folder\n${folder}`);
  const extension = /^\*+\.([^*./]+)$/.exec(pattern)?.[1];
  return extension === undefined ? undefined : hashTerm(`ext\n${extension}`);
}

// Most values repeat, and a lookup is faster than a hash.
const terms = new Map<string, number>();
const maxCachedTerms = 20_000;

function cachedTerm(name: string): number {
  const known = terms.get(name);
  if (known !== undefined) return known;
  const term = hashTerm(name);
  if (terms.size >= maxCachedTerms) terms.clear();
  terms.set(name, term);
  return term;
}
