import { countWeekHours, exportEventChart, groupEvents } from '@sightline/contract/timeline/event-groups.ts';
import {
  createContext,
  createView,
  deleteView,
  exportEvents,
  getHistogram,
  listViews,
  suggestValues,
  updateView,
} from '@sightline/contract/timeline/explore.ts';
import { endpointCase } from '../../../architecture/endpoint-case.ts';

export const endpointCases = [
  endpointCase(countWeekHours, {
    request: ({ contextId }) => ({ body: { context: contextId, query: 'after:2026-01-01', compare: true } }),
    access: { allows: 'members', foreign: 404 },
    writesNothing: 'Reads only.',
  }),
  endpointCase(createContext, {
    request: ({ findingId }) => ({ body: { of: 'finding', id: findingId } }),
    // A finding of the owner, which a contributor does not see.
    access: { allows: ['owner', 'reviewer', 'auditor'], foreign: 404, except: { contributor: 404 } },
    writesNothing: 'Stores filters under an ID, so that a link can contain it.',
  }),
  endpointCase(createView, {
    request: ({ contextId }) => ({
      body: { name: 'Last week', query: 'after:-7d', context: contextId, shared: true },
    }),
    access: { allows: 'members', foreign: 404 },
    writes: ['view.shared'],
  }),
  endpointCase(deleteView, {
    request: ({ viewId }) => ({ params: { viewId } }),
    access: { allows: ['owner'], foreign: 404 },
    writes: ['view.deleted'],
  }),
  endpointCase(exportEventChart, {
    request: ({ contextId }) => ({
      body: { context: contextId, query: 'after:2026-01-01', kind: 'lines', by: 'repo' },
    }),
    access: { allows: 'members', foreign: 404 },
    writes: ['event.exported'],
  }),
  endpointCase(exportEvents, {
    request: ({ contextId }) => ({ query: { context: contextId, format: 'ndjson' } }),
    access: { allows: 'members', foreign: 404 },
    writes: ['event.exported'],
  }),
  endpointCase(getHistogram, {
    request: ({ contextId }) => ({ body: { context: contextId, query: 'after:2026-01-01' } }),
    access: { allows: 'members', foreign: 404 },
    writesNothing: 'Reads only.',
  }),
  endpointCase(groupEvents, {
    request: ({ contextId }) => ({
      body: { context: contextId, query: 'after:2026-01-01', by: 'repo', compare: true },
    }),
    access: { allows: 'members', foreign: 404 },
    writesNothing: 'Reads only.',
  }),
  endpointCase(listViews, {
    access: { allows: 'members' },
  }),
  endpointCase(suggestValues, {
    request: () => ({ query: { key: 'repo', typed: 'a' } }),
    access: { allows: 'members' },
  }),
  endpointCase(updateView, {
    request: ({ viewId }) => ({ params: { viewId }, body: { name: 'Renamed' } }),
    // Shared by the owner: others may use it but not change it.
    access: { allows: ['owner'], foreign: 404, except: { exchanged: 403 } },
    writes: ['view.updated'],
  }),
];
