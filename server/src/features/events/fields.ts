import type { Parameter } from '@sightline/contract/events.ts';
import { severities } from '@sightline/contract/severities.ts';
import type { NewEvent } from './commands.ts';
import { termOf } from './words.ts';

/** What a qualifier of a query can ask of an event beside its columns; each of them can have several values. */
export const fieldNames = [
  'branch',
  'sha',
  'file',
  'ext',
  'severity',
  'category',
  'status',
  'tool',
  'vendor',
  'site',
  'browser',
  'lang',
  'source',
] as const;
export type Field = (typeof fieldNames)[number];
export type Fields = Partial<Record<Field, readonly string[]>>;

export const isField = (name: string): name is Field => (fieldNames as readonly string[]).includes(name);

type Shown = Pick<NewEvent, 'kind' | 'source' | 'summary' | 'detail'> & { fields?: Fields | undefined };

/** The values of an event by field, each once: what its sentence and details name, and what it says of itself. */
export function fieldsOf(event: Shown): ReadonlyMap<Field, ReadonlySet<string>> {
  const known = read.get(event);
  if (known) return known;
  const found = readFields(event);
  read.set(event, found);
  return found;
}

// Asked for twice while an event is written: for its terms, and for new names.
const read = new WeakMap<Shown, ReadonlyMap<Field, ReadonlySet<string>>>();

function readFields({ kind, source, summary, detail, fields }: Shown): Map<Field, Set<string>> {
  const found = new Map<Field, Set<string>>();
  const say = (field: Field, value: string) => add(found, field, value);
  say('source', source);
  if (browsers.has(source)) say('browser', source);
  const named = (parameter: Parameter) => {
    switch (parameter.kind) {
      case 'branch':
      case 'sha':
        return say(parameter.kind, parameter.ident);
      case 'file':
        return addGiven(found, { file: [parameter.ident] });
      case 'website':
        return say('site', parameter.ident);
      case 'browser':
        return say('browser', parameter.ident);
      case 'tool':
        say('tool', parameter.ident);
        return say('tool', parameter.display);
      default:
    }
  };
  for (const parameter of summary.parameters) named(parameter);
  for (const { label, parameter } of detail) {
    // The program of an extension that sent it took no part in it.
    if (label === 'Sent by') continue;
    named(parameter);
    if (label === 'Vendor') say('vendor', parameter.display);
    if (label === 'Language') say('lang', parameter.display);
    const severity = label.toLowerCase();
    if (kind === 'vulnerability' && isSeverity(severity) && Number(parameter.ident) > 0) say('severity', severity);
  }
  if (fields) addGiven(found, fields);
  return found;
}

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
  addGiven(merged, more);
  return merged;
}

function addGiven(found: Map<Field, Set<string>>, fields: Fields): void {
  for (const [field, values] of Object.entries(fields) as [Field, readonly string[]][]) {
    for (const value of values) {
      add(found, field, value);
      if (field === 'file') add(found, 'ext', extensionOf(value));
    }
  }
}

function add(found: Map<Field, Set<string>>, field: Field, value: string): void {
  const lower = value.toLowerCase().slice(0, longest);
  if (lower === '') return;
  const values = found.get(field);
  if (values) values.add(lower);
  else found.set(field, new Set([lower]));
}

/** What stands behind the last dot of a file's name; a path's dots are none. */
function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot === -1 ? '' : name.slice(dot + 1);
}

/** The terms that an event with these values is listed under. */
export function fieldTerms(fields: ReadonlyMap<Field, ReadonlySet<string>>): number[] {
  const terms = new Set<number>();
  for (const [field, values] of fields) {
    if (hasParts.has(field)) terms.add(partTerm(field));
    for (const value of values) for (const term of valueTerms(field, value)) terms.add(term);
  }
  return [...terms];
}

// Every event has a source.
const hasParts: ReadonlySet<Field> = new Set(fieldNames.filter((field) => field !== 'source'));

/** The term of an event that has such a part at all. */
const partTerm = (field: string) => remembered(`has\n${field}`);

/** The terms of one value: itself, and what stands for many of its kind. */
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
