import type { AuditActionDefinition } from './definition.ts';
import { entity, sensitive } from './ocsf.ts';

export const personActions = {
  'person.erased': {
    label: 'Personal data deleted',
    says: 'deleted the personal data of a person',
    mailsOwners: true,
    ocsf: entity('Delete', sensitive),
  },
  'personal_data.exported': {
    label: 'Own data exported',
    says: 'exported their own data',
    ocsf: entity('Read', sensitive),
  },
  'erasure.requested': {
    label: 'Data deletion requested',
    says: 'requested deletion of their data',
    mailsOwners: true,
    ocsf: entity('Other'),
  },
  'erasure.withdrawn': {
    label: 'Data deletion request withdrawn',
    says: 'withdrew the request to delete their data',
    ocsf: entity('Other'),
  },
  'erasure.refused': {
    label: 'Data deletion request denied',
    says: 'denied the deletion of the data of a person',
    ocsf: entity('Other'),
  },
  'person.united': {
    label: 'Persons merged',
    says: 'merged two persons into {subject}',
    ocsf: entity('Update'),
  },
  'person.merged': {
    label: 'Contributors merged',
    says: 'merged {subject} with another contributor',
    ocsf: entity('Update'),
  },
  'person.merge_dismissed': {
    label: 'Merge suggestion dismissed',
    says: 'dismissed the suggestion to merge {subject} with another contributor',
    ocsf: entity('Update'),
  },
  'person.merge_undone': {
    label: 'Contributor merge undone',
    says: 'undid a merge decision about {subject}',
    ocsf: entity('Update'),
  },
} as const satisfies Record<string, AuditActionDefinition>;
