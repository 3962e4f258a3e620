import type { Ledger } from '@sightline/contract/ledger/ledger.ts';

/** The ledger state that the reader may see: `hidden` without permission, `unknown` before a response. */
export type LedgerState = Pick<Ledger, 'checkpoint' | 'anchors' | 'halted'> | 'hidden' | 'unknown';

export interface LedgerStatement {
  /** The signed size, and the anchors with a copy. */
  message: string;
  /** Whether no external party confirms the ledger, or its recent entries. */
  isWeak: boolean;
}

export const tamperEvident = 'This page is based on a tamper-evident ledger. Later changes to it are detectable.';
export const limitationText = 'It does not prove that the received data is true or complete.';

/** Older anchors do not cover recent entries. */
const freshMs = 48 * 3_600_000;

/** Describes the ledger integrity with absolute times, the same on screen and in print. `now`: epoch milliseconds. */
export function ledgerStatementOf(vouched: LedgerState, now: number): LedgerStatement {
  if (vouched === 'hidden') {
    return { message: 'Roles with access to the audit log can see its anchors.', isWeak: false };
  }
  if (vouched === 'unknown') return { message: 'Its anchors are unknown here.', isWeak: false };
  const { checkpoint, anchors, halted } = vouched;
  if (halted !== null) {
    return { message: 'It is halted: its contents do not match its signed checkpoints.', isWeak: true };
  }
  const signed = checkpoint
    ? `Its newest checkpoint has ${number.format(checkpoint.size)} entries and was signed on ${time(checkpoint.signedAt)}.`
    : 'It has no signed checkpoint.';
  const anchor = anchors.toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at))[0];
  if (!anchor) {
    return {
      message: `${signed} No external anchor has a checkpoint of it.`,
      isWeak: true,
    };
  }
  const left = `A checkpoint of ${number.format(anchor.size)} entries was published to ${anchor.party} on ${time(anchor.at)};`;
  return {
    message: `${signed} ${left} later entries are not anchored.`,
    isWeak: now - Date.parse(anchor.at) > freshMs,
  };
}

const number = new Intl.NumberFormat('en-GB');
const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
const time = (at: string) => `${moment.format(Date.parse(at))} UTC`;
