import type { Fact } from '../known.ts';
import type { Actor } from '../persons.ts';
import type { ApprovedWaiver } from '../waivers.ts';

export const known = <const T>(value: T): Fact<T> => ({ state: 'complete', value });
export const partly = <const T>(value: T): Fact<T> => ({ state: 'partial', value });
export const missing: Fact<never> = { state: 'missing' };

export const human = (person: string): Actor => ({ identity: 'resolved', person, kind: 'human' });
export const linked = (person: string, same: string): Actor => ({
  identity: 'resolved',
  person,
  kind: 'human',
  sameAs: [{ person: same }],
});
export const agent = (person: string): Actor => ({ identity: 'resolved', person, kind: 'agent' });
export const guessed = (person: string): Actor => ({ identity: 'guessed', person, kind: 'human' });
export const erased = (person: string): Actor => ({ identity: 'erased', person, kind: 'human' });
export const nobody: Actor = { identity: 'unresolved', kind: 'human' };
export const ofUnknownKind = (person: string): Actor => ({ identity: 'resolved', person, kind: 'unknown' });

/** A valid, permanent waiver. */
export const leave: ApprovedWaiver = {
  id: 'exc_1',
  requestedBy: 'per_asks',
  decidedBy: 'per_decides',
  decidedAt: '2020-01-01T00:00:00.000Z',
  from: '2020-01-01T00:00:00.000Z',
  until: '2030-01-01T00:00:00.000Z',
};
