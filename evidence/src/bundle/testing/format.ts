import { readdirSync, readFileSync } from 'node:fs';
import { type Bytes, textOf } from '../../ledger/bytes.ts';
import { type CanonicalValue, isRecord } from '../../ledger/canonical.ts';
import { manifestPath, parseManifest } from '../manifest.ts';
import type { Archive } from '../zip-read.ts';

// Reads the tables of docs/format, and compares values with them.

const folder = new URL('../../../../docs/format/', import.meta.url);
export const formatPage = (name: string): string => readFileSync(new URL(name, folder), 'utf8');
const pages = readdirSync(folder).sort().map(formatPage);

/** A type of a table, such as `list of name or null`. */
type FormatType =
  | { readonly is: 'list' | 'map' | 'fact' | 'text'; readonly of: FormatType }
  | { readonly is: 'any of'; readonly each: readonly FormatType[] }
  | { readonly is: 'constant'; readonly value: CanonicalValue }
  | { readonly is: 'named'; readonly name: string; readonly data?: FormatType };

interface FormatField {
  readonly type: FormatType;
  readonly isOptional: boolean;
}

interface FormatObject {
  readonly isOpen: boolean;
  /** Names of the objects whose fields it has too. */
  readonly includes: readonly string[];
  readonly fields: ReadonlyMap<string, FormatField>;
}

export interface FormatFile {
  readonly path: string;
  readonly mediaType: string;
  readonly required: string;
  readonly type: string;
}

/** What a comparison found: the problems, and each field of a table that occurred, such as `Manifest.v`. */
export interface FormatFindings {
  readonly problems: readonly string[];
  readonly used: readonly string[];
}

const nothing: FormatFindings = { problems: [], used: [] };
const problem = (text: string): FormatFindings => ({ problems: [text], used: [] });
export const joinFindings = (all: readonly FormatFindings[]): FormatFindings => ({
  problems: all.flatMap(({ problems }) => problems),
  used: all.flatMap(({ used }) => used),
});

/** Returns the cells of all tables with this first line, each with the heading above. */
export function tablesOf(header: string): { readonly heading: string; readonly rows: readonly string[][] }[] {
  return pages.flatMap((page) => {
    const found: { heading: string; rows: string[][] }[] = [];
    let [heading, isInside] = ['', false];
    for (const line of page.split('\n')) {
      if (/^#+ /.test(line)) heading = line.replace(/^#+ /, '');
      if (line === header) found.push({ heading, rows: [] });
      isInside = line === header || (isInside && line.startsWith('|'));
      if (isInside && line !== header && !line.startsWith('|---')) found.at(-1)?.rows.push(cellsOf(line));
    }
    return found;
  });
}

const cellsOf = (line: string): string[] =>
  line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());

/** The texts in backticks. */
export const codesIn = (text: string): string[] => [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);

const included: Readonly<Record<string, string>> = { common: 'Common fields', branch: 'Branch fields' };

const objects = new Map(
  tablesOf('| Field | Type | Meaning |').map(({ heading, rows }): [string, FormatObject] => {
    const [, name = '', options = ''] = /^(.*?)(?: \((.*)\))?$/.exec(heading) ?? [];
    const listed = options === '' || options === 'open' ? [] : options.split(', ');
    return [
      name,
      {
        isOpen: options === 'open',
        includes: listed.map((one) => included[one] ?? `Row ${one}`),
        fields: new Map(rows.map(([field = '', type = '']) => [codesIn(field)[0] ?? '', fieldOf(type)])),
      },
    ];
  }),
);
const aliases = new Map(
  tablesOf('| Type | Definition |').flatMap(({ rows }) =>
    rows.map(([name = '', type = '']) => [codesIn(name)[0] ?? '', parseType(type)] as const),
  ),
);
const patterns = new Map(
  tablesOf('| Text type | Pattern | Meaning |').flatMap(({ rows }) =>
    rows.map(
      ([name = '', pattern = '']) => [codesIn(name)[0] ?? '', new RegExp(`^(?:${codesIn(pattern)[0]})$`)] as const,
    ),
  ),
);
const subjects = new Map(
  tablesOf('| Kind | Subject |').flatMap(({ rows }) =>
    rows.flatMap(([kinds = '', type = '']) => codesIn(kinds).map((kind) => [kind, parseType(type)] as const)),
  ),
);
/** The kinds of entries whose subjects are specified. */
export const formatKinds: readonly string[] = [...subjects.keys()];

