import type { Provider } from '@sightline/contract/core/providers.ts';
import type { Actor } from '@sightline/evidence/controls/persons.ts';
import { declaredAgentOf } from '#core/agents.ts';
import type { PersonClaim } from '#core/people.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { HostPerson, HostUser } from '../../../providers/host-facts.ts';

/** An account of a code host, or an author or committer in git. */
export type HostIdentity = HostUser | HostPerson;

/**
 * Resolves identities to actors, in their order. Actors have opaque ids and follow merged persons. An identity without
 * an account and an address stays unresolved. Stores whether the host reports a human or an agent.
 */
export async function resolveActors(
  services: Services,
  tx: Tx,
  orgId: string,
  { provider, named }: { provider: Provider; named: readonly HostIdentity[] },
): Promise<Actor[]> {
  const claims = named.map((one) => maybeClaim(one, provider));
  const known = claims.filter((claim) => claim !== undefined);
  const people = known.length === 0 ? [] : await services.people.resolve(tx, orgId, known);
  const personOf = new Map(known.map((claim, index) => [claim, people[index] ?? '']));
  await storeKinds(tx, orgId, {
    provider,
    named,
    personOf: (index) => {
      const claim = claims[index];
      return claim && personOf.get(claim);
    },
  });
  const statuses = await statusesOf(tx, orgId, known, people);
  return named.map((one, index) => {
    const claim = claims[index];
    const person = claim && personOf.get(claim);
    const status = person === undefined ? undefined : statuses.get(person);
    if (person === undefined || !status) return { kind: isProgram(one) ? 'agent' : 'unknown', identity: 'unresolved' };
    return { kind: kindOf(one, status), identity: identityOf(one, status, claim), person };
  });
}

/** Whether the code host itself names the account, instead of an address in a commit. */
const isNamedByHost = (one: HostIdentity): boolean => 'isAgent' in one || one.login !== null;

function kindOf(one: HostIdentity, { account, kind }: PersonStatus): 'agent' | 'human' | 'unknown' {
  if (isProgram(one)) return 'agent';
  return account || isNamedByHost(one) ? 'human' : (kind ?? 'unknown');
}

function identityOf(
  one: HostIdentity,
  { erased, account, guessed }: PersonStatus,
  claim: PersonClaim | undefined,
): 'erased' | 'guessed' | 'resolved' {
  if (erased) return 'erased';
  const isGuess = !isNamedByHost(one) && !account && guessed.has((claim?.names[0]?.value ?? '').toLowerCase());
  return isGuess ? 'guessed' : 'resolved';
}

/** Whether an identity is a program, according to the host, its name or its address. */
export function isProgram(one: HostIdentity): boolean {
  if ('isAgent' in one) return one.isAgent === true;
  return declaredAgentOf(one.login, `Co-authored-by: ${one.name} <${one.email}>`) !== null || one.login === 'web-flow';
}

// Placeholders of deleted accounts. On hosts with account ids, `former-user` with an id is an existing account.
const isDeletedAccount = (login: string, id: string | undefined): boolean =>
  login === 'ghost' || (login === 'former-user' && id === undefined);

function maybeClaim(one: HostIdentity, provider: Provider): PersonClaim | undefined {
  const { login, avatarUrl: picture } = one;
  const host =
    login === null || isDeletedAccount(login, one.id)
      ? []
      : [{ kind: provider, value: one.id ?? login, hostId: one.hostId } as const];
  const email = 'email' in one && one.email !== '' ? [{ kind: 'email', value: one.email } as const] : [];
  const names = [...host, ...email];
  if (names.length === 0) return undefined;
  return { names, display: 'name' in one ? one.name : one.login, picture, source: provider };
}

interface PersonStatus {
  erased: boolean;
  account: boolean;
  kind: 'human' | 'agent' | null;
  /** Addresses that are linked to the person only by inference. */
  guessed: ReadonlySet<string>;
}

async function statusesOf(
  tx: Tx,
  orgId: string,
  claims: readonly PersonClaim[],
  people: readonly string[],
): Promise<ReadonlyMap<string, PersonStatus>> {
  if (people.length === 0) return new Map();
  const rows = await tx.query<{
    id: string;
    erased: boolean;
    account: boolean;
    kind: PersonStatus['kind'];
    guessed: string[];
  }>({
    name: 'changes.standing',
    text: `select p.id, p.erased_at is not null as erased,
             exists (select from identity i where i.org_id = $1 and i.person_id = p.id and i.kind = 'account') as account,
             (select k.kind from person_kind k where k.org_id = $1 and k.person_id = p.id order by k.source = 'account' desc, k.kind limit 1) as kind,
             array(select i.value from identity i where i.org_id = $1 and i.person_id = p.id and i.kind = 'email'
               and i.confidence = 'inferred' and i.value = any($3::text[])) as guessed
           from person p where p.org_id = $1 and p.id = any($2::uuid[])`,
    values: [orgId, [...new Set(people)], claims.flatMap(({ names }) => names.map(({ value }) => value.toLowerCase()))],
  });
  return new Map(rows.map(({ id, guessed, ...row }) => [id, { ...row, guessed: new Set(guessed) }]));
}

async function storeKinds(
  tx: Tx,
  orgId: string,
  {
    provider,
    named,
    personOf,
  }: { provider: Provider; named: readonly HostIdentity[]; personOf: (index: number) => string | undefined },
): Promise<void> {
  const kinds = new Map<string, 'human' | 'agent'>();
  for (const [index, one] of named.entries()) {
    const person = personOf(index);
    if (person !== undefined && 'isAgent' in one) kinds.set(person, one.isAgent ? 'agent' : 'human');
  }
  if (kinds.size === 0) return;
  await tx.query({
    name: 'changes.kinds',
    text: `insert into person_kind (org_id, person_id, kind, source)
           select $1, k.person, k.kind, $4 from unnest($2::uuid[], $3::text[]) as k(person, kind) order by k.person
           on conflict do nothing`,
    values: [orgId, [...kinds.keys()], [...kinds.values()], provider],
  });
}
