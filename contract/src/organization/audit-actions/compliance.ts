import type { AuditActionDefinition } from './definition.ts';
import { entity, sensitive } from './ocsf.ts';

export const complianceActions = {
  'access_review.opened': {
    label: 'Access review opened',
    sentence: 'opened the access review of {subject}',
    ocsf: entity('Create'),
  },
  'access_review.extended': {
    label: 'Access review extended',
    sentence: 'added members or access to the access review of {subject}',
    ocsf: entity('Update'),
  },
  'access_review.decided': {
    label: 'Access reviewed',
    sentence: 'decided on[ {data.count}] items of the access review of {subject}[: {data.decision}]',
    ocsf: entity('Update'),
  },
  'access_review.signed': {
    label: 'Access review signed',
    sentence: 'signed the access review of {subject}',
    ocsf: entity('Update'),
  },
  'host_access.exported': {
    label: 'Access on code hosts exported',
    sentence: 'exported the access on code hosts[ as of {data.at}][, {data.rows} in all]',
    ocsf: entity('Read'),
  },
  'change.exported': {
    label: 'Changes exported',
    sentence: 'exported changes[, {data.changes} in all]',
    ocsf: entity('Read', sensitive),
  },
  'agent_reconciliation.exported': {
    label: 'Agent reconciliation exported',
    sentence: 'exported the agent reconciliation[, {data.rows} rows in all]',
    ocsf: entity('Read', sensitive),
  },
  'copilot_usage.exported': {
    label: 'GitHub Copilot usage exported',
    sentence: 'exported the usage of GitHub Copilot[, {data.rows} days in all]',
    ocsf: entity('Read'),
  },
  'copilot_usage.reading_requested': {
    label: 'GitHub Copilot usage read',
    sentence: 'started a reading of the usage of GitHub Copilot',
    ocsf: entity('Read'),
  },
  'framework.imported': {
    label: 'Framework imported',
    sentence: 'imported the framework {subject}[ with {data.requirements} requirements]',
    ocsf: entity('Create'),
  },
  'framework.removed': {
    label: 'Framework removed',
    sentence: 'removed the framework {subject}',
    ocsf: entity('Delete', sensitive),
  },
  'framework.requirement_updated': {
    label: 'Framework requirement updated',
    sentence: 'updated the requirement[ {data.requirement}] of the framework {subject}',
    ocsf: entity('Update'),
  },
  'framework.mapping_changed': {
    label: 'Framework mapping changed',
    sentence: 'changed the mappings of the framework {subject}[ to version {data.version}]',
    ocsf: entity('Update', sensitive),
  },
  'framework.mapping_approved': {
    label: 'Framework mapping approved',
    sentence: 'approved version[ {data.version}] of the mappings of the framework {subject}',
    ocsf: entity('Enable', sensitive),
  },
  'framework.exported': {
    label: 'Framework exported',
    sentence: 'exported the framework {subject}[ as {data.format}]',
    ocsf: entity('Read'),
  },
  'policy.created': {
    label: 'Policy created',
    sentence: 'created the policy {subject}',
    ocsf: entity('Create', sensitive),
  },
  'policy.changed': {
    label: 'Policy changed',
    sentence: 'changed the policy {subject}[ to version {data.version}]',
    ocsf: entity('Update', sensitive),
  },
  'policy.deleted': {
    label: 'Policy archived',
    sentence: 'archived the policy {subject}',
    ocsf: entity('Delete', sensitive),
  },
  'policy.restored': { label: 'Policy restored', sentence: 'restored the policy {subject}', ocsf: entity('Enable') },
  'policy_change.requested': {
    label: 'Policy weakening requested',
    sentence: 'requested a change that weakens the policy {subject}',
    ocsf: entity('Create'),
  },
  'policy_change.approved': {
    label: 'Policy weakening approved',
    sentence: 'approved a change that weakens the policy {subject}',
    ocsf: entity('Enable', sensitive),
  },
  'policy_change.rejected': {
    label: 'Policy weakening rejected',
    sentence: 'rejected a change that weakens the policy {subject}',
    ocsf: entity('Update'),
  },
  'policy_change.withdrawn': {
    label: 'Policy weakening withdrawn',
    sentence: 'withdrew a change that weakens the policy {subject}',
    ocsf: entity('Delete'),
  },
  'waiver.requested': {
    label: 'Control waiver requested',
    sentence: 'requested a waiver[ of {data.control}] for {subject}[ until {data.until}]',
    ocsf: entity('Create'),
  },
  'waiver.approved': {
    label: 'Control waiver approved',
    sentence: 'approved a waiver[ of {data.control}] for {subject}[ until {data.until}]',
    ocsf: entity('Enable', sensitive),
  },
  'waiver.refused': {
    label: 'Control waiver denied',
    sentence: 'denied a waiver[ of {data.control}] for {subject}',
    ocsf: entity('Update'),
  },
  'waiver.withdrawn': {
    label: 'Control waiver withdrawn',
    sentence: 'withdrew a waiver request[ of {data.control}] for {subject}',
    ocsf: entity('Delete'),
  },
  'waiver.ended': {
    label: 'Control waiver revoked',
    sentence: 'revoked a waiver[ of {data.control}] for {subject}',
    ocsf: entity('Disable'),
  },
  'waiver.expired': {
    label: 'Control waiver expired',
    sentence: 'ended an expired waiver[ of {data.control}] for {subject}',
    ocsf: entity('Disable'),
  },
  'remediation.changed': {
    label: 'Remediation changed',
    sentence: 'changed the remediation[ of {data.control}] for {subject}',
    ocsf: entity('Update'),
  },
  'remediation.retested': {
    label: 'Remediation retested',
    sentence: 'recorded a retest[ of {data.control}] for {subject}[ with result {data.result}]',
    ocsf: entity('Update'),
  },
  'digest.requested': {
    label: 'Commit digests requested',
    sentence: 'requested the commit digests[ of the week from {data.week}]',
    ocsf: entity('Create'),
  },
  'digest.reviewed': {
    label: 'Commit digest reviewed',
    sentence: 'reviewed the commit digest {subject}[ as {data.decision}]',
    ocsf: entity('Update'),
  },
  'control.run_requested': {
    label: 'Control evaluated',
    sentence: 'evaluated the control {subject}[ for {data.period}][ at ledger size {data.asOf}]',
    ocsf: entity('Other'),
  },
} as const satisfies Record<string, AuditActionDefinition>;
