import { factsOf, type Key, keyNames, maybeKey } from './keys.ts';
import { quote } from './print.ts';

/** One thing that can be put in for what stands from `start` to `end`. */
export interface Suggestion {
  /** What is put in. */
  text: string;
  label: string;
  /** What it means, in a few words. */
  says: string;
  /** More has to follow: a value behind a colon. The list stays open. */
  open: boolean;
}

export interface Completion {
  start: number;
  end: number;
  /** The qualifier whose value is being written; undefined where a qualifier or a word is. */
  key: Key | undefined;
  /** What is there of it already. */
  typed: string;
  /** It is to be compared with: an operator stands before it. */
  isCompared: boolean;
}

/** Values that are known for a qualifier beside those of the language: repositories, logins, … */
export type KnownValues = (key: Key, typed: string) => readonly { value: string; label?: string }[];

/** What is being written where the caret stands: everything up to the last space, bracket, comma or colon before it. */
export function completionAt(text: string, caret: number): Completion {
  const before = text.slice(0, caret);
  const after = /^[^\s()[\],":]*/.exec(text.slice(caret))?.[0].length ?? 0;
  const [, head = '', typed = ''] =
    /((?:[A-Za-z][\w.]*:(?:[=<>]*)(?:\[?(?:[^\s()[\],"]*|"[^"]*"),\s*)*\[?)?)("[^"]*|[^\s()[\],"]*)$/.exec(before) ??
    [];
  const key = maybeKey(/^[A-Za-z][\w.]*/.exec(head)?.[0] ?? '');
  if (head === '' || !key) {
    const word = /[^\s()[\],"]*$/.exec(before)?.[0].replace(/^[-!]/, '') ?? '';
    return { start: caret - word.length, end: caret + after, key: undefined, typed: word, isCompared: false };
  }
  const isCompared = /[<>]=?$/.test(head);
  return { start: caret - typed.length, end: caret + after, key, typed: typed.replace(/^"/, ''), isCompared };
}

const most = 12;

/** What could stand there, the likeliest first. */
export function suggest({ key, typed, isCompared }: Completion, known: KnownValues): Suggestion[] {
  return (key ? values(key, typed, isCompared, known) : qualifiers(typed)).slice(0, most);
}

const qualifiers = (typed: string): Suggestion[] =>
  fitting(
    typed,
    keyNames.map((key) => ({ key, names: [key, ...factsOf(key).aliases] })),
    ({ names }) => names,
  ).map(({ key }) => ({ text: `${key}:`, label: `${key}:`, says: factsOf(key).says, open: true }));

function values(key: Key, typed: string, isCompared: boolean, known: KnownValues): Suggestion[] {
  const { type, values: words } = factsOf(key);
  const listed = type === 'share' && isCompared ? shares : (words ?? (type === 'date' ? dates : []));
  const offered = [...listed.map((value) => ({ value, label: value })), ...known(key, typed)];
  return fitting(typed, offered, ({ value, label = value }) => [value, label]).map(({ value, label = value }) => ({
    text: /[\s()[\],"]/.test(value) ? quote(value) : value,
    label,
    says: '',
    open: false,
  }));
}

const shares = ['0.25', '0.5', '0.75', '1'] as const;
const dates = ['today', 'yesterday', '-24h', '-7d', '-30d'] as const;

/** Those that begin with what is typed, then those that hold it; all while nothing is typed. */
function fitting<Item>(typed: string, items: readonly Item[], namesOf: (item: Item) => readonly string[]): Item[] {
  const lower = typed.toLowerCase();
  const rank = (item: Item) => {
    const places = namesOf(item).map((name) => name.toLowerCase().indexOf(lower));
    return places.includes(0) ? 0 : places.some((place) => place > 0) ? 1 : 2;
  };
  return items
    .map((item, place) => ({ item, place, rank: rank(item) }))
    .filter((each) => each.rank < 2)
    .sort((one, other) => one.rank - other.rank || one.place - other.place)
    .map(({ item }) => item);
}
