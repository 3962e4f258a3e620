import { type AuditActionDefinition, isOwnerRole } from './definition.ts';
import { attempt, entity, sensitive, user } from './ocsf.ts';

export const memberActions = {
  'member.left': { label: 'Member left', sentence: 'left the organization[ as {before.role}]', ocsf: user('Delete') },
  'invitation.sent': {
    label: 'Invitation sent',
    sentence: 'invited {subject}[ as {data.role}]',
    mailsOwners: isOwnerRole,
    ocsf: entity('Create'),
  },
  'invitation.resent': {
    label: 'Invitation sent again',
    sentence: 'invited {subject} again',
    mailsOwners: isOwnerRole,
    ocsf: entity('Update'),
  },
  'invitation.revoked': {
    label: 'Invitation revoked',
    sentence: 'revoked the invitation of {subject}',
    ocsf: entity('Delete'),
  },
  'invitation.declined': { label: 'Invitation declined', sentence: 'declined the invitation', ocsf: entity('Delete') },
  'member.role_changed': {
    label: 'Role changed',
    sentence: 'changed the role of {subject}[ from {before.role} to {after.role}]',
    mailsOwners: true,
    ocsf: user('Assign Roles', sensitive),
  },
  'member.deactivated': { label: 'Member deactivated', sentence: 'deactivated {subject}', ocsf: user('Disable') },
  'member.reinstated': {
    label: 'Member reinstated',
    sentence: 'reinstated {subject}',
    ocsf: user('Enable', sensitive),
  },
  'member.removed': {
    label: 'Member removed',
    sentence: 'removed {subject} from the organization',
    ocsf: user('Delete'),
  },
  'member.joined': {
    label: 'Member joined',
    sentence: 'joined the organization[ as {after.role}]',
    ocsf: user('Create'),
  },
  'member.added': {
    label: 'Member added',
    sentence: 'made {subject} a member[ as {after.role}]',
    ocsf: user('Create', sensitive),
  },
  'member.provisioned': {
    label: 'Member provisioned',
    sentence: 'made {subject} a member[ as {after.role}]',
    ocsf: user('Create', sensitive),
  },
  'member.reprovisioned': {
    label: 'Member provisioned again',
    sentence: 'reinstated {subject}[ as {after.role}]',
    ocsf: user('Enable', sensitive),
  },
  'member.deprovisioned': {
    label: 'Member deprovisioned',
    sentence: 'ended the access of {subject}[, with {data.sessions} sessions][ and {data.extensions} extensions]',
    ocsf: user('Disable'),
  },
  'directory.access_kept': {
    label: 'Access kept against the directory',
    sentence: 'could not end the access of {subject}[: {data.reason}]',
    mailsOwners: true,
    ocsf: user('Disable', attempt),
  },
  'member.activated': { label: 'Member arrived', sentence: 'signed in for the first time', ocsf: user('Enable') },
} as const satisfies Record<string, AuditActionDefinition>;
