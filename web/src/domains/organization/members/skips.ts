import type { InviteResult } from '@sightline/contract/organization/invitations.ts';

/** Why an address was not invited, and what to do about it. */
export function skipText({ reason, retryAfter }: InviteResult['skipped'][number]): string {
  switch (reason) {
    case 'already_member':
      return 'Is a member already';
    case 'already_pending':
      return retryAfter === undefined || retryAfter > 60
        ? 'Was invited too often today. Try again tomorrow'
        : `Was invited less than a minute ago. Try again in ${retryAfter} s`;
    case 'domain_not_allowed':
      return 'Its domain is not allowed here';
    case 'invalid':
      return 'Is no complete address';
  }
}
