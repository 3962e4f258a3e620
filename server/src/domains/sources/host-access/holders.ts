import type { HolderKind } from '@sightline/contract/sources/host-access.ts';
import { newId } from '#core/ids.ts';
import type { PersonClaim, PersonName } from '#core/people.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { HostAccessHolder } from '#providers/host-access.ts';
import type { HostUser } from '../../../providers/host-facts.ts';

export interface HolderRow extends Record<string, unknown> {
  id: string;
  kind: HolderKind;
  hostId: string;
  person: string | null;
}

/** Stores the current name and person of each holder, and returns their rows. */
export async function saveHolders(
  { people }: Services,
  tx: Tx,
  orgId: string,
  { provider, holders }: { provider: string; holders: readonly HostAccessHolder[] },
): Promise<HolderRow[]> {
  const owned = holders.flatMap((holder) => (holder.user ? [{ holder, user: holder.user }] : []));
  const persons = await people.resolve(
    tx,
    orgId,
    owned.map(({ user }) => claimOf(user, provider)),
  );
  const personOf = new Map(owned.map(({ holder }, index) => [holder, persons[index] ?? null]));
  const kinds = owned.map(({ user }, index) => [persons[index], user.isAgent ? 'agent' : 'human']);
  await tx.query({
    name: 'host-access.kinds',
    text: `insert into person_kind (org_id, person_id, kind, source)
           select distinct $1::uuid, k.person, k.kind, $4 from unnest($2::uuid[], $3::text[]) as k(person, kind) order by 2
           on conflict do nothing`,
    values: [orgId, kinds.map(([person]) => person), kinds.map(([, kind]) => kind), provider],
  });
  return tx.query<HolderRow>({
    name: 'host-access.keep-holders',
    text: `insert into access_holder as h (org_id, id, provider, kind, host_id, person_id, name)
           select $1, n.id, $2, n.kind, n.host_id, n.person, n.name
           from unnest($3::uuid[], $4::text[], $5::text[], $6::uuid[], $7::text[]) as n(id, kind, host_id, person, name)
           order by n.kind, n.host_id
           on conflict (org_id, provider, kind, host_id) do update set person_id = excluded.person_id, name = excluded.name
           returning h.id, h.kind, h.host_id as "hostId", h.person_id as person`,
    values: [
      ...[orgId, provider, holders.map(() => newId()), holders.map(({ kind }) => kind), holders.map(({ id }) => id)],
      holders.map((holder) => personOf.get(holder) ?? null),
      holders.map(({ name }) => name.slice(0, NAME_LENGTH)),
    ],
  });
}

const NAME_LENGTH = 300;

const claimOf = (user: HostUser, provider: string): PersonClaim => ({
  names: [{ kind: provider as PersonName['kind'], value: user.id ?? user.login, hostId: user.hostId }],
  display: user.login,
  picture: user.avatarUrl,
  source: provider,
});
