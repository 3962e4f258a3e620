import type { ChangePerson } from '@sightline/contract/compliance/changes.ts';
import type { Actor } from '@sightline/evidence/controls/persons.ts';
import type { Tx } from '#database/database.ts';

/** Displays an actor of a record by the current name. */
export type ActorDisplay = (actor: Actor) => ChangePerson;

/** Loads the names of persons. Records contain opaque ids; an erased person has no name. */
export async function loadActorDisplay(tx: Tx, orgId: string, persons: readonly string[]): Promise<ActorDisplay> {
  const rows = await tx.query<{ id: string; name: string | null; picture: string | null; erased: boolean }>({
    name: 'changes.names',
    text: `select asked.id, p.erased_at is not null as erased, known.name, known.picture
           from unnest($2::uuid[]) as asked(id)
           join person was on was.org_id = $1 and was.id = asked.id
           join person p on p.org_id = $1 and p.id = coalesce(was.merged_into, was.id)
           left join lateral (
             select coalesce(i.display, i.value) as name, max(i.picture) over () as picture from identity i
             where i.org_id = $1 and i.person_id = p.id and i.kind <> 'account'
             order by i.display is null, i.kind = 'email' desc, i.value limit 1) known on true`,
    values: [orgId, [...new Set(persons)]],
  });
  const known = new Map(rows.map((row) => [row.id, row]));
  return (actor) => {
    const { kind, identity } = actor;
    if (actor.identity === 'unresolved') return { id: null, name: null, avatarUrl: null, kind, identity };
    const found = known.get(actor.person);
    if (!found || found.erased) return { id: actor.person, name: null, avatarUrl: null, kind, identity: 'erased' };
    return { id: actor.person, name: found.name, avatarUrl: found.picture, kind, identity };
  };
}
