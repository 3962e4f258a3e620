import { REVIEW_LEAD_DAYS } from '@sightline/contract/compliance/access-reviews.ts';

/** A quarter in UTC: its first day, such as `2026-10-01`, and the first moment after it. */
export interface Quarter {
  first: string;
  end: Date;
}

export const quarterAt = (at: Date): Quarter => {
  const month = Math.floor(at.getUTCMonth() / 3) * 3;
  const first = new Date(Date.UTC(at.getUTCFullYear(), month, 1));
  return { first: first.toISOString().slice(0, 10), end: new Date(Date.UTC(at.getUTCFullYear(), month + 3, 1)) };
};

export const endOfQuarter = (first: string): Date => quarterAt(new Date(`${first}T00:00:00Z`)).end;

/** The quarter under review at a time; undefined before its review opens. */
export function quarterUnderReview(at: Date): Quarter | undefined {
  const quarter = quarterAt(at);
  return quarter.end.getTime() - at.getTime() <= REVIEW_LEAD_DAYS * 86_400_000 ? quarter : undefined;
}

/** Formats a quarter as `Q4 2026`. */
export const quarterName = (first: string): string =>
  `Q${Math.floor(Number(first.slice(5, 7)) / 3) + 1} ${first.slice(0, 4)}`;
