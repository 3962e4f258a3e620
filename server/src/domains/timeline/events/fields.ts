import { severities } from '@sightline/contract/core/severities.ts';
import type { Parameter } from '@sightline/contract/timeline/events.ts';
import type { Field, Fields, NewEvent } from './new-event.ts';
import { fieldNames } from './new-event.ts';
import { termOf } from './terms.ts';

export const isField = (name: string): name is Field => (fieldNames as readonly string[]).includes(name);

/** A value of a field, in lower case. */
export type FieldValue = readonly [field: Field, value: string];

type FieldSource = Pick<NewEvent, 'kind' | 'source' | 'summary' | 'detail'> & { fields?: Fields | undefined };

/** The values of an event by field, each once: what its sentence and details name, and what it says of itself. */
export function fieldsOf({
  kind,
  source,
  summary,
  detail,
  fields,
}: FieldSource): ReadonlyMap<Field, ReadonlySet<string>> {
  const found = new Map<Field, Set<string>>();
  const values = [
    ...valuesOfSource(source),
    ...summary.parameters.flatMap(valuesOfThing),
    ...detail.flatMap((one) => valuesOfDetail(kind, one)),
    ...valuesGiven(fields),
  ];
  for (const [field, value] of values) add(found, field, value);
  return found;
}

export const valuesOfSource = (source: string): FieldValue[] => [
  ...valued('source', source),
  ...(browsers.has(source) ? valued('browser', source) : []),
];

/** What a thing that a sentence names is found by. */
export function valuesOfThing({ kind, ident, display }: Parameter): FieldValue[] {
  switch (kind) {
    case 'branch':
    case 'sha':
    case 'browser':
      return valued(kind, ident);
    case 'file':
      return valuesGiven({ file: [ident] });
    case 'website':
      return valued('site', ident);
    case 'tool':
      return [...valued('tool', ident), ...valued('tool', display)];
    default:
      return [];
  }
}

/** The same of a detail of an event of this kind. */
export function valuesOfDetail(kind: NewEvent['kind'], { label, parameter }: NewEvent['detail'][number]): FieldValue[] {
  // The program of an extension that sent it took no part in it.
  if (label === 'Sent by') return [];
  const values = valuesOfThing(parameter);
  if (label === 'Vendor') values.push(...valued('vendor', parameter.display));
  if (label === 'Language') values.push(...valued('lang', parameter.display));
  const severity = label.toLowerCase();
  if (kind === 'vulnerability' && isSeverity(severity) && Number(parameter.ident) > 0)
    values.push(...valued('severity', severity));
  return values;
}

/** Values that an event says of itself; a file's ending among them. */
export function valuesGiven(fields: Fields = {}): FieldValue[] {
  return (Object.entries(fields) as [Field, readonly string[]][]).flatMap(([field, values]) =>
    values.flatMap((value) => [
      ...valued(field, value),
      ...(field === 'file' ? valued('ext', extensionOf(value)) : []),
    ]),
  );
}

const valued = (field: Field, value: string): FieldValue[] =>
  value === '' ? [] : [[field, value.toLowerCase().slice(0, longest)]];

// As long as a path in a commit may be; what is longer is found by its beginning.
const longest = 500;
const browsers: ReadonlySet<string> = new Set(['chrome', 'firefox', 'edge', 'brave', 'opera', 'safari']);
const isSeverity = (word: string) => (severities as readonly string[]).includes(word);

/** Fields that were given by themselves, in the form of `fieldsOf`. */
export const givenFields = (fields: Fields): ReadonlyMap<Field, ReadonlySet<string>> => mergedFields(new Map(), fields);

/** Values and further ones beside them. */
export function mergedFields(
  known: ReadonlyMap<Field, ReadonlySet<string>>,
  more: Fields,
): ReadonlyMap<Field, ReadonlySet<string>> {
  const merged = new Map(Array.from(known, ([field, values]) => [field, new Set(values)]));
  for (const [field, value] of valuesGiven(more)) add(merged, field, value);
  return merged;
}

function add(found: Map<Field, Set<string>>, field: Field, value: string): void {
  const values = found.get(field);
  if (values) values.add(value);
  else found.set(field, new Set([value]));
}

/** What stands behind the last dot of a file's name; a path's dots are none. */
function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot === -1 ? '' : name.slice(dot + 1);
}

/** The terms that an event with these values is listed under. */
export const fieldTerms = (fields: ReadonlyMap<Field, ReadonlySet<string>>): number[] => [
  ...new Set(
    [...fields].flatMap(([field, values]) => Array.from(values, (value) => termsOfValue([field, value])).flat()),
  ),
];

/** The terms of one value: that there is one, itself, and what stands for many of its kind. */
export const termsOfValue = ([field, value]: FieldValue): number[] =>
  hasParts.has(field) ? [partTerm(field), ...valueTerms(field, value)] : valueTerms(field, value);

// Every event has a source.
const hasParts: ReadonlySet<Field> = new Set(fieldNames.filter((field) => field !== 'source'));

/** The term of an event that has such a part at all. */
const partTerm = (field: string) => remembered(`has\n${field}`);

function valueTerms(field: Field, value: string): number[] {
  switch (field) {
    case 'sha':
      return [termOf(`sha\n${value.slice(0, 4)}`)];
    case 'site':
      return [value, ...parentsOf(value)].map((site) => remembered(`site\n${site}`));
    case 'file':
      return [termOf(`file\n${value}`), ...foldersOf(value).map((folder) => remembered(`folder\n${folder}`))];
    default:
      return [remembered(`${field}\n${value}`)];
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

/** The term under which all values lie that a pattern with asterisks stands for; undefined where there is none. */
export function termOfPattern(field: Field, pattern: string): number | undefined {
  const literal = (text: string) => text !== '' && !text.includes('*');
  if (field === 'site' && pattern.startsWith('*.') && literal(pattern.slice(2))) return termOf(`site\n${pattern}`);
  if (field !== 'file') return undefined;
  const folder = /^(.*[^*])\/\*+$/.exec(pattern)?.[1];
  if (folder !== undefined && literal(folder)) return termOf(`folder\n${folder}`);
  const extension = /^\*+\.([^*./]+)$/.exec(pattern)?.[1];
  return extension === undefined ? undefined : termOf(`ext\n${extension}`);
}

// Most values come again and again, and hashing one takes longer than finding it.
const terms = new Map<string, number>();
const mostRemembered = 20_000;

function remembered(name: string): number {
  const known = terms.get(name);
  if (known !== undefined) return known;
  const term = termOf(name);
  if (terms.size >= mostRemembered) terms.clear();
  terms.set(name, term);
  return term;
}
