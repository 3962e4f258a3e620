import type { AuditActionDefinition } from './definition.ts';
import { alarming, entity, sensitive } from './ocsf.ts';

export const deliveryActions = {
  'webhook.created': {
    label: 'Webhook created',
    sentence: 'added a webhook to {subject}',
    mailsOwners: true,
    ocsf: entity('Create', sensitive),
  },
  'webhook.updated': {
    label: 'Webhook changed',
    sentence: 'changed the webhook to {subject}',
    mailsOwners: true,
    ocsf: entity('Update', sensitive),
  },
  'webhook.deleted': {
    label: 'Webhook deleted',
    sentence: 'deleted the webhook to {subject}',
    mailsOwners: true,
    ocsf: entity('Delete'),
  },
  'webhook.secret_rotated': {
    label: 'Webhook secret rotated',
    sentence: 'rotated the signing secret of the webhook to {subject}',
    mailsOwners: true,
    ocsf: entity('Update', sensitive),
  },
  'webhook.tested': {
    label: 'Webhook tested',
    sentence: 'sent a test event to the webhook to {subject}',
    ocsf: entity('Other'),
  },
  'webhook.redelivered': {
    label: 'Webhook event redelivered',
    sentence: 'redelivered an event[, {data.type},] to {subject}',
    ocsf: entity('Other'),
  },
  'webhook.auto_disabled': {
    label: 'Webhook disabled automatically',
    sentence: 'disabled the webhook to {subject}[: {data.reason}]',
    ocsf: entity('Disable', sensitive),
  },
  'chat_channel.added': {
    label: 'Chat channel added',
    sentence: 'added the chat channel {subject}',
    mailsOwners: true,
    ocsf: entity('Create', sensitive),
  },
  'chat_channel.changed': {
    label: 'Chat channel changed',
    sentence: 'changed the chat channel {subject}',
    mailsOwners: true,
    ocsf: entity('Update', sensitive),
  },
  'chat_channel.removed': {
    label: 'Chat channel removed',
    sentence: 'removed the chat channel {subject}',
    mailsOwners: true,
    ocsf: entity('Delete'),
  },
  'chat_channel.tested': {
    label: 'Chat channel tested',
    sentence: 'sent a test message to {subject}',
    ocsf: entity('Other'),
  },
  'chat_channel.auto_disabled': {
    label: 'Chat channel disabled automatically',
    sentence: 'disabled messages to {subject}[: {data.reason}]',
    ocsf: entity('Disable', sensitive),
  },
  'chat_person.linked': {
    label: 'Chat messages enabled',
    sentence: 'enabled messages[ in {data.service}] to themselves',
    ocsf: entity('Create'),
  },
  'chat_person.unlinked': {
    label: 'Chat messages disabled',
    sentence: 'disabled messages[ in {data.service}] to themselves',
    ocsf: entity('Delete'),
  },
  'integration.rejected': {
    label: 'Integration rejected',
    sentence: 'rejected the access of {subject}[: {data.reason}]',
    ocsf: entity('Suspend', sensitive),
  },
  'destination.allowed': {
    label: 'Destination allowed',
    sentence: 'allowed connections to {subject}[ for {data.purpose}][ in {data.for}]',
    ocsf: entity('Create', sensitive),
  },
  'destination.revoked': {
    label: 'Destination revoked',
    sentence: 'revoked connections to {subject}[ for {data.purpose}][ in {data.for}]',
    ocsf: entity('Delete', sensitive),
  },
  'notification.defaults_changed': {
    label: 'Notification defaults changed',
    sentence: 'changed the notification defaults[ of the role {data.role}]',
    ocsf: entity('Update'),
  },
  'audit_stream.created': {
    label: 'Audit log stream created',
    sentence: 'created the audit log stream to {subject}[ by {data.kind}]',
    mailsOwners: true,
    ocsf: entity('Create', sensitive),
  },
  'audit_stream.updated': {
    label: 'Audit log stream changed',
    sentence: 'changed the audit log stream to {subject}',
    mailsOwners: true,
    ocsf: entity('Update', alarming),
  },
  'audit_stream.deleted': {
    label: 'Audit log stream deleted',
    sentence: 'deleted the audit log stream to {subject}',
    mailsOwners: true,
    ocsf: entity('Delete', alarming),
  },
  'audit_stream.secret_rotated': {
    label: 'Audit log stream secret rotated',
    sentence: 'rotated the signing secret of the audit log stream to {subject}',
    mailsOwners: true,
    ocsf: entity('Update', sensitive),
  },
  'audit_stream.tested': {
    label: 'Audit log stream tested',
    sentence: 'sent a test event to the audit log stream to {subject}',
    ocsf: entity('Other'),
  },
} as const satisfies Record<string, AuditActionDefinition>;
