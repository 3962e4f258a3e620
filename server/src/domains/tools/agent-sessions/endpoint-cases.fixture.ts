import {
  exportAgentSessions,
  getAgentSession,
  getAgentSessionFilters,
  getAgentSetup,
  getPromptStorage,
  listAgentRecords,
  listAgentSessions,
  updatePromptStorage,
} from '@sightline/contract/tools/agent-sessions.ts';
import { endpointCase, listCases } from '../../../architecture/endpoint-case.ts';

const ofOwner = { allows: 'members', foreign: 404, except: { contributor: 404 } } as const;

export const endpointCases = [
  endpointCase(getAgentSession, {
    request: ({ agentSessionId }) => ({ params: { sessionId: agentSessionId } }),
    access: ofOwner,
  }),
  endpointCase(getAgentSessionFilters, {
    access: { allows: 'members' },
  }),
  endpointCase(getAgentSetup, {
    access: { allows: 'members' },
  }),
  endpointCase(getPromptStorage, { access: { allows: 'members' } }),
  endpointCase(updatePromptStorage, {
    request: () => ({ body: { isEnabled: true } }),
    access: { allows: ['owner'] },
    recentSignIn: true,
    writes: ['agent_prompts.storage_changed'],
  }),
  endpointCase(listAgentRecords, {
    request: ({ agentSessionId }) => ({ params: { sessionId: agentSessionId }, query: { kind: 'prompt' } }),
    access: ofOwner,
  }),
  ...listCases([listAgentSessions, exportAgentSessions], {
    request: ({ repositoryId }) => ({
      query: { agent: 'claude-code', model: 'claude-sonnet-5', repository: repositoryId, period: '2026' },
    }),
    access: { allows: 'members' },
  }),
];
