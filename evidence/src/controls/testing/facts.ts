import type { Fact } from '../facts.ts';
import type { Actor, SamePerson } from '../persons.ts';
import type { ApprovedWaiver } from '../waivers.ts';

export const completeFact = <const T>(value: T): Fact<T> => ({ state: 'complete', value });
export const partialFact = <const T>(value: T): Fact<T> => ({ state: 'partial', value });
export const missingFact: Fact<never> = { state: 'missing' };

export const human = (person: string): Actor => ({ identity: 'resolved', person, kind: 'human' });
export const linked = (person: string, same: string, how: Pick<SamePerson, 'by'> = {}): Actor => ({
  identity: 'resolved',
  person,
  kind: 'human',
  sameAs: [{ person: same, ...how }],
});
export const agent = (person: string): Actor => ({ identity: 'resolved', person, kind: 'agent' });
/** A program that belongs to a person. */
export const agentOf = (id: string, person: string): Actor => ({
  identity: 'resolved',
  person: id,
  kind: 'agent',
  sameAs: [{ person }],
});
export const guessedActor = (person: string): Actor => ({ identity: 'guessed', person, kind: 'human' });
export const erasedActor = (person: string): Actor => ({ identity: 'erased', person, kind: 'human' });
export const unresolvedActor: Actor = { identity: 'unresolved', kind: 'human' };
export const actorOfUnknownKind = (person: string): Actor => ({ identity: 'resolved', person, kind: 'unknown' });

/** A valid, permanent waiver. */
export const validWaiver: ApprovedWaiver = {
  id: 'exc_1',
  requestedBy: 'per_asks',
  decidedBy: 'per_decides',
  decidedAt: '2020-01-01T00:00:00.000Z',
  from: '2020-01-01T00:00:00.000Z',
  until: '2030-01-01T00:00:00.000Z',
};
