/** What an event must be, resolved to what the store holds. Times are milliseconds since 1970. */
export type StoreCondition =
  | Atom
  | { is: 'all' }
  | { is: 'none' }
  | { is: 'not'; of: StoreCondition }
  | { is: 'and' | 'or'; of: readonly StoreCondition[] };

export type Atom =
  /** Its column holds one of these. `terms` are those it is listed under, for columns without an index of their own. */
  | { is: 'column'; column: StoreColumn; any: readonly (string | number)[]; terms?: readonly number[] }
  /** Its column holds anything at all. */
  | { is: 'present'; column: 'actor' | 'repo' | 'pr' }
  /** Of a pull request with a number between two, both included. */
  | { is: 'numbered'; from: number | null; to: number | null }
  /** It happened from one moment on and before another. */
  | { is: 'time'; from: number | null; to: number | null }
  /** It reached us more than five minutes after it happened. */
  | { is: 'late' }
  /** It is listed under one of these. */
  | { is: 'terms'; any: readonly number[] }
  /** What it shows holds this text, in lower case. */
  | { is: 'shows'; text: string }
  /** What it shows holds this text with asterisks. The copy in ClickHouse tells, by this bit of a key's marks. */
  | { is: 'part'; text: string; bit: number }
  /** It names a commit whose sha begins so. */
  | { is: 'sha'; prefix: string }
  /** The newest record of the merge of its pull request says so. */
  | { is: 'recorded'; as: 'unreviewed' | 'self-approved' | 'gap' }
  /** Of the lines that its commit added, agents wrote a part between two, from 0 to 1; null for an open end. */
  | { is: 'share'; from: End | null; to: End | null };

export interface End {
  share: number;
  included: boolean;
}

export type StoreColumn = 'kind' | 'repo' | 'actor' | 'pr' | 'source' | 'id';

export const all: StoreCondition = { is: 'all' };
export const none: StoreCondition = { is: 'none' };
export const and = (...of: StoreCondition[]): StoreCondition => joined('and', of);
export const or = (...of: StoreCondition[]): StoreCondition => joined('or', of);
export const not = (of: StoreCondition): StoreCondition => normal({ is: 'not', of });

/** The same with every NOT at an atom, no junction in one of its own kind, and nothing in it that says all or nothing. */
export function normal(condition: StoreCondition, negated = false): StoreCondition {
  switch (condition.is) {
    case 'all':
    case 'none':
      return (condition.is === 'all') === negated ? none : all;
    case 'not':
      return normal(condition.of, !negated);
    case 'and':
    case 'or': {
      const flipped = condition.is === 'and' ? 'or' : 'and';
      return joined(
        negated ? flipped : condition.is,
        condition.of.map((part) => normal(part, negated)),
      );
    }
    default:
      if ('any' in condition && condition.any.length === 0) return negated ? all : none;
      return negated ? { is: 'not', of: once(condition) } : once(condition);
  }
}

/** Each of its values once: a value that is walked twice would find everything twice. */
function once(atom: Atom): Atom {
  if (atom.is === 'terms') return { ...atom, any: [...new Set(atom.any)] };
  return atom.is === 'column' ? { ...atom, any: [...new Set(atom.any)] } : atom;
}

function joined(is: 'and' | 'or', parts: readonly StoreCondition[]): StoreCondition {
  const [neutral, absorbing] = is === 'and' ? (['all', 'none'] as const) : (['none', 'all'] as const);
  const flat = parts.flatMap((part) => (part.is === is ? part.of : [part]));
  if (flat.some((part) => part.is === absorbing)) return { is: absorbing };
  const of = flat.filter((part) => part.is !== neutral);
  const [only] = of;
  if (only === undefined) return { is: neutral };
  return of.length === 1 ? only : { is, of };
}
