import type { AuditActionDefinition } from './definition.ts';
import { entity, sensitive } from './ocsf.ts';

export const timelineActions = {
  'event.exported': {
    label: 'Events exported',
    says: 'exported events of the timeline[ as {data.format}][, {data.events} in all]',
    ocsf: entity('Read', sensitive),
  },
  'event.expired': {
    label: 'Old events deleted',
    says: 'deleted events past retention[: {data.events} events before {data.eventsBefore}][, {data.clipboardEvents} clipboard events before {data.clipboardBefore}]',
    ocsf: entity('Delete'),
  },
  'view.shared': { label: 'View shared', says: 'shared the saved view {subject}', ocsf: entity('Create') },
  'view.unshared': {
    label: 'View no longer shared',
    says: 'stopped sharing the saved view {subject}',
    ocsf: entity('Delete'),
  },
  'view.updated': { label: 'Shared view changed', says: 'changed the shared view {subject}', ocsf: entity('Update') },
  'view.deleted': { label: 'Shared view deleted', says: 'deleted the shared view {subject}', ocsf: entity('Delete') },
  'tool.exported': {
    label: 'Tool inventory exported',
    says: 'exported the inventory of tools[, {data.tools} in all]',
    ocsf: entity('Read', sensitive),
  },
} as const satisfies Record<string, AuditActionDefinition>;
