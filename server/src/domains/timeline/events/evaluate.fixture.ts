import type { EventKind } from '@sightline/contract/timeline/events.ts';
import type {
  FreeText,
  Node,
  Predicate,
  Qualifier,
  QualifierValue,
} from '@sightline/contract/timeline/query-language/ast.ts';
import { type Clock, dateRangeOf } from '@sightline/contract/timeline/query-language/dates.ts';
import { qualifierDefinition } from '@sightline/contract/timeline/query-language/keys.ts';
import { normalizeQuery } from '@sightline/contract/timeline/query-language/normalize-query.ts';
import { controls } from '@sightline/evidence/controls/control-list.ts';

/** An event of a test, with the value of each qualifier in plain form. */
export interface PlainEvent {
  id: string;
  at: number;
  receivedAt: number;
  kind: EventKind;
  actor: string | null;
  repo: string | null;
  pr: number | null;
  source: string;
  /** The values of other qualifiers. */
  fields: Readonly<Record<string, readonly string[]>>;
  /** Values of `is:` without another field: self-approved, gap and unreviewed (of merges), private, unread. */
  states: readonly string[];
  /** The share of the lines of its commit that agents wrote, from 0 to 1. */
  share: number | null;
  /** The texts with the words that it is indexed by. */
  texts: readonly string[];
  /** The texts that are searched for a phrase. */
  shown: readonly string[];
}

export interface QueryPeople {
  me: string;
  /** Logins and addresses in lower case, and display names, by person ID. */
  handles: ReadonlyMap<string, readonly string[]>;
  names: ReadonlyMap<string, readonly string[]>;
}

/** Whether an event matches a query: a second implementation of the language, without database and terms. */
export function matchesQuery(node: Node | null, event: PlainEvent, people: QueryPeople, clock: Clock): boolean {
  const is = (part: Node): boolean => {
    switch (part.kind) {
      case 'and':
        return part.of.every(is);
      case 'or':
        return part.of.some(is);
      case 'not':
        return !is(part.of);
      case 'text':
        return hasText(event, part.mode, part.text);
      case 'qualifier':
        return hasValue(event, part, { people, clock });
    }
  };
  return node === null || is(normalizeQuery(node));
}

const split = (text: string) =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

function hasText(event: PlainEvent, mode: FreeText['mode'], text: string): boolean {
  if (mode === 'part') return event.shown.some((one) => holdsPart(one.toLowerCase(), text.toLowerCase()));
  const words = new Set(event.texts.flatMap(split));
  const queried = split(text);
  if (mode === 'prefix') {
    const endsInWord = /[\p{L}\p{N}]$/u.test(text);
    const last = endsInWord ? queried.pop() : undefined;
    return (
      queried.every((word) => words.has(word)) && (last === undefined || [...words].some((one) => one.startsWith(last)))
    );
  }
  if (!queried.every((word) => words.has(word))) return false;
  if (mode === 'word' || (queried.length === 1 && queried[0] === text.toLowerCase())) return true;
  return event.shown.some((one) => one.toLowerCase().includes(text.toLowerCase()));
}

