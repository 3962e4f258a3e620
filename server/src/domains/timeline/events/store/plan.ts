import type { Atom, StoreColumn, StoreCondition } from './condition.ts';

/** One way of walking through events in their order: along `lead`, with everything else tested on what is met. */
export interface Branch {
  /** `walk`: along the table, by whichever index fits its tests. `each`: along an index once for every value. */
  lead: { by: 'walk' } | { by: 'each'; column: StoreColumn; values: readonly (string | number)[] } | TermLead;
  tests: readonly StoreCondition[];
  from: number | null;
  to: number | null;
}

/** Terms of which an event lies under one of each; met in stretches of hours, the rarest first. */
export interface TermLead {
  by: 'terms';
  along: readonly (readonly number[])[];
  /** What is met in each stretch in the place of the rarest: a column by whose index a stretch has few events. */
  beside?: ColumnAtom;
}

export type ColumnAtom = Atom & { is: 'column' };

/** How often an atom holds, as far as that was counted; what was not counted is frequent. */
export type AtomCounts = ReadonlyMap<Atom, number>;

/** From so many on something is frequent, however frequent it is. */
export const frequent = 1000;
const mostBranches = 8;

/**
 * How a condition without NOTs outside of atoms is walked. Several branches are alternatives, each with a lead of its own. A
 * rare lead beats alternatives: then everything else is looked at on the few events it leads to.
 */
export function branchesOf(condition: StoreCondition, counts: AtomCounts): Branch[] {
  const parts = condition.is === 'and' ? condition.of : [condition];
  const positive = parts.filter(isAtom);
  const rarest = Math.min(...leadsOf(positive).map((atom) => counts.get(atom) ?? frequent), Infinity);
  if (rarest >= frequent) {
    for (const part of parts) {
      if (part.is !== 'or' || part.of.length > mostBranches) continue;
      const rest = parts.filter((other) => other !== part);
      const split = part.of.map((one) => [...(one.is === 'and' ? one.of : [one]), ...rest]);
      // An alternative without a lead of its own would walk through everything, and the others were in vain.
      if (split.every((conjunction) => leadsOf(conjunction.filter(isAtom)).length > 0))
        return split.map((conjunction) => branchOf(conjunction, counts));
    }
  }
  return [branchOf(parts, counts)];
}

/** The atoms by which events can be found in their order. */
export const leadsOf = (atoms: readonly Atom[]): Atom[] =>
  atoms.filter((atom) => termsOf(atom) !== undefined || isIndexed(atom));

const indexed: readonly StoreColumn[] = ['kind', 'repo', 'actor', 'id'];
export const isIndexed = (atom: Atom): atom is ColumnAtom => atom.is === 'column' && indexed.includes(atom.column);

/** The terms that everything lies under for which this holds. */
export function termsOf(atom: Atom): readonly number[] | undefined {
  if (atom.is === 'terms') return atom.any;
  return atom.is === 'column' ? atom.terms : undefined;
}

export const isAtom = (condition: StoreCondition): condition is Atom =>
  condition.is !== 'and' &&
  condition.is !== 'or' &&
  condition.is !== 'not' &&
  condition.is !== 'all' &&
  condition.is !== 'none';

function branchOf(parts: readonly StoreCondition[], counts: AtomCounts): Branch {
  const times = parts.filter((part): part is Atom & { is: 'time' } => part.is === 'time');
  const tests: StoreCondition[] = parts.filter((part) => part.is !== 'time' && part.is !== 'all');
  const bounds = {
    from: times.reduce<number | null>((latest, { from }) => later(latest, from, Math.max), null),
    to: times.reduce<number | null>((earliest, { to }) => later(earliest, to, Math.min), null),
  };
  const atoms = tests.filter(isAtom);
  const byTerms = atoms.flatMap((atom) => {
    const terms = termsOf(atom);
    return terms === undefined ? [] : [{ atom, terms, count: counts.get(atom) ?? frequent }];
  });
  byTerms.sort((one, other) => one.count - other.count || one.terms.length - other.terms.length);
  const columns = atoms.filter(isIndexed);
  const rarestColumn = Math.min(...columns.map((atom) => counts.get(atom) ?? frequent), Infinity);
  const [rarest] = byTerms;
  // A pull request is found by its repository, where one is named.
  const hasOwnIndex = rarest?.atom.is === 'column' && rarest.atom.column === 'pr' && columns.some(isRepository);
  if (
    rarest &&
    !hasOwnIndex &&
    (rarest.count < rarestColumn || (rarest.count >= frequent && rarestColumn >= frequent))
  ) {
    const met = byTerms.filter(({ atom }) => atom.is === 'terms' || atom === rarest.atom);
    // A few events are looked up one by one; where there may be many, most of them would be looked up in vain.
    const beside = rarest.count < frequent ? undefined : columns.find(isNarrow);
    const listed = new Set<StoreCondition>([...met.map(({ atom }) => atom), ...(beside ? [beside] : [])]);
    return {
      lead: { by: 'terms', along: met.map(({ terms }) => terms), ...(beside && { beside }) },
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

const later = (one: number | null, other: number | null, of: (...values: number[]) => number) =>
  one === null ? other : other === null ? one : of(one, other);
const isRepository = ({ column, any }: { column: StoreColumn; any: readonly unknown[] }) =>
  column === 'repo' && any.length === 1;

const isNarrow = ({ column, any }: ColumnAtom) =>
  (column === 'repo' || column === 'actor') && any.length <= mostBranches;

/** The column whose several values are walked one by one; undefined where a single value leads better. */
function eachOf(columns: ColumnAtom[]) {
  const narrow = (column: StoreColumn) => column !== 'kind';
  if (columns.some(({ column, any }) => any.length === 1 && narrow(column))) return undefined;
  const several = columns
    .filter(({ any }) => any.length > 1)
    .sort((one, other) => Number(narrow(other.column)) - Number(narrow(one.column)));
  const [first] = several;
  return first && (narrow(first.column) || !columns.some(({ any }) => any.length === 1)) ? first : undefined;
}
