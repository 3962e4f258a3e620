import type { ConditionAtom, StoreColumn, StoreCondition } from './condition.ts';
import type { DenseHour } from './dense-hours.ts';

/** One walk through events in order: along `lead`, with all other conditions tested per event. */
export interface PlanBranch {
  /** `walk`: along the table, by any index that fits the tests. `each`: along an index once per value. */
  lead: { by: 'walk' } | { by: 'each'; column: StoreColumn; values: readonly (string | number)[] } | TermLead;
  tests: readonly StoreCondition[];
  from: number | null;
  to: number | null;
  /** The dense hours of the organization, for branches that read lists. */
  dense?: readonly DenseHour[];
}

/** Groups of terms; an event has one of each group. They are intersected per range of hours, the rarest first. */
export interface TermLead {
  by: 'terms';
  along: readonly (readonly number[])[];
  /** A column whose index replaces the rarest terms in each range, because it has few events there. */
  beside?: ColumnAtom;
}

export type ColumnAtom = ConditionAtom & { is: 'column' };

/**
 * The same walk of terms along the index of a column that is tested otherwise, for counts of all events of a range; undefined
 * if there is none. Pages would read too much: they end after few events.
 */
export function besideColumn(branch: PlanBranch): { branch: PlanBranch; column: ColumnAtom } | undefined {
  const { lead, tests } = branch;
  const column = lead.by === 'terms' && !lead.beside ? tests.filter(isAtom).find(isCounted) : undefined;
  if (lead.by !== 'terms' || !column) return undefined;
  return {
    column,
    branch: { ...branch, lead: { ...lead, beside: column }, tests: tests.filter((test) => test !== column) },
  };
}

/** The counted number of events per atom; atoms without count are frequent. */
export type AtomCounts = ReadonlyMap<ConditionAtom, number>;

/** From this number of events on, an atom is frequent. */
export const frequentCount = 1000;
const maxBranches = 8;

/**
 * Plans the walk of a condition with NOT only at atoms. Several branches are alternatives, each with its own lead. A
 * rare lead is better than alternatives: all other conditions are then tested on few events.
 */
export function planBranches(condition: StoreCondition, counts: AtomCounts): PlanBranch[] {
  const parts = condition.is === 'and' ? condition.of : [condition];
  const positive = parts.filter(isAtom);
  const rarest = Math.min(...possibleLeads(positive).map((atom) => counts.get(atom) ?? frequentCount), Infinity);
  if (rarest >= frequentCount) {
    for (const part of parts) {
      if (part.is !== 'or' || part.of.length > maxBranches) continue;
      const otherParts = parts.filter((other) => other !== part);
      const alternatives = part.of.map((one) => [...(one.is === 'and' ? one.of : [one]), ...otherParts]);
      // An alternative without its own lead would scan all events and make the others useless.
      if (alternatives.every((conjunction) => possibleLeads(conjunction.filter(isAtom)).length > 0))
        return alternatives.map((conjunction) => branchOf(conjunction, counts));
    }
  }
  return [branchOf(parts, counts)];
}

/** The atoms that events can be found by in order. */
export const possibleLeads = (atoms: readonly ConditionAtom[]): ConditionAtom[] =>
  atoms.filter((atom) => termsOfAtom(atom) !== undefined || isIndexed(atom));

const indexed: readonly StoreColumn[] = ['kind', 'repo', 'actor', 'id'];
export const isIndexed = (atom: ConditionAtom): atom is ColumnAtom =>
  atom.is === 'column' && indexed.includes(atom.column);

/** The terms that index all events of an atom; undefined if there are none. */
export function termsOfAtom(atom: ConditionAtom): readonly number[] | undefined {
  if (atom.is === 'terms') return atom.any;
  return atom.is === 'column' ? atom.terms : undefined;
}

export const isAtom = (condition: StoreCondition): condition is ConditionAtom =>
  condition.is !== 'and' &&
  condition.is !== 'or' &&
  condition.is !== 'not' &&
  condition.is !== 'all' &&
  condition.is !== 'none';

function branchOf(parts: readonly StoreCondition[], counts: AtomCounts): PlanBranch {
  const times = parts.filter((part): part is ConditionAtom & { is: 'time' } => part.is === 'time');
  const tests: StoreCondition[] = parts.filter((part) => part.is !== 'time' && part.is !== 'all');
  const bounds = {
    from: times.reduce<number | null>((latest, { from }) => narrower(latest, from, Math.max), null),
    to: times.reduce<number | null>((earliest, { to }) => narrower(earliest, to, Math.min), null),
  };
  const atoms = tests.filter(isAtom);
  const byTerms = atoms.flatMap((atom) => {
    const terms = termsOfAtom(atom);
    return terms === undefined ? [] : [{ atom, terms, count: counts.get(atom) ?? frequentCount }];
  });
  byTerms.sort((one, other) => one.count - other.count || one.terms.length - other.terms.length);
  const columns = atoms.filter(isIndexed);
  const rarestColumn = Math.min(...columns.map((atom) => counts.get(atom) ?? frequentCount), Infinity);
  const [rarest] = byTerms;
  // A pull request is found by its repository, if the query has one.
  const hasOwnIndex = rarest?.atom.is === 'column' && rarest.atom.column === 'pr' && columns.some(isRepository);
  if (
    rarest &&
    !hasOwnIndex &&
    (rarest.count < rarestColumn || (rarest.count >= frequentCount && rarestColumn >= frequentCount))
  ) {
    const intersected = byTerms.filter(({ atom }) => atom.is === 'terms' || atom === rarest.atom);
    // Few events are looked up one by one. With many, most lookups would be unnecessary.
    const beside = rarest.count < frequentCount ? undefined : columns.find(isNarrow);
    const listed = new Set<StoreCondition>([...intersected.map(({ atom }) => atom), ...(beside ? [beside] : [])]);
    return {
      lead: { by: 'terms', along: intersected.map(({ terms }) => terms), ...(beside && { beside }) },
      tests: tests.filter((test) => !listed.has(test)),
      ...bounds,
    };
  }
  const several = eachOf(columns);
  if (several) {
    return {
      lead: { by: 'each', column: several.column, values: several.any },
      tests: tests.filter((test) => test !== several),
      ...bounds,
    };
  }
  return { lead: { by: 'walk' }, tests, ...bounds };
}

const narrower = (one: number | null, other: number | null, of: (...values: number[]) => number) =>
  one === null ? other : other === null ? one : of(one, other);
const isRepository = ({ column, any }: { column: StoreColumn; any: readonly unknown[] }) =>
  column === 'repo' && any.length === 1;

// Hourly sums have their number.
const isCounted = (atom: ConditionAtom): atom is ColumnAtom => atom.is === 'column' && atom.column === 'kind';

const isNarrow = ({ column, any }: ColumnAtom) =>
  (column === 'repo' || column === 'actor') && any.length <= maxBranches;

/** The column whose several values are walked one by one; undefined if a single value is a better lead. */
function eachOf(columns: ColumnAtom[]) {
  const narrow = (column: StoreColumn) => column !== 'kind';
  if (columns.some(({ column, any }) => any.length === 1 && narrow(column))) return undefined;
  const several = columns
    .filter(({ any }) => any.length > 1)
    .sort((one, other) => Number(narrow(other.column)) - Number(narrow(one.column)));
  const [first] = several;
  return first && (narrow(first.column) || !columns.some(({ any }) => any.length === 1)) ? first : undefined;
}