/** Asterisks match anything but a space. Without an asterisk, a word starts or ends there. */
function holdsPart(text: string, queried: string): boolean {
  const pieces = queried.split(/\*+/).map((piece) => piece.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
  const begins = pieces[0] === '' ? '' : '(?<![\\p{L}\\p{N}])';
  const ends = pieces.at(-1) === '' ? '' : '(?![\\p{L}\\p{N}])';
  return new RegExp(`${begins}${pieces.join('\\S*')}${ends}`, 'u').test(text);
}

type QualifierKey = Qualifier['key'];
type HasValue = (event: PlainEvent, qualifier: Qualifier, context: { people: QueryPeople; clock: Clock }) => boolean;

const hasValue: HasValue = (event, qualifier, context) =>
  (evaluators[qualifier.key] ?? hasField)(event, qualifier, context);

const hasField: HasValue = (event, { key, test }) => oneOf(test, event.fields[key] ?? []);

const isTime: HasValue = ({ at }, { key, test }, { clock }) =>
  isAt(at, key as 'after' | 'before' | 'on' | 'date', test, clock);

const isActor: HasValue = ({ actor }, { test }, { people }) =>
  actor !== null && (test.kind !== 'any' || test.values.some((value) => isPerson(actor, value, people)));

const hasSha: HasValue = ({ fields: { sha: known = [] } }, { test }) =>
  known.length > 0 &&
  (test.kind !== 'any' || test.values.some(({ text }) => known.some((sha) => sha.startsWith(text))));

const isInState: HasValue = (event, { test }) =>
  test.kind !== 'any' ||
  test.values.some(({ text }) => {
    if (text === 'late') return event.receivedAt - event.at > 300_000;
    const isMerge = event.fields.status?.includes('merged') ?? false;
    if (text === 'agent') return has(event, 'agent');
    if (text === 'merged') return isMerge;
    if (text === 'unreviewed' && has(event, 'review')) return false;
    return event.states.includes(text) && (isMerge || !['gap', 'unreviewed'].includes(text));
  });

const isOfControl: HasValue = (event, { test }) =>
  Object.entries(controls).some(
    ([id, { crosswalk }]) =>
      isEvaluatedBy(id, event) &&
      [id, ...Object.entries(crosswalk).flatMap(([of, all]) => all.map((one) => `${of}/${one}`))].some((name) =>
        oneOf(test, [name]),
      ),
  );

const isByAi: HasValue = ({ fields: { ai: known = [] }, share }, { test }) => {
  if (test.kind === 'exists') return known.length > 0;
  if (test.kind !== 'any') return share !== null && isNumber(share, test);
  return test.values.some(({ text }) =>
    text === 'any' ? known.length > 0 : text === 'none' ? known.length === 0 : known.includes(text),
  );
};

const hasCode: HasValue = ({ fields }, { key, test }) => {
  const codes = fields[key] ?? [];
  const numbers = codes.map((one) => numberOf(one, key));
  return oneOf(test, codes) || oneOf(bareOf(test, key), numbers);
};

const isSeverity: HasValue = ({ fields: { severity: known = [] } }, { test }) => {
  const order = qualifierDefinition('severity').values ?? [];
  const rank = ({ text }: QualifierValue) => -order.indexOf(text);
  const ranks = known.map((one) => -order.indexOf(one));
  if (test.kind === 'compare') return ranks.some((one) => compare(one, test.operator, rank(test.value)));
  if (test.kind !== 'range') return oneOf(test, known);
  const ends = [test.from ? rank(test.from) : -Infinity, test.to ? rank(test.to) : Infinity].sort((a, b) => a - b);
  return ranks.some((one) => one >= (ends[0] ?? 0) && one <= (ends[1] ?? 0));
};

/** The weekday (0 is Monday) and the hour in the time zone of the query. */
const isOnWeekday: HasValue = ({ at }, { test }, { clock }) =>
  test.kind !== 'any' ||
  test.values.some(({ text }) =>
    new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' })
      .format(at + clock.offset * 60_000)
      .toLowerCase()
      .startsWith(text),
  );

const isAtHour: HasValue = ({ at }, { test }, { clock }) => {
  const hour = new Date(at + clock.offset * 60_000).getUTCHours();
  if (test.kind !== 'range' || test.from === null || test.to === null) return isNumber(hour, test);
  const [from, to] = [Number(test.from.text), Number(test.to.text)];
  return from <= to ? isNumber(hour, test) : hour >= from || hour <= to;
};

const anyOf =
  (holds: (event: PlainEvent, text: string) => boolean): HasValue =>
  (event, { test }) =>
    test.kind !== 'any' || test.values.some(({ text }) => holds(event, text));

/** The qualifiers whose values are not a field of the same name. */
const evaluators: Partial<Record<QualifierKey, HasValue>> = {
  kind: ({ kind }, { test }) => oneOf(test, [kind]),
  actor: isActor,
  repo: ({ repo }, { test }) => repo !== null && oneOf(test, [repo]),
  pr: ({ pr }, { test }) => pr !== null && isNumber(pr, test),
  sha: hasSha,
  after: isTime,
  before: isTime,
  on: isTime,
  date: isTime,
  weekday: isOnWeekday,
  hour: isAtHour,
  has: anyOf(has),
  no: anyOf((event, text) => !has(event, text)),
  is: isInState,
  source: ({ source }, { test }) => oneOf(test, [source]),
  control: isOfControl,
  ai: isByAi,
  context: (event, qualifier, context) => qualifier.test.kind === 'exists' || hasField(event, qualifier, context),
  cwe: hasCode,
  cve: hasCode,
  ghsa: hasCode,
  severity: isSeverity,
};

/** Codes are equal with and without the prefix of their number. */
const numberOf = (code: string, key: string) =>
  code
    .toLowerCase()
    .replace(new RegExp(`^${key}-?`), '')
    .replace(/^0+(?=\d)/, '');
const bareOf = (test: Predicate, key: string): Predicate =>
  test.kind === 'any'
    ? { kind: 'any', values: test.values.map(({ text, ...wild }) => ({ text: numberOf(text, key), ...wild })) }
    : test;

/** Derived from the populations of the catalog. */
function isEvaluatedBy(control: string, { kind, fields }: PlainEvent): boolean {
  if (['CHG-01', 'CHG-03', 'CHG-05', 'CHG-06', 'SCN-01', 'AI-01'].includes(control))
    return fields.status?.includes('merged') ?? false;
  if (['CHG-02', 'COV-01'].includes(control)) return kind === 'commit';
  if (['SCN-02', 'VUL-01', 'VUL-02'].includes(control)) return kind === 'vulnerability';
  if (control === 'ACC-01') return kind === 'commit' || kind === 'pull_request';
  return { 'EXC-01': 'exception', 'TOL-01': 'tool', 'ACC-02': 'member' }[control] === kind;
}

function has(event: PlainEvent, part: string): boolean {
  return part === 'actor' || part === 'repo' || part === 'pr'
    ? event[part] !== null
    : (event.fields[part] ?? []).length > 0;
}

const oneOf = (test: Predicate, have: readonly string[]) =>
  test.kind === 'any' ? test.values.some((value) => have.some((one) => fits(one, value))) : have.length > 0;

function fits(have: string, { text, wild }: QualifierValue): boolean {
  const [one, queried] = [have.toLowerCase(), text.toLowerCase()];
  if (!wild) return one === queried;
  const parts = queried.split(/\*+/).map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[\\s\\S]*')}$`, 'u').test(one);
}

function isPerson(id: string, value: QualifierValue, { me, handles, names }: QueryPeople): boolean {
  if (!value.wild && value.text.toLowerCase() === '@me') return id === me;
  if ((handles.get(id) ?? []).some((handle) => fits(handle, value))) return true;
  // A name matches only if no handle matches.
  if (!value.wild && [...handles.values()].flat().includes(value.text.toLowerCase())) return false;
  return (names.get(id) ?? []).some((name) => fits(name, value));
}

function isNumber(number: number, test: Predicate): boolean {
  switch (test.kind) {
    case 'exists':
      return true;
    case 'any':
      return test.values.some(({ text }) => Number(text) === number);
    case 'compare':
      return compare(number, test.operator, Number(test.value.text));
    case 'range':
      return number >= Number(test.from?.text ?? -Infinity) && number <= Number(test.to?.text ?? Infinity);
  }
}

function compare(one: number, operator: string, other: number): boolean {
  if (operator === '>') return one > other;
  if (operator === '>=') return one >= other;
  return operator === '<' ? one < other : one <= other;
}

function isAt(at: number, key: 'after' | 'before' | 'on' | 'date', test: Predicate, clock: Clock): boolean {
  const rangeOf = ({ text }: QualifierValue) => dateRangeOf(text, clock);
  const isIn = ({ from, to }: { from: number; to: number }) => at >= from && (at < to || (from === to && at === from));
  switch (test.kind) {
    case 'exists':
      return true;
    case 'any':
      return test.values.some((value) => {
        if (key === 'after') return at >= rangeOf(value).from;
        return key === 'before' ? at < rangeOf(value).from : isIn(rangeOf(value));
      });
    case 'range':
      return (
        (test.from === null || at >= rangeOf(test.from).from) &&
        (test.to === null || at < rangeOf(test.to).to || at === rangeOf(test.to).from)
      );
    case 'compare': {
      const { from, to } = rangeOf(test.value);
      if (test.operator === '>') return from === to ? at > from : at >= to;
      if (test.operator === '>=') return at >= from;
      return test.operator === '<' ? at < from : at < to || at === from;
    }
  }
}
