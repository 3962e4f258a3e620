import type { Ledger } from '@sightline/contract/ledger/ledger.ts';

/** What whoever reads a page may know of the ledger behind it: `hidden` where they may not ask, `unknown` while nothing was answered. */
export type Vouched = Pick<Ledger, 'checkpoint' | 'anchors' | 'halted'> | 'hidden' | 'unknown';

export interface Vouching {
  /** How far it is signed, and with whom a copy of that is. */
  says: string;
  /** Whether only whoever runs this server vouches for it, or for what is new in it. */
  isWeak: boolean;
}

export const tamperEvident = 'What is shown rests on a tamper-evident ledger: what is changed in it later is noticed.';
export const notProven =
  'It does not prove that what was told to Sightline is true, nor that what never arrived did not happen.';

/** Older than this, an anchor says little of what is new. */
const freshMs = 48 * 3_600_000;

/** In plain words and with full times, the same on the screen and on paper. `now`: epoch milliseconds. */
export function vouchingOf(vouched: Vouched, now: number): Vouching {
  if (vouched === 'hidden') {
    return { says: 'With whom checkpoints of it were left, roles that read the audit log can see.', isWeak: false };
  }
  if (vouched === 'unknown') return { says: 'With whom checkpoints of it were left is not known here.', isWeak: false };
  const { checkpoint, anchors, halted } = vouched;
  if (halted !== null) {
    return { says: 'It is halted: what it holds no longer agrees with what was signed.', isWeak: true };
  }
  const signed = checkpoint
    ? `Its newest checkpoint has ${number.format(checkpoint.size)} entries and was signed on ${time(checkpoint.signedAt)}.`
    : 'No checkpoint of it was signed yet.';
  const anchor = anchors.toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at))[0];
  if (!anchor) {
    return {
      says: `${signed} Only this server vouches for it: no checkpoint was left with anybody else yet.`,
      isWeak: true,
    };
  }
  const left = `A checkpoint of ${number.format(anchor.size)} entries was left with ${anchor.party} on ${time(anchor.at)};`;
  return {
    says: `${signed} ${left} only this server vouches for what is newer.`,
    isWeak: now - Date.parse(anchor.at) > freshMs,
  };
}

const number = new Intl.NumberFormat('en-GB');
const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
const time = (at: string) => `${moment.format(Date.parse(at))} UTC`;
