import type { AuditActionDefinition } from './definition.ts';
import { attempt, entity, sensitive } from './ocsf.ts';

export const evidenceActions = {
  'snapshot.key_downloaded': {
    label: 'Disclosure key downloaded',
    sentence: 'downloaded the disclosure key of a snapshot[, {data.name}]',
    ocsf: entity('Read'),
  },
  'snapshot.requested': {
    label: 'Snapshot requested',
    sentence: 'requested a snapshot[, {data.name}][ for {data.period}]',
    ocsf: entity('Create'),
  },
  'portal.opened': {
    label: 'Auditor portal created',
    sentence: 'created the auditor portal {subject}[ until {data.closesAt}]',
    ocsf: entity('Create', sensitive),
  },
  'portal.entered': {
    label: 'Auditor portal opened',
    sentence: 'opened the auditor portal {subject}',
    ocsf: entity('Read'),
  },
  'portal.viewed': {
    label: 'Auditor portal viewed',
    sentence: 'viewed[ {data.view}][ {data.control}] in the auditor portal {subject}',
    ocsf: entity('Read'),
  },
  'portal.sampled': {
    label: 'Auditor sample created',
    sentence: 'sampled[ {data.control}][ with seed {data.seed}] in the auditor portal {subject}',
    ocsf: entity('Read'),
  },
  'portal.reperformed': {
    label: 'Control re-performed',
    sentence: 're-performed[ {data.control}] in the auditor portal {subject}',
    ocsf: entity('Read'),
  },
  'portal.sample_kept': {
    label: 'Auditor sample kept',
    sentence:
      'kept a sample[ of {data.control}][ selected by the method {data.method}] in the auditor portal {subject}',
    ocsf: entity('Create'),
  },
  'portal.workpaper_written': {
    label: 'Workpaper written',
    sentence: 'wrote a workpaper in the auditor portal {subject}',
    ocsf: entity('Update'),
  },
  'portal.file_attached': {
    label: 'File attached in an auditor portal',
    sentence: 'attached a file in the auditor portal {subject}',
    ocsf: entity('Create'),
  },
  'portal.result_returned': {
    label: 'Signed result returned',
    sentence: 'returned a signed result in the auditor portal {subject}',
    ocsf: entity('Create', sensitive),
  },
  'portal.downloaded': {
    label: 'Auditor downloaded a file',
    sentence: 'downloaded a bundle or file from the auditor portal {subject}',
    ocsf: entity('Read', sensitive),
  },
  'portal.requested': {
    label: 'Evidence requested',
    sentence: 'requested evidence[ on {data.control}] in the auditor portal {subject}',
    ocsf: entity('Update'),
  },
  'portal.replied': {
    label: 'Auditor replied to an answer',
    sentence: 'replied to an answer[ on {data.control}] in the auditor portal {subject}',
    ocsf: entity('Update'),
  },
  'portal.request_closed': {
    label: 'Evidence request closed',
    sentence: 'closed an evidence request[ on {data.control}] in the auditor portal {subject}',
    ocsf: entity('Update'),
  },
  'portal.answered': {
    label: 'Evidence request answered',
    sentence: 'answered an evidence request[ on {data.control}] in the auditor portal {subject}',
    ocsf: entity('Update'),
  },
  'portal.people_exported': {
    label: 'Pseudonym key exported',
    sentence: 'exported the key of the pseudonyms in the auditor portal {subject}',
    ocsf: entity('Read', sensitive),
  },
  'portal.asserted': {
    label: 'Management assertion signed off',
    sentence: 'signed off a management assertion in the auditor portal {subject}',
    ocsf: entity('Create', sensitive),
  },
  'portal.archived': {
    label: 'Auditor portal exported',
    sentence: 'exported an archive of the auditor portal {subject}',
    ocsf: entity('Read', sensitive),
  },
  'portal.revoked': {
    label: 'Auditor portal revoked',
    sentence: 'revoked the auditor portal {subject}',
    ocsf: entity('Delete'),
  },
  'portal.closed': {
    label: 'Auditor portal expired',
    sentence: 'closed the expired auditor portal {subject}',
    ocsf: entity('Disable'),
  },
  'evidence_destination.added': {
    label: 'Evidence destination added',
    sentence: 'added the evidence destination[ {data.kind}][ at {data.host}]',
    mailsOwners: true,
    ocsf: entity('Create', sensitive),
  },
  'evidence_destination.changed': {
    label: 'Evidence destination changed',
    sentence: 'changed the evidence destination[ {data.kind}][ at {after.host}]',
    mailsOwners: true,
    ocsf: entity('Update', sensitive),
  },
  'evidence_destination.removed': {
    label: 'Evidence destination removed',
    sentence: 'removed the evidence destination[ {data.kind}][ at {data.host}]',
    mailsOwners: true,
    ocsf: entity('Delete'),
  },
  'evidence_destination.tested': {
    label: 'Evidence destination tested',
    sentence: 'tested the evidence destination[ {data.kind}][ at {data.host}]',
    ocsf: entity('Other'),
  },
  'evidence_destination.snapshot_requested': {
    label: 'Evidence delivery requested',
    sentence: 'requested delivery of evidence[ to {data.kind}][ at {data.host}][: {data.name}]',
    ocsf: entity('Other'),
  },
  'evidence_destination.snapshot_sent': {
    label: 'Evidence delivered',
    sentence: 'delivered evidence[ to {data.kind}][ at {data.host}]',
    ocsf: entity('Other'),
  },
  'evidence_destination.snapshot_failed': {
    label: 'Evidence delivery failed',
    sentence: 'failed to deliver evidence[ to {data.kind}][ at {data.host}]',
    ocsf: entity('Other', attempt),
  },
} as const satisfies Record<string, AuditActionDefinition>;
