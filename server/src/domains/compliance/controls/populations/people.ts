import type { Actor } from '@sightline/evidence/controls/persons.ts';
import type { Tx } from '#database/database.ts';

const unresolvedHuman: Actor = { kind: 'human', identity: 'unresolved' };

/** Returns the humans of accounts. */
export async function humanReader(
  tx: Tx,
  orgId: string,
  accounts: readonly string[],
): Promise<(account: string) => Actor> {
  const rows = await tx.query<{ account: string; person: string; erased: boolean }>({
    name: 'population.humans',
    text: `select i.value as account, p.id as person, p.erased_at is not null as erased
           from identity i join person p on p.org_id = i.org_id and p.id = i.person_id
           where i.org_id = $1 and i.kind = 'account' and i.value = any($2::text[])`,
    values: [orgId, [...new Set(accounts)]],
  });
  const humans = new Map(
    rows.map(({ account, person, erased }): [string, Actor] => [
      account,
      { kind: 'human', identity: erased ? 'erased' : 'resolved', person },
    ]),
  );
  return (account) => humans.get(account) ?? unresolvedHuman;
}

interface PersonAccounts {
  person: Actor;
  accounts: readonly string[];
}

/**
 * Resolves persons with their accounts. A person with an account is human; otherwise the host decides. An identity with
 * only an inferred address is guessed.
 */
export async function personReader(
  tx: Tx,
  orgId: string,
  persons: readonly string[],
): Promise<(person: string) => PersonAccounts> {
  const rows = await tx.query<{
    id: string;
    erased: boolean;
    kind: 'human' | 'agent' | null;
    guessed: boolean | null;
    accounts: string[];
  }>({
    name: 'population.standing',
    text: `select p.id, p.erased_at is not null as erased,
             (select k.kind from person_kind k where k.org_id = $1 and k.person_id = p.id order by k.source = 'account' desc, k.kind limit 1) as kind,
             (select bool_and(i.confidence = 'inferred' or i.value like '%@unknown') from identity i
              where i.org_id = $1 and i.person_id = p.id) as guessed,
             array(select i.value from identity i where i.org_id = $1 and i.person_id = p.id and i.kind = 'account' order by i.value) as accounts
           from person p where p.org_id = $1 and p.id = any($2::uuid[])`,
    values: [orgId, [...new Set(persons)]],
  });
  const byId = new Map(
    rows.map(({ id, erased, kind, guessed, accounts }): [string, PersonAccounts] => {
      const identity = erased ? 'erased' : guessed ? 'guessed' : 'resolved';
      const isHuman = accounts.length > 0 || erased;
      return [id, { person: { kind: isHuman ? 'human' : (kind ?? 'unknown'), identity, person: id }, accounts }];
    }),
  );
  return (person) => byId.get(person) ?? { person: { kind: 'unknown', identity: 'unresolved' }, accounts: [] };
}
