import { byCodeUnits } from '../controls/order.ts';
import { csvOf } from './csv.ts';
import type { OpenedField } from './openings.ts';
import type { IndexedEntry } from './parsed-entries.ts';
import { repositoryIdsOf, repositoryKinds } from './repositories.ts';
import type { BundleScope } from './scope.ts';

const prefix = 'name ';

/**
 * The field under which an entry about a repository commits to its name, and the entry of a snapshot to the names of
 * persons.
 */
export const nameField = (id: string): string => prefix + id;

/** The repository or person that such a field names; undefined for every other field. */
export const namedIdOf = (field: string): string | undefined =>
  field.startsWith(prefix) ? field.slice(prefix.length) : undefined;

/** Names by ID, as far as they are disclosed. */
export interface Names {
  readonly repositories: ReadonlyMap<string, string>;
  readonly people: ReadonlyMap<string, string>;
}

/** Returns the disclosed names: of each repository that of the last entry about it, of each person that of the snapshot. */
export function namesIn(
  entries: readonly Pick<IndexedEntry, 'index' | 'kind'>[],
  opened: readonly OpenedField[],
  size: number,
): Names {
  const kinds = new Map(entries.map(({ index, kind }) => [index, kind]));
  const [repositories, people] = [new Map<string, string>(), new Map<string, string>()];
  for (const { index, field, value } of opened.toSorted((one, other) => one.index - other.index)) {
    const id = namedIdOf(field);
    const kind = kinds.get(index);
    if (id === undefined || kind === undefined || typeof value !== 'string') continue;
    if (!repositoryKinds.includes(kind)) people.set(id, value);
    else if (index < size) repositories.set(id, value);
  }
  return { repositories, people };
}

/** Path of the disclosed names as CSV. */
export const namesPath = 'csv/names.csv';

export const namesCsv = ({ repositories, people }: Names): string =>
  csvOf([['kind', 'id', 'name'], ...nameRows('repository', repositories), ...nameRows('person', people)]);

const nameRows = (kind: string, names: ReadonlyMap<string, string>) =>
  [...names].toSorted(([one], [other]) => byCodeUnits(one, other)).map(([id, name]) => [kind, id, name]);

/**
 * Throws unless exactly the names of the repositories in scope are disclosed that entries below the size are about, each
 * with its entry.
 */
export function requireRepositoryNames(
  entries: readonly IndexedEntry[],
  opened: readonly OpenedField[],
  size: number,
  { repositories }: Pick<BundleScope, 'repositories'>,
): void {
  const missing = new Set(
    entries
      .filter(({ index, kind }) => index < size && repositoryKinds.includes(kind))
      .flatMap((entry) =>
        repositoryIdsOf(entry)
          .filter((id) => repositories === null || repositories.includes(id))
          .map((id) => placeOf(entry.index, id)),
      ),
  );
  for (const { index, field, value } of opened) {
    const id = namedIdOf(field) ?? '';
    if (typeof value !== 'string') throw new Error(`The name that entry ${index} discloses is invalid`);
    if (!missing.delete(placeOf(index, id))) {
      throw new Error(`A disclosure of entry ${index} names a repository that the entry is not about`);
    }
  }
  const [first] = missing;
  if (first !== undefined) throw new Error(`A name of a repository is not disclosed: ${first}`);
}

const placeOf = (index: number, id: string): string => `${id} of entry ${index}`;

/** The name with the ID, or the ID alone if the name is not disclosed. */
export const nameAndId = (names: ReadonlyMap<string, string>, id: string): string => {
  const name = names.get(id);
  return name === undefined ? id : `${name} (${id})`;
};

const MAX_LINES = 50;

/** One line for each name, for display. */
export function nameLines({
  repositories,
  people,
}: {
  readonly repositories: readonly (readonly [id: string, name: string])[];
  readonly people: readonly (readonly [id: string, name: string])[];
}): string[] {
  const linesOf = (kind: string, names: readonly (readonly [id: string, name: string])[]) => [
    ...names.slice(0, MAX_LINES).map(([id, name]) => `${kind} ${id}: ${name}`),
    ...(names.length > MAX_LINES
      ? [`and ${names.length - MAX_LINES} more, see ${namesPath} or the disclosure key`]
      : []),
  ];
  return [...linesOf('Repository', repositories), ...linesOf('Person', people)];
}
