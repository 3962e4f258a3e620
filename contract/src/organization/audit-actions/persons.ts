import type { AuditActionDefinition } from './definition.ts';
import { entity, sensitive } from './ocsf.ts';

export const personActions = {
  'person.erased': {
    label: 'Personal data deleted',
    sentence: 'deleted the personal data of a person',
    mailsOwners: true,
    ocsf: entity('Delete', sensitive),
  },
  'personal_data.exported': {
    label: 'Own data exported',
    sentence: 'exported their own data',
    ocsf: entity('Read', sensitive),
  },
  'erasure.requested': {
    label: 'Data deletion requested',
    sentence: 'requested deletion of their data',
    mailsOwners: true,
    ocsf: entity('Other'),
  },
  'erasure.withdrawn': {
    label: 'Data deletion request withdrawn',
    sentence: 'withdrew the request to delete their data',
    ocsf: entity('Other'),
  },
  'erasure.refused': {
    label: 'Data deletion request denied',
    sentence: 'denied the deletion of the data of a person',
    ocsf: entity('Other'),
  },
  'person.united': {
    label: 'Persons merged',
    sentence: 'merged two persons into {subject}',
    ocsf: entity('Update'),
  },
  'person.merged': {
    label: 'Contributors merged',
    sentence: 'merged {subject} with another contributor',
    ocsf: entity('Update'),
  },
  'person.merge_dismissed': {
    label: 'Merge suggestion dismissed',
    sentence: 'dismissed the suggestion to merge {subject} with another contributor',
    ocsf: entity('Update'),
  },
  'person.merge_undone': {
    label: 'Contributor merge undone',
    sentence: 'undid a merge decision about {subject}',
    ocsf: entity('Update'),
  },
} as const satisfies Record<string, AuditActionDefinition>;
