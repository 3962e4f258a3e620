import type { listAgentSessions } from '@sightline/contract/tools/agent-sessions.ts';
import type { CsvColumns, RowOf } from '#core/list-exports.ts';

export const agentSessionCsvColumns: CsvColumns<RowOf<typeof listAgentSessions>> = {
  agent: ({ agent }) => agent.name,
  'session ID': ({ vendorSessionId }) => vendorSessionId,
  person: ({ person }) => person?.name,
  'source of the person': ({ personSource }) => personSource,
  repository: ({ repository }) => repository?.fullName,
  branch: ({ branch }) => branch,
  version: ({ version }) => version,
  models: ({ models }) => models,
  'first activity': ({ firstAt }) => firstAt,
  'last activity': ({ lastAt }) => lastAt,
  prompts: ({ totals }) => totals.prompts,
  requests: ({ totals }) => totals.requests,
  'tool calls': ({ totals }) => totals.toolCalls,
  'input tokens': ({ totals }) => totals.inputTokens,
  'output tokens': ({ totals }) => totals.outputTokens,
  'lines added': ({ totals }) => totals.linesAdded,
  'lines removed': ({ totals }) => totals.linesRemoved,
  commits: ({ totals }) => totals.commits,
  'cost in US dollars': ({ totals }) => totals.costUsd,
  id: ({ id }) => id,
  link: ({ id }, link) => link(`/agent-sessions/${id}`),
};
