import type { InviteResult } from '@sightline/contract/organization/invitations.ts';

/** Explains why an address was not invited, and what to do about it. */
export function skipText({ reason, retryAfter }: InviteResult['skipped'][number]): string {
  switch (reason) {
    case 'already_member':
      return 'Already a member';
    case 'already_pending':
      return retryAfter === undefined || retryAfter > 60
        ? 'Invited too often today. Try again tomorrow'
        : `Invited less than a minute ago. Try again in ${retryAfter} s`;
    case 'domain_not_allowed':
      return 'Email domain not allowed';
    case 'invalid':
      return 'Incomplete address';
  }
}
