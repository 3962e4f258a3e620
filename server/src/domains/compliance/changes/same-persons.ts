import type { Actor, SamePerson } from '@sightline/evidence/controls/persons.ts';
import { mailboxOf } from '#core/mailbox.ts';
import type { Tx } from '#database/database.ts';
import { confirmedAddressesOf } from '../../identity/accounts/queries.ts';
import { linkedPersonsIn } from '../../sources/contributors/queries.ts';
import { type ChangeParts, personsOf } from './parts.ts';

type SamePersons = ReadonlyMap<string, readonly SamePerson[]>;

/**
 * Marks the persons of a change who are linked by `.mailmap` or an Account Owner now, and removes earlier marks of links
 * that ended. Other changes are unchanged. Members whose accounts share a confirmed address are marked too; such a mark
 * of an earlier version remains, because an address can be removed afterwards.
 */
export async function markSamePersons(
  tx: Tx,
  orgId: string,
  { repositoryId, parts, earlier }: { repositoryId: string; parts: ChangeParts; earlier?: ChangeParts | undefined },
): Promise<ChangeParts> {
  const persons = personsOf(parts);
  const linked = await linkedPersonsIn(tx, orgId, repositoryId, persons);
  const same = combine(persons, linked, [
    ...(await sharedAddressesOf(tx, orgId, persons)),
    ...sharedAddressesIn(earlier),
  ]);
  const before = JSON.stringify(parts);
  if (same.size === 0 && !before.includes('"sameAs"')) return parts;
  return JSON.parse(before, (_, value: unknown) => (isActor(value) ? withSameAs(value, same) : value)) as ChangeParts;
}

type Pair = readonly [one: string, other: string];

/** The pairs of persons whose accounts have the same confirmed mailbox. */
async function sharedAddressesOf(tx: Tx, orgId: string, persons: readonly string[]): Promise<Pair[]> {
  const accounts = await tx.query<{ person: string; account: string }>({
    name: 'changes.personAccounts',
    text: `select person_id as person, value as account from identity
           where org_id = $1 and kind = 'account' and person_id = any($2::uuid[])`,
    values: [orgId, persons],
  });
  if (accounts.length < 2) return [];
  const personOf = new Map(accounts.map(({ account, person }) => [account, person]));
  const addresses = await confirmedAddressesOf(tx, [...personOf.keys()]);
  const byMailbox = Map.groupBy(addresses, ({ email }) => mailboxOf(email));
  return [...byMailbox.values()].flatMap((group) => {
    const owners = [...new Set(group.flatMap(({ accountId }) => personOf.get(accountId) ?? []))];
    return owners.flatMap((one) => owners.filter((other) => other !== one).map((other): Pair => [one, other]));
  });
}

/** The pairs that a version marked by an address. */
function sharedAddressesIn(parts: ChangeParts | undefined): Pair[] {
  if (!parts) return [];
  const pairs: Pair[] = [];
  JSON.parse(JSON.stringify(parts), (_, value: unknown) => {
    if (isActor(value) && value.identity !== 'unresolved') {
      for (const { person, by } of value.sameAs ?? []) if (by === 'address') pairs.push([value.person, person]);
    }
    return value;
  });
  return pairs;
}

/** The others of each person, sorted. A link by `.mailmap` or an Account Owner precedes an address. */
function combine(
  persons: readonly string[],
  linked: ReadonlyMap<string, readonly string[]>,
  shared: readonly Pair[],
): SamePersons {
  return new Map(
    persons.flatMap((person) => {
      const others = new Map<string, SamePerson>(
        shared
          .filter(([one, other]) => one === person && persons.includes(other))
          .map(([, other]) => [other, { person: other, by: 'address' }]),
      );
      for (const other of linked.get(person) ?? []) others.set(other, { person: other });
      const sorted = [...others.values()].sort((one, other) => (one.person < other.person ? -1 : 1));
      return sorted.length === 0 ? [] : [[person, sorted] as const];
    }),
  );
}

const isActor = (value: unknown): value is Actor => typeof value === 'object' && value !== null && 'identity' in value;

function withSameAs(actor: Actor, same: SamePersons): Actor {
  if (actor.identity === 'unresolved') return actor;
  const { sameAs: _, ...plain } = actor;
  const others = same.get(actor.person);
  return others ? { ...plain, sameAs: others } : plain;
}
