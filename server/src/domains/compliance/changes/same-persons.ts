import type { Actor } from '@sightline/evidence/controls/persons.ts';
import type { Tx } from '#database/database.ts';
import { linkedPersonsIn } from '../../sources/contributors/queries.ts';
import { type ChangeParts, personsOf } from './parts.ts';

/**
 * Marks the persons of a change who are linked by `.mailmap` or an Account Owner now, and removes earlier marks. Other
 * changes are unchanged.
 */
export async function markSamePersons(
  tx: Tx,
  orgId: string,
  repositoryId: string,
  parts: ChangeParts,
): Promise<ChangeParts> {
  const same = await linkedPersonsIn(tx, orgId, repositoryId, personsOf(parts));
  const before = JSON.stringify(parts);
  if (same.size === 0 && !before.includes('"sameAs"')) return parts;
  return JSON.parse(before, (_, value: unknown) => (isActor(value) ? withSameAs(value, same) : value)) as ChangeParts;
}

const isActor = (value: unknown): value is Actor => typeof value === 'object' && value !== null && 'identity' in value;

function withSameAs(actor: Actor, same: ReadonlyMap<string, readonly string[]>): Actor {
  if (actor.identity === 'unresolved') return actor;
  const { sameAs: _, ...plain } = actor;
  const others = same.get(actor.person);
  return others ? { ...plain, sameAs: others.map((person) => ({ person })) } : plain;
}
