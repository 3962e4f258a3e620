import { type RoleId, roleNames } from '../../core/permissions.ts';
import { dayText, type NotificationDefinition, owner, type TextContext } from './definition.ts';

interface InvitationFacts {
  invitationId: string;
  email: string;
  /** An account. */
  invitedBy: string;
}

const invitationContent = (type: string, { invitationId, invitedBy }: InvitationFacts) => ({
  scope: `invitation:${invitationId}:${type}`,
  link: '/organization/members',
  subject: { kind: 'invitation', ident: invitationId },
  authors: [invitedBy],
});

const memberContent = (type: string, accountId: string) => ({
  scope: `${type}:${accountId}`,
  link: '/organization/members',
  subject: { kind: 'member', ident: accountId },
});

export const memberNotifications = {
  'invitation.declined': {
    group: 'Members',
    label: 'Invitation declined',
    description: 'An invited person declined.',
    severity: 'low',
    audience: 'create:invitation',
    mails: [],
    text: (facts: InvitationFacts) => ({
      ...invitationContent('invitation.declined', facts),
      title: `${facts.email} declined the invitation`,
    }),
  },
  'invitation.expired': {
    group: 'Members',
    label: 'Invitation expired',
    description: 'An invitation expired without a response.',
    severity: 'low',
    audience: 'create:invitation',
    mails: [],
    text: (facts: InvitationFacts) => ({
      ...invitationContent('invitation.expired', facts),
      title: `The invitation of ${facts.email} expired`,
      body: 'It expired without a response. You can send it again.',
    }),
  },
  'invitation.failed': {
    group: 'Members',
    label: 'Invitation not delivered',
    description: 'The invitation email could not be sent.',
    severity: 'medium',
    audience: 'create:invitation',
    mails: owner,
    text: (facts: InvitationFacts) => ({
      ...invitationContent('invitation.failed', facts),
      title: `The invitation of ${facts.email} could not be delivered`,
      body: 'Sightline tries again. Check the address, or send it again.',
    }),
  },
  'member.joined': {
    group: 'Members',
    label: 'Member joined',
    description: 'A person accepted an invitation or was added.',
    severity: 'info',
    audience: 'update:org',
    mails: [],
    text: ({ accountId, role }: { accountId: string; role: RoleId }, { nameOf }: TextContext) => ({
      ...memberContent('member.joined', accountId),
      title: `${nameOf(accountId)} joined as ${roleNames[role]}`,
    }),
  },
  'directory.access_kept': {
    group: 'Members',
    label: 'Access kept against the directory',
    description: 'The directory deactivated the last Account Owner or break-glass owner, who keeps access.',
    severity: 'high',
    audience: 'update:org',
    mails: owner,
    text: ({ accountId }: { accountId: string }, { nameOf }: TextContext) => ({
      ...memberContent('directory.access_kept', accountId),
      title: `${nameOf(accountId)} left the directory, and keeps access here`,
      body: 'The organization would have no owner otherwise. Make another member an owner: the access ends within a minute then.',
    }),
  },
  'member.left': {
    group: 'Members',
    label: 'Member left or removed',
    description: 'A member left or was removed.',
    severity: 'low',
    audience: 'update:org',
    mails: [],
    text: ({ accountId, removed }: { accountId: string; removed: boolean }, { nameOf }: TextContext) => ({
      ...memberContent('member.left', accountId),
      title: `${nameOf(accountId)} ${removed ? 'was removed' : 'left the organization'}`,
    }),
  },
  'member.role_changed': {
    group: 'Members',
    label: 'Role changed',
    description: 'Your role changed. Account Owners are notified of all role changes.',
    severity: 'medium',
    audience: 'update:org',
    names: true,
    mails: [],
    text: (
      { accountId, before, after }: { accountId: string; before: RoleId; after: RoleId },
      { nameOf }: TextContext,
    ) => ({
      ...memberContent('member.role_changed', accountId),
      title: `${nameOf(accountId)} is ${roleNames[after]} now`,
      body: `Before: ${roleNames[before]}.`,
      assigned: [accountId],
    }),
  },
  'member.deactivated': {
    group: 'Members',
    label: 'Member deactivated or reinstated',
    description: 'A member was deactivated or reinstated.',
    severity: 'low',
    audience: 'update:org',
    names: true,
    mails: [],
    text: ({ accountId, reinstated }: { accountId: string; reinstated: boolean }, { nameOf }: TextContext) => ({
      ...memberContent('member.deactivated', accountId),
      title: `${nameOf(accountId)} was ${reinstated ? 'reinstated' : 'deactivated'}`,
      assigned: reinstated ? [accountId] : [],
    }),
  },
  'extension.disconnected': {
    group: 'Extensions',
    label: 'Extension disconnected',
    description: 'One of your extensions was signed out by another person or has not reported for a week.',
    severity: 'low',
    audience: null,
    mails: [],
    text: ({
      accountId,
      program,
      silentSince,
    }: {
      accountId: string;
      program: string;
      /** Time of its last report, RFC 3339; null if another person signed it out. */
      silentSince: string | null;
    }) => ({
      scope: `extension:${program}`,
      ...(silentSince === null
        ? {
            title: `Your extension in ${program} was signed out`,
            body: 'Recorded events are queued there until you sign in again. Sign out there to stop recording.',
          }
        : {
            title: `Your extension in ${program} does not report`,
            body: `It has not reported since ${dayText(silentSince)}. Open ${program} and check whether it is signed in.`,
          }),
      link: '/account#extensions',
      subject: { kind: 'account', ident: accountId },
      assigned: [accountId],
    }),
  },
} as const satisfies Record<string, NotificationDefinition>;
