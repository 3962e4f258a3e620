import type { Ledger } from '@sightline/contract/ledger/ledger.ts';

/** What whoever reads a page may know of the ledger behind it: `hidden` where they may not ask, `unknown` while nothing was answered. */
export type Vouched = Pick<Ledger, 'checkpoint' | 'anchors' | 'halted'> | 'hidden' | 'unknown';

export interface Vouching {
  /** How far it is signed, and with whom a copy of that is. */
  says: string;
  /** Whether only whoever runs this server vouches for it, or for what is new in it. */
  isWeak: boolean;
}

export const tamperEvident = 'This page is based on a tamper-evident ledger. Later changes to it are detectable.';
export const notProven = 'It does not prove that the received data is true or complete.';

/** Older than this, an anchor says little of what is new. */
const freshMs = 48 * 3_600_000;

/** In plain words and with full times, the same on the screen and on paper. `now`: epoch milliseconds. */
export function vouchingOf(vouched: Vouched, now: number): Vouching {
  if (vouched === 'hidden') {
    return { says: 'Roles with access to the audit log can see its anchors.', isWeak: false };
  }
  if (vouched === 'unknown') return { says: 'Its anchors are unknown here.', isWeak: false };
  const { checkpoint, anchors, halted } = vouched;
  if (halted !== null) {
    return { says: 'It is halted: its contents do not match its signed checkpoints.', isWeak: true };
  }
  const signed = checkpoint
    ? `Its newest checkpoint has ${number.format(checkpoint.size)} entries and was signed on ${time(checkpoint.signedAt)}.`
    : 'It has no signed checkpoint.';
  const anchor = anchors.toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at))[0];
  if (!anchor) {
    return {
      says: `${signed} No external anchor has a checkpoint of it.`,
      isWeak: true,
    };
  }
  const left = `A checkpoint of ${number.format(anchor.size)} entries was published to ${anchor.party} on ${time(anchor.at)};`;
  return {
    says: `${signed} ${left} later entries are not anchored.`,
    isWeak: now - Date.parse(anchor.at) > freshMs,
  };
}

const number = new Intl.NumberFormat('en-GB');
const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
const time = (at: string) => `${moment.format(Date.parse(at))} UTC`;
