import type { Rules } from '../git/model.ts';
import type { Truth } from './story.ts';

/** A day of a branch: how it was protected when the host was asked, and the expected verdict of the day. */
export type Day = { plot: string; looks: ProtectionLook[]; verdict: Truth['verdict']; reasons: string[] };

/** What whoever looks at the branch at an hour of the day (0 to 23, UTC) is told. */
export type ProtectionLook = { hour: number; sees: Rules | 'unprotected' | 'forbidden' };
