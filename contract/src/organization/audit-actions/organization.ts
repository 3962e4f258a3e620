import type { AuditActionDefinition } from './definition.ts';
import { entity, sensitive } from './ocsf.ts';

export const organizationActions = {
  'organization.created': {
    label: 'Organization created',
    sentence: 'created the organization {subject}',
    ocsf: entity('Create'),
  },
  'organization.updated': {
    label: 'Organization changed',
    sentence: 'changed the settings of {subject}',
    ocsf: entity('Update'),
  },
  'organization.archived': {
    label: 'Organization archived',
    sentence: 'archived {subject}',
    mailsOwners: true,
    ocsf: entity('Disable', sensitive),
  },
  'organization.moved_away': {
    label: 'Organization moved to another installation',
    sentence: 'moved {subject} to another installation[ {data.address}]',
    ocsf: entity('Disable', sensitive),
  },
  'organization.imported': {
    label: 'Organization imported from another installation',
    sentence: 'imported {subject} from another installation[ {data.from}]',
    mailsOwners: true,
    ocsf: entity('Create', sensitive),
  },
  'saml.connected': {
    label: 'SAML login connected',
    sentence: 'connected the SAML identity provider[ {after.entityId}]',
    mailsOwners: true,
    ocsf: entity('Create', sensitive),
  },
  'saml.disconnected': {
    label: 'SAML login disconnected',
    sentence: 'disconnected the SAML identity provider[ {before.entityId}]',
    mailsOwners: true,
    ocsf: entity('Delete', sensitive),
  },
  'directory.connected': {
    label: 'Directory connected',
    sentence: 'connected a directory[ ({data.product})]',
    mailsOwners: true,
    ocsf: entity('Create', sensitive),
  },
  'directory.roles_changed': {
    label: 'Roles of the directory changed',
    sentence: 'changed the roles that the directory gives',
    mailsOwners: true,
    ocsf: entity('Update', sensitive),
  },
  'directory.token_rotated': {
    label: 'Directory token rotated',
    sentence: 'created a new token for the directory',
    mailsOwners: true,
    ocsf: entity('Update', sensitive),
  },
  'directory.disconnected': {
    label: 'Directory disconnected',
    sentence: 'disconnected the directory',
    mailsOwners: true,
    ocsf: entity('Delete', sensitive),
  },
  'agent_prompts.storage_changed': {
    label: 'Storage of prompt texts changed',
    sentence: 'turned the storage of prompt texts of coding agents[ {after.state}][, and deleted {data.deleted} texts]',
    mailsOwners: true,
    ocsf: entity('Update', sensitive),
  },
  'job.retried': {
    label: 'Background job retried',
    sentence: 'retried the background job {subject}[ of the queue {data.queue}]',
    ocsf: entity('Other'),
  },
  'job.canceled': {
    label: 'Background job canceled',
    sentence: 'canceled the background job {subject}[ of the queue {data.queue}]',
    ocsf: entity('Other', sensitive),
  },
  'failure.retry_requested': {
    label: 'Failed import or delivery retried',
    sentence: 'retried {subject}, a failed import or delivery[ of the kind {data.kind}]',
    ocsf: entity('Other'),
  },
  'organization.restored': { label: 'Organization restored', sentence: 'restored {subject}', ocsf: entity('Enable') },
  'organization.second_factor_required': {
    label: 'Second factor required',
    sentence: 'turned the second factor requirement of {subject}[ {after.state}]',
    mailsOwners: true,
    ocsf: entity('Update', sensitive),
  },
  'organization.sso_changed': {
    label: 'Single sign-on changed',
    sentence: 'changed the sign-in of members of {subject}[ to {after.connection}]',
    mailsOwners: true,
    ocsf: entity('Update', sensitive),
  },
  'organization.domain_added': {
    label: 'Domain added',
    sentence: 'added the domain[ {data.domain}] to {subject}',
    ocsf: entity('Update'),
  },
  'organization.domain_verified': {
    label: 'Domain verified',
    sentence: 'verified the domain[ {data.domain}] of {subject}[ by {data.by}]',
    mailsOwners: true,
    ocsf: entity('Update', sensitive),
  },
  'organization.domain_removed': {
    label: 'Domain removed',
    sentence: 'removed the domain[ {data.domain}] from {subject}',
    mailsOwners: true,
    ocsf: entity('Update', sensitive),
  },
  'organization.session_policy_changed': {
    label: 'Session policy changed',
    sentence: 'changed the session policy of {subject}',
    mailsOwners: true,
    ocsf: entity('Update', sensitive),
  },
  'flag.changed': {
    label: 'Feature flag changed',
    sentence: 'changed the feature {subject}[ to {after.state}][ for {data.for}]',
    ocsf: entity('Update'),
  },
  'list.exported': {
    label: 'List exported',
    sentence: 'exported a list[: {data.list}][, {data.rows} rows in all]',
    ocsf: entity('Read', sensitive),
  },
  'audit.exported': {
    label: 'Audit log exported',
    sentence: 'exported the audit log[ as {data.format}]',
    ocsf: entity('Read', sensitive),
  },
} as const satisfies Record<string, AuditActionDefinition>;