export const formatFiles: readonly FormatFile[] = tablesOf('| File | Media type | Required | Type | Content |').flatMap(
  ({ rows }) =>
    rows.map(([path = '', mediaType = '', required = '', type = '']) => ({
      path: codesIn(path)[0] ?? '',
      mediaType: codesIn(mediaType)[0] ?? '',
      required,
      type,
    })),
);

/** Each field of each table, such as `Manifest.v`. */
export const formatFields: readonly string[] = [...objects].flatMap(([name, { fields }]) =>
  [...fields.keys()].map((field) => `${name}.${field}`),
);

function fieldOf(type: string): FormatField {
  const isOptional = type.startsWith('optional ');
  return { type: parseType(isOptional ? type.slice('optional '.length) : type), isOptional };
}

/** Parses a type: `or` binds least, then `list of`, `map of`, `fact of` and `text of`. */
export function parseType(text: string): FormatType {
  const tokens = text.match(/`[^`]*`|[()]|[^\s()`]+/g) ?? [];
  const any = (): FormatType => {
    const each = [unit()];
    while (tokens[0] === 'or') {
      tokens.shift();
      each.push(unit());
    }
    return each.length === 1 && each[0] ? each[0] : { is: 'any of', each };
  };
  const unit = (): FormatType => {
    const token = tokens.shift() ?? '';
    if (token === '(') {
      const inner = any();
      tokens.shift();
      return inner;
    }
    if (token.startsWith('`')) return { is: 'constant', value: JSON.parse(token.slice(1, -1)) as CanonicalValue };
    if (token === 'null') return { is: 'constant', value: null };
    if (tokens[0] !== 'of') return { is: 'named', name: token };
    tokens.shift();
    if (token === 'list' || token === 'map' || token === 'fact' || token === 'text') return { is: token, of: unit() };
    return { is: 'named', name: token, data: unit() };
  };
  const type = any();
  if (tokens.length > 0) throw new Error(`Not a type: ${text}`);
  return type;
}

/** Where a value is: its path, the control of a file, and the type of the data of an audit entry. */
interface ValueContext {
  readonly path: string;
  readonly control?: string;
  readonly data?: FormatType;
}

/** Compares a value with a type. */
export function compare(value: unknown, type: FormatType, context: ValueContext): FormatFindings {
  const within = (one: unknown, of: FormatType, key: string | number) =>
    compare(one, of, { ...context, path: `${context.path}.${key}` });
  switch (type.is) {
    case 'constant':
      return check(value === type.value, value, context);
    case 'any of': {
      const tried = type.each.map((one) => compare(value, one, context));
      return tried.find(({ problems }) => problems.length === 0) ?? tried[0] ?? nothing;
    }
    case 'text':
      return typeof value === 'string' ? within(JSON.parse(value), type.of, '') : check(false, value, context);
    case 'list':
      return Array.isArray(value)
        ? joinFindings(value.map((one, index) => within(one, type.of, index)))
        : check(false, value, context);
    case 'map':
      return isFields(value)
        ? joinFindings(Object.entries(value).map(([key, one]) => within(one, type.of, key)))
        : check(false, value, context);
    case 'fact':
      return compareFact(value, type.of, context);
    case 'named':
      return compareNamed(value, type, context);
  }
}

const check = (holds: boolean, value: unknown, { path }: ValueContext): FormatFindings =>
  holds ? nothing : problem(`${path} is ${JSON.stringify(value)?.slice(0, 200)}`);

type Fields = { readonly [key: string]: unknown };
const isFields = (value: unknown): value is Fields => isRecord((value ?? null) as CanonicalValue);

function compareFact(value: unknown, of: FormatType, context: ValueContext): FormatFindings {
  if (!isFields(value)) return check(false, value, context);
  const { state, ...rest } = value;
  const keys = Object.keys(rest).join();
  if (state === 'missing' && keys === '') return nothing;
  return (state === 'complete' || state === 'partial') && keys === 'value'
    ? compare(rest.value, of, { ...context, path: `${context.path}.value` })
    : problem(`${context.path} is no fact`);
}

const basicTypes: Readonly<Record<string, (value: unknown) => boolean>> = {
  JSON: () => true,
  count: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  boolean: (value) => typeof value === 'boolean',
};

