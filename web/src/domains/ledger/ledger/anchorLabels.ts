import type { Anchor, AnchorAttempt, AnchorKind } from '@sightline/contract/ledger/anchors.ts';
import type { Tone } from '#ui/StatusBadge.tsx';

export const integerFormat = new Intl.NumberFormat('en-GB');

/** The description of each kind of anchor. */
export const anchorKindDescriptions: Record<AnchorKind, string> = {
  witness: 'An external service signs each checkpoint if the ledger is append-only.',
  rfc3161: 'A time-stamping authority signs the time of each checkpoint (RFC 3161).',
  mail: 'Account Owners and confirmed addresses receive each checkpoint by email.',
  webhook: 'Each checkpoint is posted to a URL, signed according to Standard Webhooks.',
  git: 'Each checkpoint is committed as a file to a repository.',
};

export const anchorStateBadges: Record<Anchor['state'], readonly [Tone, string]> = {
  active: ['green', 'Active'],
  failing: ['red', 'Failing'],
  off: ['gray', 'Disabled'],
};

export const attemptOutcomeBadges: Record<AnchorAttempt['outcome'], readonly [Tone, string]> = {
  published: ['green', 'Published'],
  unchanged: ['gray', 'No new entries'],
  failed: ['red', 'Failed'],
};

export const anchorIntervals = [
  { value: '1', label: 'Every hour' },
  { value: '6', label: 'Every six hours' },
  { value: '24', label: 'Every day' },
  { value: '168', label: 'Every week' },
] as const;

export const intervalLabel = (hours: number): string =>
  anchorIntervals.find(({ value }) => value === String(hours))?.label ?? `Every ${hours} hours`;

/** A hint for an anchor whose recipients have not all confirmed. */
export const unconfirmedText = ({ length }: readonly string[]): string[] =>
  length === 0 ? [] : [length === 1 ? '1 address unconfirmed' : `${length} addresses unconfirmed`];

/** The page warns if no anchor accepted a checkpoint within this number of hours. */
export const maxCheckpointAgeHours = 48;
