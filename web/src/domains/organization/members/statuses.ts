import type { MemberStatus } from '@sightline/contract/organization/member-actions.ts';
import type { Tone } from '#ui/StatusBadge.tsx';

/** spec 2.8: the labels and colors of the statuses, in the order of the legend. */
export const statusLabels: Record<MemberStatus, string> = {
  active: 'Active',
  accepted: 'Accepted',
  pending: 'Pending',
  outdated: 'Outdated',
  deactivated: 'Deactivated',
  uninvited: 'Uninvited',
};

export const statusTones: Record<MemberStatus, Tone> = {
  active: 'green',
  accepted: 'blue',
  pending: 'yellow',
  outdated: 'red',
  deactivated: 'purple',
  uninvited: 'gray',
};

/** The tooltip of each status. */
export const statusTexts: Record<MemberStatus, string> = {
  active: 'Has signed in to the organization',
  accepted: 'Accepted the invitation and has not signed in to the organization',
  pending: 'Invited and has not accepted',
  outdated: 'The invitation expired and can be sent again',
  deactivated: 'Cannot sign in to the organization until an owner reinstates them',
  uninvited: 'Commits to an enabled repository and was not invited',
};
