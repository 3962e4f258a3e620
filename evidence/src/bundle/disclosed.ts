import { byCodeUnits } from '../controls/order.ts';
import type { Bytes } from '../ledger/bytes.ts';
import { canonicalJson } from '../ledger/canonical.ts';
import { commitmentOf, type Entry, openDisclosure } from '../ledger/entry.ts';
import { personOfAccountField } from './accounts.ts';
import { joinLines, parseCanonicalLines } from './lines.ts';
import { namedIdOf } from './names.ts';
import type { OpenedField } from './openings.ts';
import { repositoryKinds } from './repositories.ts';
import { hashOf } from './run-entry.ts';
import type { PersonDisclosures, PlacedDisclosure } from './scope.ts';

/** Path of the number and hash of the disclosures of each person. */
export const disclosedPath = 'ledger/disclosed.jsonl';

/** A disclosure that was opened with its entry. `person` is whose key protects it; null: the name of a repository. */
export interface OpenedDisclosure extends OpenedField {
  readonly person: string | null;
  readonly commitment: string;
}

/**
 * Opens a disclosure. An account or name is of the person or repository that its field names, every other field is of
 * the person of its entry. Throws for a disclosure of another entry, or of no person.
 */
export function openPlaced(
  entry: Pick<Entry, 'commitments' | 'kind' | 'person'> | undefined,
  { index, disclosure }: PlacedDisclosure,
): OpenedDisclosure {
  if (!entry) throw new Error(`A disclosure refers to the missing entry ${index}`);
  const { field, value } = openDisclosure(entry, disclosure);
  const isRepositoryName = namedIdOf(field) !== undefined && repositoryKinds.includes(entry.kind);
  const person = isRepositoryName ? null : (personOfAccountField(field) ?? namedIdOf(field) ?? entry.person);
  if (person === null && !isRepositoryName) throw new Error(`A disclosure of entry ${index} belongs to no person`);
  return { index, field, value, person, commitment: commitmentOf(disclosure) };
}

/** Whether it is personal data that the entry of a snapshot counts: not a name. */
export const isCounted = ({ field, person }: OpenedDisclosure): boolean =>
  person !== null && namedIdOf(field) === undefined;

/** Counts and hashes disclosures by person, in order. */
export const disclosuresByPerson = (disclosures: readonly OpenedDisclosure[]): PersonDisclosures[] =>
  [...Map.groupBy(disclosures.filter(isCounted), ({ person }) => person ?? '')]
    .toSorted(([one], [other]) => byCodeUnits(one, other))
    .map(([person, all]) => ({
      person,
      count: all.length,
      sha256: hashOf(
        all
          .map(({ index, commitment }) => [index, commitment] as const)
          .toSorted(([one, first], [other, second]) => one - other || byCodeUnits(first, second)),
      ),
    }));

/** Returns the persons whose disclosures are all those of the snapshot. */
export function completePersons(
  disclosures: readonly OpenedDisclosure[],
  snapshot: readonly PersonDisclosures[],
): ReadonlySet<string> {
  const recorded = new Set(snapshot.map(lineOf));
  const complete = disclosuresByPerson(disclosures).filter((one) => recorded.has(lineOf(one)));
  return new Set(complete.map(({ person }) => person));
}

const lineOf = ({ person, count, sha256 }: PersonDisclosures): string => canonicalJson({ person, count, sha256 });

export const disclosedFile = (disclosed: readonly PersonDisclosures[]): string => joinLines(disclosed.map(lineOf));

/** Parses that file. Throws for an invalid file, or persons that are not in order. */
export function parseDisclosed(bytes: Bytes): PersonDisclosures[] {
  const disclosed = parseCanonicalLines(disclosedPath, bytes, ['person', 'count', 'sha256']).map(
    ({ person, count, sha256 }) => {
      if (typeof person !== 'string' || typeof count !== 'number' || typeof sha256 !== 'string') {
        throw new Error(`${disclosedPath} contains an invalid number of disclosures`);
      }
      return { person, count, sha256 };
    },
  );
  if (
    disclosed.some(({ person }, index) => index > 0 && byCodeUnits(disclosed[index - 1]?.person ?? '', person) >= 0)
  ) {
    throw new Error(`The persons of ${disclosedPath} are not in order`);
  }
  return disclosed;
}
