/** A condition on events, resolved to stored values. Times are milliseconds since 1970. */
export type StoreCondition =
  | ConditionAtom
  | { is: 'all' }
  | { is: 'none' }
  | { is: 'not'; of: StoreCondition }
  | { is: 'and' | 'or'; of: readonly StoreCondition[] };

export type ConditionAtom =
  /** The column has one of these values. `terms` are its index terms, for columns without their own index. */
  | { is: 'column'; column: StoreColumn; any: readonly (string | number)[]; terms?: readonly number[] }
  /** The column is not null. */
  | { is: 'present'; column: 'actor' | 'repo' | 'pr' }
  /** The pull request number is in a range, both ends included. */
  | { is: 'numbered'; from: number | null; to: number | null }
  /** The event occurred in a time range, the end excluded. */
  | { is: 'time'; from: number | null; to: number | null }
  /** The event occurred on one of these weekdays (0 is Monday) or hours of the day; `offset` is in minutes east of UTC. */
  | { is: 'clock'; unit: 'weekday' | 'hour'; any: readonly number[]; offset: number }
  /** The event was received more than five minutes after it occurred. */
  | { is: 'late' }
  /** The event is indexed by one of these terms. */
  | { is: 'terms'; any: readonly number[] }
  /** The shown text contains this text, in lower case. */
  | { is: 'shows'; text: string }
  /** The shown text matches this text with asterisks. ClickHouse answers it with this bit of the marks of a key. */
  | { is: 'part'; text: string; bit: number }
  /** The event contains a commit whose hash has this prefix. */
  | { is: 'sha'; prefix: string }
  /** The newest change record of its pull request has this state. */
  | { is: 'recorded'; as: 'unreviewed' | 'self-approved' | 'gap' }
  /** A push took its commit to a branch, and by the newest record of that no pull request did. */
  | { is: 'direct' }
  /** The share of added lines of its commit by agents is in a range, from 0 to 1; null for an open end. */
  | { is: 'share'; from: ShareBound | null; to: ShareBound | null };

export interface ShareBound {
  share: number;
  included: boolean;
}

export type StoreColumn = 'kind' | 'repo' | 'actor' | 'pr' | 'source' | 'id';

export const allEvents: StoreCondition = { is: 'all' };
export const noEvents: StoreCondition = { is: 'none' };
export const and = (...of: StoreCondition[]): StoreCondition => joined('and', of);
export const or = (...of: StoreCondition[]): StoreCondition => joined('or', of);
export const not = (of: StoreCondition): StoreCondition => normalizeCondition({ is: 'not', of });

/** Normalizes a condition: NOT only at atoms, no nested junctions of one kind, no `all` or `none` inside. */
export function normalizeCondition(condition: StoreCondition, negated = false): StoreCondition {
  switch (condition.is) {
    case 'all':
    case 'none':
      return (condition.is === 'all') === negated ? noEvents : allEvents;
    case 'not':
      return normalizeCondition(condition.of, !negated);
    case 'and':
    case 'or': {
      const flipped = condition.is === 'and' ? 'or' : 'and';
      return joined(
        negated ? flipped : condition.is,
        condition.of.map((part) => normalizeCondition(part, negated)),
      );
    }
    default:
      if ('any' in condition && condition.any.length === 0) return negated ? allEvents : noEvents;
      return negated ? { is: 'not', of: withDistinctValues(condition) } : withDistinctValues(condition);
  }
}

/** Removes repeated values, which would return events twice. */
function withDistinctValues(atom: ConditionAtom): ConditionAtom {
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
