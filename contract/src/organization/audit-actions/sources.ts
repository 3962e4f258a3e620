import type { AuditActionDefinition } from './definition.ts';
import { entity, sensitive } from './ocsf.ts';

export const sourceActions = {
  'integration.connected': {
    label: 'Integration connected',
    sentence: 'connected {subject}',
    ocsf: entity('Create', sensitive),
  },
  'integration.disconnected': {
    label: 'Integration disconnected',
    sentence: 'disconnected {subject}',
    ocsf: entity('Delete', sensitive),
  },
  'integration.changed': {
    label: 'Integration changed',
    sentence: 'changed the key or scope of {subject}',
    ocsf: entity('Update', sensitive),
  },
  'integration.status_check_made': {
    label: 'Status check created',
    sentence: 'created a URL and a secret for status checks of {subject}',
    ocsf: entity('Update'),
  },
  'integration.status_check_removed': {
    label: 'Status check removed',
    sentence: 'removed the URL for status checks of {subject}',
    ocsf: entity('Update'),
  },
  'integration.sync_requested': {
    label: 'Integration synced',
    sentence: 'synced {subject}',
    ocsf: entity('Other'),
  },
  'tickets.requested': {
    label: 'Tickets requested',
    sentence: 'requested[ {data.tickets}] tickets[ in project {data.project}] of {subject}',
    ocsf: entity('Create'),
  },
  'scanner_project.matched': {
    label: 'Scanner project matched',
    sentence: 'linked the results of {subject}[ to {after.repository}]',
    ocsf: entity('Update'),
  },
  'integration.suspended': { label: 'Integration suspended', sentence: 'suspended {subject}', ocsf: entity('Suspend') },
  'integration.resumed': { label: 'Integration resumed', sentence: 'resumed {subject}', ocsf: entity('Resume') },
  'integration.permissions_changed': {
    label: 'Integration permissions changed',
    sentence: 'changed the permissions of {subject}',
    ocsf: entity('Update', sensitive),
  },
  'integration.requested': {
    label: 'Integration requested',
    sentence: 'requested the connection from an owner[ on {data.provider}]',
    ocsf: entity('Other'),
  },
  'repository.enabled': { label: 'Repository enabled', sentence: 'enabled {subject}', ocsf: entity('Enroll') },
  'repository.disabled': {
    label: 'Repository disabled',
    sentence: 'disabled {subject}',
    ocsf: entity('Unenroll', sensitive),
  },
  'repository.import_requested': {
    label: 'Import restarted',
    sentence: 'restarted the import of {subject}',
    ocsf: entity('Other'),
  },
  'repository.renamed': {
    label: 'Repository changed on its host',
    sentence: 'changed {subject} on its host',
    ocsf: entity('Move'),
  },
  'repository.removed': {
    label: 'Repository access lost',
    sentence: 'no longer gives Sightline access to {subject}',
    ocsf: entity('Delete'),
  },
  'repository.restored': {
    label: 'Repository access restored',
    sentence: 'gives Sightline access to {subject} again',
    ocsf: entity('Enable'),
  },
  'repository.alerts_requested': {
    label: 'Alerts import requested',
    sentence: 'requested an import of the alerts of {subject}',
    ocsf: entity('Other'),
  },
  'repository.ref_retired': {
    label: 'Branch deleted',
    sentence: 'deleted a branch of {subject}[: {data.ref}][, with {data.results} scan results]',
    ocsf: entity('Update'),
  },
  'repository.missing_classes_changed': {
    label: 'Fixes despite missing classes changed',
    sentence: 'changed whether findings[ of {data.tool}] in {subject} count as fixed if classes are missing',
    ocsf: entity('Update'),
  },
} as const satisfies Record<string, AuditActionDefinition>;