function compareNamed(
  value: unknown,
  { name, data }: Extract<FormatType, { is: 'named' }>,
  context: ValueContext,
): FormatFindings {
  const pattern = patterns.get(name);
  if (pattern) return check(typeof value === 'string' && pattern.test(value), value, context);
  const isBasic = basicTypes[name];
  if (isBasic) return check(isBasic(value), value, context);
  const alias = name === 'AuditData' ? context.data : aliases.get(name);
  if (alias) return compare(value, alias, context);
  if (!isFields(value)) return check(false, value, context);
  return compareObject(value, name === 'Row' ? `Row ${context.control}` : name, data ? { ...context, data } : context);
}

function compareObject(value: Fields, name: string, context: ValueContext): FormatFindings {
  const fields = fieldsOf(name);
  const { isOpen } = objectOf(name);
  const missing = [...fields].filter(([field, { isOptional }]) => !isOptional && !(field in value));
  const compared = Object.entries(value).map(([field, one]) => {
    const known = fields.get(field);
    const path = `${context.path}.${field}`;
    if (!known) return isOpen ? nothing : problem(`${path} is not in the table ${name}`);
    const type = name === 'Entry' && field === 'subject' ? subjectOf(value) : known.type;
    return joinFindings([{ problems: [], used: [`${known.of}.${field}`] }, compare(one, type, { ...context, path })]);
  });
  return joinFindings([
    ...compared,
    ...missing.map(([field]) => problem(`${context.path}.${field} of the table ${name} is missing`)),
  ]);
}

const subjectOf = ({ kind }: Fields): FormatType =>
  subjects.get(String(kind)) ?? { is: 'map', of: { is: 'named', name: 'JSON' } };

function objectOf(name: string): FormatObject {
  const object = objects.get(name);
  if (!object) throw new Error(`docs/format has no table ${name}`);
  return object;
}

/** The fields of an object and of those that it includes, each with the name of its table. */
function fieldsOf(name: string): ReadonlyMap<string, FormatField & { readonly of: string }> {
  const { includes, fields } = objectOf(name);
  const own = [...fields].map(([field, one]) => [field, { ...one, of: name }] as const);
  return new Map([...includes.flatMap((one) => [...fieldsOf(one)]), ...own]);
}

/** Compares every file and field of a bundle. */
export function compareBundle({ paths, file }: Pick<Archive, 'paths' | 'file'>): FormatFindings {
  const manifest = parseManifest(file(manifestPath));
  const mediaTypes = new Map(manifest.files.map(({ path, mediaType }) => [path, mediaType]));
  const compared = paths.map((path) => {
    const known = formatFiles.find((one) => patternOf(one.path).test(path));
    if (!known) return problem(`${path} is not in the table of files`);
    const mediaType = mediaTypes.get(path) ?? known.mediaType;
    return joinFindings([
      { problems: [], used: [`file ${known.path}`] },
      mediaType === known.mediaType ? nothing : problem(`${path} has the media type ${mediaType}`),
      compareFile(path, known, file(path)),
    ]);
  });
  const missing = formatFiles
    .filter(({ required }) => required === 'always')
    .flatMap(({ path }) => (path.includes('ID') ? manifest.controls.map((id) => path.replace('ID', id)) : [path]))
    .filter((path) => !paths.includes(path));
  return joinFindings([...compared, ...missing.map((path) => problem(`${path} is missing`))]);
}

const patternOf = (path: string): RegExp =>
  new RegExp(
    `^${path
      .replaceAll('.', '\\.')
      .replace(/\bID\b/, '[A-Z]+-[0-9]{2}')
      .replace('UUID', '[0-9a-f-]{36}')}$`,
  );

function compareFile(path: string, { type }: FormatFile, content: Bytes): FormatFindings {
  if (type === 'bytes' || type === 'text') return nothing;
  const control = /[A-Z]+-[0-9]{2}/.exec(path)?.[0];
  const context = { path, ...(control !== undefined && { control }) };
  const text = textOf(content);
  if (!type.startsWith('lines of ')) return compare(JSON.parse(text), parseType(type), context);
  const of = parseType(type.slice('lines of '.length));
  const lines = text.split('\n').slice(0, -1);
  return joinFindings(
    lines.map((line, index) => compare(JSON.parse(line), of, { ...context, path: `${path}:${index + 1}` })),
  );
}
