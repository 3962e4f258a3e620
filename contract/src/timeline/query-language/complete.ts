import { type Key, keyNames, maybeKey, qualifierDefinition } from './keys.ts';
import { quoteQueryValue } from './print.ts';

/** A suggestion that replaces the text from `start` to `end`. */
export interface Suggestion {
  /** The inserted text. */
  text: string;
  label: string;
  /** Its meaning in a few words. */
  description: string;
  /** Whether a value must follow a colon, so that the list remains open. */
  open: boolean;
}

export interface Completion {
  start: number;
  end: number;
  /** The qualifier of the value at the caret; undefined at a qualifier or word. */
  key: Key | undefined;
  /** The typed part. */
  typed: string;
  /** Whether a comparison operator precedes it. */
  isCompared: boolean;
}

/** Known values of a qualifier in addition to those of the language: repositories, logins, … */
export type KnownValues = (key: Key, typed: string) => readonly { value: string; label?: string }[];

/** Returns the completion at the caret: the text after the last space, bracket, comma or colon. */
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

const MAX_SUGGESTIONS = 12;

/** Returns the suggestions, most likely first. */
export function suggestCompletions({ key, typed, isCompared }: Completion, known: KnownValues): Suggestion[] {
  return (key ? values(key, typed, isCompared, known) : qualifiers(typed)).slice(0, MAX_SUGGESTIONS);
}

const qualifiers = (typed: string): Suggestion[] =>
  matchingItems(
    typed,
    keyNames.map((key) => ({ key, names: [key, ...qualifierDefinition(key).aliases] })),
    ({ names }) => names,
  ).map(({ key }) => ({
    text: `${key}:`,
    label: `${key}:`,
    description: qualifierDefinition(key).description,
    open: true,
  }));

function values(key: Key, typed: string, isCompared: boolean, known: KnownValues): Suggestion[] {
  const { type, values: words } = qualifierDefinition(key);
  const listed = type === 'share' && isCompared ? shares : (words ?? (type === 'date' ? dates : []));
  const offered = [...listed.map((value) => ({ value, label: value })), ...known(key, typed)];
  return matchingItems(typed, offered, ({ value, label = value }) => [value, label]).map(
    ({ value, label = value }) => ({
      text: /[\s()[\],"]/.test(value) ? quoteQueryValue(value) : value,
      label,
      description: '',
      open: false,
    }),
  );
}

const shares = ['0.25', '0.5', '0.75', '1'] as const;
const dates = ['today', 'yesterday', '-24h', '-7d', '-30d'] as const;

/** Returns items that begin with the typed text, then those that contain it; all items without typed text. */
function matchingItems<Item>(
  typed: string,
  items: readonly Item[],
  namesOf: (item: Item) => readonly string[],
): Item[] {
  const lower = typed.toLowerCase();
  const rank = (item: Item) => {
    const positions = namesOf(item).map((name) => name.toLowerCase().indexOf(lower));
    return positions.includes(0) ? 0 : positions.some((position) => position > 0) ? 1 : 2;
  };
  return items
    .map((item, index) => ({ item, index, rank: rank(item) }))
    .filter((each) => each.rank < 2)
    .sort((one, other) => one.rank - other.rank || one.index - other.index)
    .map(({ item }) => item);
}
