import type { AuditActionDefinition } from './definition.ts';
import { entity, sensitive } from './ocsf.ts';

export const sourceActions = {
  'integration.connected': {
    label: 'Integration connected',
    says: 'connected {subject}',
    ocsf: entity('Create', sensitive),
  },
  'integration.disconnected': {
    label: 'Integration disconnected',
    says: 'disconnected {subject}',
    ocsf: entity('Delete', sensitive),
  },
  'integration.changed': {
    label: 'Integration changed',
    says: 'changed the key or scope of {subject}',
    ocsf: entity('Update', sensitive),
  },
  'integration.status_check_made': {
    label: 'Status check created',
    says: 'created a URL and a secret for status checks of {subject}',
    ocsf: entity('Update'),
  },
  'integration.status_check_removed': {
    label: 'Status check removed',
    says: 'removed the URL for status checks of {subject}',
    ocsf: entity('Update'),
  },
  'integration.sync_requested': {
    label: 'Integration synced',
    says: 'synced the newest scans of {subject}',
    ocsf: entity('Other'),
  },
  'scanner_project.matched': {
    label: 'Scanner project matched',
    says: 'linked the results of {subject}[ to {after.repository}]',
    ocsf: entity('Update'),
  },
  'integration.suspended': { label: 'Integration suspended', says: 'suspended {subject}', ocsf: entity('Suspend') },
  'integration.resumed': { label: 'Integration resumed', says: 'resumed {subject}', ocsf: entity('Resume') },
  'integration.permissions_changed': {
    label: 'Integration permissions changed',
    says: 'changed the permissions of {subject}',
    ocsf: entity('Update', sensitive),
  },
  'integration.requested': {
    label: 'Integration requested',
    says: 'requested the connection from an owner[ on {data.provider}]',
    ocsf: entity('Other'),
  },
  'repository.enabled': { label: 'Repository enabled', says: 'enabled {subject}', ocsf: entity('Enroll') },
  'repository.disabled': {
    label: 'Repository disabled',
    says: 'disabled {subject}',
    ocsf: entity('Unenroll', sensitive),
  },
  'repository.import_requested': {
    label: 'Import restarted',
    says: 'restarted the import of {subject}',
    ocsf: entity('Other'),
  },
  'repository.renamed': {
    label: 'Repository changed on its host',
    says: 'changed {subject} on its host',
    ocsf: entity('Move'),
  },
  'repository.removed': {
    label: 'Repository access lost',
    says: 'no longer gives Sightline access to {subject}',
    ocsf: entity('Delete'),
  },
  'repository.restored': {
    label: 'Repository access restored',
    says: 'gives Sightline access to {subject} again',
    ocsf: entity('Enable'),
  },
  'repository.alerts_requested': {
    label: 'Alerts import requested',
    says: 'requested an import of the alerts of {subject}',
    ocsf: entity('Other'),
  },
  'repository.ref_retired': {
    label: 'Branch deleted',
    says: 'deleted a branch of {subject}[: {data.ref}][, with {data.results} scan results]',
    ocsf: entity('Update'),
  },
  'repository.missing_classes_changed': {
    label: 'Fixes despite missing classes changed',
    says: 'changed whether findings[ of {data.tool}] in {subject} count as fixed if classes are missing',
    ocsf: entity('Update'),
  },
} as const satisfies Record<string, AuditActionDefinition>;
