import { byCodeUnits } from '../controls/order.ts';
import { canonicalJson, isRecord } from '../ledger/canonical.ts';
import { isChangeInScope, latestChangesIn } from './change-entries.ts';
import type { OpenedField, PersonAccounts } from './openings.ts';
import type { BundleScope } from './scope.ts';
import type { LeafEntry } from './verification-state.ts';

const prefix = 'account ';

/** The field under which the entry of a change commits to the account of a person, with the key of that person. */
export const accountField = (person: string): string => prefix + person;

/** The person that such a field names; undefined for every other field. */
export const personOfAccountField = (field: string): string | undefined =>
  field.startsWith(prefix) ? field.slice(prefix.length) : undefined;

/**
 * Returns the disclosed accounts of persons in the changes of a bundle, in order. Persons who are withheld, erased or
 * without an account on a code host are absent.
 */
export function accountsIn(
  entries: Iterable<Pick<LeafEntry, 'index' | 'kind' | 'subject'>>,
  disclosed: readonly OpenedField[],
  size: number,
  scope: Pick<BundleScope, 'period' | 'repositories'>,
): PersonAccounts[] {
  const hosts = new Map<number, string>();
  for (const { leaf, subject } of latestChangesIn(entries, size).filter((change) =>
    isChangeInScope(change.subject, scope),
  )) {
    const { origin = null } = subject;
    if (isRecord(origin) && typeof origin.host === 'string') hosts.set(leaf, origin.host);
  }
  const people = new Map<string, Set<string>>();
  for (const { index, field, value } of disclosed) {
    const host = hosts.get(index);
    const person = personOfAccountField(field);
    if (host === undefined || person === undefined) continue;
    if (typeof value !== 'string') throw new Error(`The account that entry ${index} discloses is invalid`);
    const accounts = people.get(person) ?? new Set();
    people.set(person, accounts.add(canonicalJson({ host, id: value })));
  }
  return [...people.entries()]
    .toSorted(([one], [other]) => byCodeUnits(one, other))
    .map(([person, accounts]) => ({
      person,
      accounts: [...accounts].toSorted(byCodeUnits).map((one) => JSON.parse(one) as { host: string; id: string }),
    }));
}

const mostShown = 50;

/** One line per person, for display. */
export function accountLines(people: readonly PersonAccounts[]): string[] {
  const lines = people
    .slice(0, mostShown)
    .map(
      ({ person, accounts }) =>
        `Person ${person}: ${accounts.map(({ host, id }) => `account ${id} on ${host}`).join(', ')}`,
    );
  return people.length > mostShown
    ? [...lines, `and ${people.length - mostShown} more people, see the manifest`]
    : lines;
}
