import { exportAgentConfiguration, listAgentConfiguration } from '@sightline/contract/tools/agent-configuration.ts';
import { reportTools } from '@sightline/contract/tools/editor-reports.ts';
import {
  exportTools,
  getTool,
  listToolDetections,
  listToolFilters,
  listToolPeople,
  listToolProjects,
  listTools,
} from '@sightline/contract/tools/tools.ts';
import { endpointCase, listCases } from '../../../architecture/endpoint-case.ts';

export const endpointCases = [
  endpointCase(exportTools, {
    request: () => ({ body: { tab: 'ci/cd' } }),
    access: { allows: 'members' },
    writes: ['tool.exported'],
  }),
  ...listCases([listAgentConfiguration, exportAgentConfiguration], {
    request: () => ({ query: { types: 'server', states: 'current' } }),
    access: { allows: 'members' },
  }),
  endpointCase(getTool, {
    request: ({ toolId }) => ({ params: { toolId } }),
    access: { allows: ['owner', 'reviewer', 'auditor'], foreign: 404, except: { contributor: 404 } },
  }),
  endpointCase(listToolDetections, {
    request: ({ toolId, repositoryId }) => ({
      params: { toolId },
      query: { repository: repositoryId },
    }),
    access: { allows: ['owner', 'reviewer', 'auditor'], foreign: 404, except: { contributor: 404 } },
  }),
  endpointCase(listToolFilters, {
    request: () => ({ query: { tab: 'developer' } }),
    access: { allows: 'members' },
  }),
  endpointCase(listToolPeople, {
    request: ({ toolId }) => ({ params: { toolId } }),
    access: { allows: ['owner', 'reviewer', 'auditor'], foreign: 404, except: { contributor: 404 } },
  }),
  endpointCase(listToolProjects, {
    request: ({ toolId }) => ({ params: { toolId } }),
    access: { allows: ['owner', 'reviewer', 'auditor'], foreign: 404, except: { contributor: 404 } },
  }),
  endpointCase(listTools, {
    request: () => ({ body: { tab: 'developer', search: 'deploy', sort: 'date-desc' } }),
    access: { allows: 'members' },
    writesNothing: 'Reads only.',
  }),
  endpointCase(reportTools, {
    request: ({ fullName }) => ({
      body: {
        deviceId: '01890000-0000-4000-8000-000000000001',
        type: 'vscode',
        version: '1.105.0',
        tools: [{ id: 'acme.helper', name: 'Helper', version: '2.0.1' }],
        repositories: [`code.example/${fullName}`],
      },
    }),
    access: { allows: 'members', accepts: 'extensions' },
    writesNothing: 'Replaces the list of extensions of an editor. The timeline records the first use of a tool.',
  }),
];
