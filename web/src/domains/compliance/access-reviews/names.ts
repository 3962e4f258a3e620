import type { AccessReview } from '@sightline/contract/compliance/access-reviews.ts';
import type { Tone } from '#ui/StatusBadge.tsx';

const reviewStateTones = { open: 'yellow', decided: 'blue', signed: 'green' } as const;

export const reviewsPath = '/evidence/access-reviews';
export const reviewHref = ({ id }: { id: string }): string => `${reviewsPath}/${id}`;

/** `Q4 2026` of the first day of a quarter. */
export const quarterName = (first: string): string =>
  `Q${Math.floor(Number(first.slice(5, 7)) / 3) + 1} ${first.slice(0, 4)}`;

export const reviewStateLabels: Record<AccessReview['state'], string> = {
  open: 'Open',
  decided: 'Ready to sign',
  signed: 'Signed',
};

/** Returns the tone and label for the status of a review. `now` is in epoch milliseconds. */
export function accessReviewStatusOf({ state, dueAt }: AccessReview, now: number): readonly [Tone, string] {
  if (state !== 'signed' && Date.parse(dueAt) <= now) return ['red', 'Overdue'];
  return [reviewStateTones[state], reviewStateLabels[state]];
}

export const decisionOptions = [
  { value: 'none', label: 'Pending' },
  { value: 'kept', label: 'Kept' },
  { value: 'changed', label: 'Changed' },
] as const;
