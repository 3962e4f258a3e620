import type { Rules } from '../git/model.ts';
import type { ExpectedChangeVerdict } from './repository-scenario.ts';

/** A day of a branch: the protection at each snapshot, and the expected verdict of the day. */
export type Day = {
  scenario: string;
  looks: ProtectionLook[];
  verdict: ExpectedChangeVerdict['verdict'];
  reasons: string[];
};

/** The result of reading the protection at an hour of the day (0 to 23, UTC). */
export type ProtectionLook = { hour: number; sees: Rules | 'unprotected' | 'forbidden' };
