import type { ChangePerson } from '@sightline/contract/compliance/changes.ts';
import type { Actor } from '@sightline/evidence/controls/persons.ts';
import { findPersonDisplays } from '#core/person-displays.ts';
import type { Tx } from '#database/database.ts';

/** Displays an actor of a record by the current name. */
export type ActorDisplay = (actor: Actor) => ChangePerson;

/** Loads the names of persons. Records contain opaque ids; an erased person has no name. */
export async function loadActorDisplay(tx: Tx, orgId: string, persons: readonly string[]): Promise<ActorDisplay> {
  const known = await findPersonDisplays(tx, orgId, persons);
  return (actor) => {
    const { kind, identity } = actor;
    if (actor.identity === 'unresolved') return { id: null, name: null, avatarUrl: null, kind, identity };
    const found = known.get(actor.person);
    if (!found || found.erased) return { id: actor.person, name: null, avatarUrl: null, kind, identity: 'erased' };
    return { id: actor.person, name: found.name, avatarUrl: found.picture, kind, identity };
  };
}
