import type { AuditActionDefinition } from './definition.ts';
import { entity, sensitive } from './ocsf.ts';

export const timelineActions = {
  'event.exported': {
    label: 'Events exported',
    sentence: 'exported events of the timeline[ as {data.format}][, {data.events} in all][, as the chart {data.chart}]',
    ocsf: entity('Read', sensitive),
  },
  'event.archived': {
    label: 'Old events archived',
    sentence: 'archived events[ from {data.from} to {data.to}][, {data.events} in all]',
    ocsf: entity('Update'),
  },
  'event.expired': {
    label: 'Old events deleted',
    sentence:
      'deleted events past retention[: {data.events} events before {data.eventsBefore}][, {data.clipboardEvents} clipboard events before {data.clipboardBefore}]',
    ocsf: entity('Delete'),
  },
  'event.restored': {
    label: 'Archived events restored',
    sentence: 'restored archived events[ from {data.from} to {data.to}][, {data.events} in all]',
    ocsf: entity('Update'),
  },
  'view.shared': { label: 'View shared', sentence: 'shared the saved view {subject}', ocsf: entity('Create') },
  'view.unshared': {
    label: 'View no longer shared',
    sentence: 'stopped sharing the saved view {subject}',
    ocsf: entity('Delete'),
  },
  'view.updated': {
    label: 'Shared view changed',
    sentence: 'changed the shared view {subject}',
    ocsf: entity('Update'),
  },
  'view.deleted': {
    label: 'Shared view deleted',
    sentence: 'deleted the shared view {subject}',
    ocsf: entity('Delete'),
  },
  'tool.exported': {
    label: 'Tool inventory exported',
    sentence: 'exported the inventory of tools[, {data.tools} in all]',
    ocsf: entity('Read', sensitive),
  },
} as const satisfies Record<string, AuditActionDefinition>;
