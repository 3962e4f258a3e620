import type { Actor, SamePerson } from '@sightline/evidence/controls/persons.ts';
import { mailboxOf } from '#core/mailbox.ts';
import type { Tx } from '#database/database.ts';
import { confirmedAddressesOf } from '../../identity/accounts/queries.ts';
import { linkedPersonsIn } from '../../sources/contributors/queries.ts';
import { browserProfilesOf } from '../../tools/presence/queries.ts';
import { editorDevicesOf } from '../../tools/tools/queries.ts';
import { sharedKeysOf } from './commit-keys.ts';
import { type ChangeParts, personsOf } from './parts.ts';

type SamePersons = ReadonlyMap<string, readonly SamePerson[]>;

/**
 * Marks the persons of a change who are linked by `.mailmap` or an Account Owner now, and removes earlier marks of links
 * that ended. Other changes are unchanged. Persons are marked too if their accounts share a confirmed address, an editor
 * or a browser, or if they signed commits with the same key; such a mark of an earlier version remains, because addresses
 * and devices can be removed afterwards.
 */
export async function markSamePersons(
  tx: Tx,
  orgId: string,
  { repositoryId, parts, earlier }: { repositoryId: string; parts: ChangeParts; earlier?: ChangeParts | undefined },
): Promise<ChangeParts> {
  const persons = personsOf(parts);
  const linked = await linkedPersonsIn(tx, orgId, repositoryId, persons);
  const same = combine(persons, linked, [...marksIn(earlier), ...(await sharedMarksOf(tx, orgId, persons))]);
  const before = JSON.stringify(parts);
  if (same.size === 0 && !before.includes('"sameAs"')) return parts;
  return JSON.parse(before, (_, value: unknown) => (isActor(value) ? withSameAs(value, same) : value)) as ChangeParts;
}

interface Mark {
  one: string;
  other: string;
  by: NonNullable<SamePerson['by']>;
}

/** The pairs of persons who share something that only one person has, the most certain kind last. */
async function sharedMarksOf(tx: Tx, orgId: string, persons: readonly string[]): Promise<Mark[]> {
  if (persons.length < 2) return [];
  const accounts = await tx.query<{ person: string; account: string }>({
    name: 'changes.personAccounts',
    text: `select person_id as person, value as account from identity
           where org_id = $1 and kind = 'account' and person_id = any($2::uuid[])`,
    values: [orgId, persons],
  });
  const personOf = new Map(accounts.map(({ account, person }) => [account, person]));
  const ids = [...personOf.keys()];
  const ownersOf = <Item>(items: readonly Item[], key: (item: Item) => string, person: (item: Item) => string) =>
    [...Map.groupBy(items, key).values()].map((group) => [...new Set(group.map(person))]);
  const profiles = await browserProfilesOf(tx, orgId, ids);
  const addresses = await confirmedAddressesOf(tx, ids);
  const account = ({ accountId }: { accountId: string }) => personOf.get(accountId) ?? '';
  const devices = await editorDevicesOf(tx, orgId, persons);
  return [
    ...pairs(
      'device',
      ownersOf(
        devices,
        ({ device }) => device,
        ({ person }) => person,
      ),
    ),
    ...pairs(
      'device',
      ownersOf(profiles, ({ profile }) => profile, account),
    ),
    ...pairs('key', await sharedKeysOf(tx, orgId, persons)),
    ...pairs(
      'address',
      ownersOf(addresses, ({ email }) => mailboxOf(email), account),
    ),
  ];
}

/** Every pair of each group, in both directions. */
const pairs = (by: Mark['by'], groups: readonly (readonly string[])[]): Mark[] =>
  groups.flatMap((group) =>
    group.flatMap((one) => group.filter((other) => other !== one).map((other) => ({ one, other, by }))),
  );

/** The pairs that a version marked by something that they share. */
function marksIn(parts: ChangeParts | undefined): Mark[] {
  if (!parts) return [];
  const marks: Mark[] = [];
  JSON.parse(JSON.stringify(parts), (_, value: unknown) => {
    if (isActor(value) && value.identity !== 'unresolved') {
      for (const { person, by } of value.sameAs ?? []) if (by) marks.push({ one: value.person, other: person, by });
    }
    return value;
  });
  return marks;
}

/** The others of each person, sorted. A link by `.mailmap` or an Account Owner precedes what they share. */
function combine(
  persons: readonly string[],
  linked: ReadonlyMap<string, readonly string[]>,
  shared: readonly Mark[],
): SamePersons {
  return new Map(
    persons.flatMap((person) => {
      const others = new Map<string, SamePerson>(
        shared
          .filter(({ one, other }) => one === person && persons.includes(other))
          .map(({ other, by }) => [other, { person: other, by }]),
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
