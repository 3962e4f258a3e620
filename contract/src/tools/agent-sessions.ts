import { z } from 'zod';
import { csvExportOf } from '../core/csv-export.ts';
import { endpoint } from '../core/endpoint.ts';
import { pagedQuery } from '../core/paging.ts';
import { period } from '../core/periods.ts';
import { boundedText, commaList, timestamp } from '../core/text.ts';

/** The quantities that telemetry of agents reports. Costs are in US dollars, as the agent computes them. */
export const agentMeasures = [
  'prompts',
  'requests',
  'requestErrors',
  'inputTokens',
  'outputTokens',
  'cacheReadTokens',
  'cacheCreationTokens',
  'reasoningTokens',
  'costUsd',
  'toolCalls',
  'toolFailures',
  'editsAccepted',
  'editsRejected',
  'linesAdded',
  'linesRemoved',
  'commits',
  'pullRequests',
  'activeSeconds',
] as const;
export type AgentMeasure = (typeof agentMeasures)[number];

export const agentRecordKinds = [
  'session_start',
  'prompt',
  'model_request',
  'model_error',
  'tool_decision',
  'tool_call',
  'agent_run',
  'measurement',
  'build',
] as const;
export type AgentRecordKind = (typeof agentRecordKinds)[number];

/** OTLP signals. Logs take precedence over traces and traces over metrics where several report one measure. */
export const telemetrySignals = ['logs', 'traces', 'metrics'] as const;
export type TelemetrySignal = (typeof telemetrySignals)[number];

const agent = z.object({ id: z.string(), name: z.string() });
const totals = z.partialRecord(z.enum(agentMeasures), z.number());
export type AgentTotals = z.infer<typeof totals>;

const agentSession = z.object({
  id: z.string(),
  agent,
  /** The ID that the agent gave the session. */
  vendorSessionId: z.string(),
  person: z.object({ id: z.string(), name: z.string(), picture: z.string().nullable() }).nullable(),
  /** `key`: the person's own key or token sent it; `declared`: the telemetry names the person; `unknown`. */
  personSource: z.enum(['key', 'declared', 'unknown']),
  /** Null if the telemetry names none, or none that the reader may see. */
  repository: z.object({ id: z.string(), fullName: z.string() }).nullable(),
  branch: z.string().nullable(),
  version: z.string().nullable(),
  models: z.array(z.string()),
  firstAt: timestamp,
  lastAt: timestamp,
  totals,
});
export type AgentSession = z.infer<typeof agentSession>;

const member = { scope: 'organization', permission: 'read:events' } as const;

/** A name without spaces, such as of a model. */
const word = boundedText(200);

export const listAgentSessions = endpoint({
  method: 'GET',
  path: '/v2/agent-sessions',
  summary: 'Lists sessions of coding agents: all of them, or for a Code Contributor their own.',
  ...member,
  query: pagedQuery(['date-desc', 'date-asc'], {
    agent: commaList(word),
    model: commaList(word),
    person: commaList(z.uuid()),
    repository: commaList(z.uuid()),
    period: period.optional(),
  }),
  topics: ['orgAgents'],
  response: z.array(agentSession),
  paged: true,
});
export const exportAgentSessions = csvExportOf(listAgentSessions);
export type AgentSessionsQuery = z.output<typeof listAgentSessions.query>;

const option = z.object({ id: z.string(), name: z.string() });

export const getAgentSessionFilters = endpoint({
  method: 'GET',
  path: '/v2/agent-sessions/filters',
  summary: 'Lists the agents, models, persons and repositories of the visible sessions.',
  ...member,
  topics: ['orgAgents'],
  response: z.object({
    agents: z.array(option),
    models: z.array(z.string()),
    people: z.array(option),
    repositories: z.array(option),
  }),
});

const sessionParams = z.strictObject({ sessionId: z.uuid() });

export const getAgentSession = endpoint({
  method: 'GET',
  path: '/v2/agent-sessions/:sessionId',
  summary: 'Returns one session of a coding agent with its totals by model.',
  ...member,
  params: sessionParams,
  topics: ['orgAgents'],
  response: agentSession.extend({
    /** The totals of each model, by name. */
    byModel: z.array(z.object({ model: z.string(), totals })),
    /** The signals that the agent sent. */
    signals: z.array(z.enum(telemetrySignals)),
    /** The pages of the builds that the session was attached to, by URL. */
    builds: z.array(z.string()),
    /** The commits that the session made, by SHA or the start of it. */
    commits: z.array(z.string()),
  }),
});
export type AgentSessionDetail = z.output<typeof getAgentSession.response>;

const agentRecord = z.object({
  id: z.string(),
  at: timestamp,
  signal: z.enum(telemetrySignals),
  kind: z.enum(agentRecordKinds),
  model: z.string().nullable(),
  tool: z.string().nullable(),
  mcpServer: z.string().nullable(),
  decision: z.enum(['accepted', 'rejected']).nullable(),
  success: z.boolean().nullable(),
  durationMs: z.number().nullable(),
  /** The length of a prompt in characters. */
  promptLength: z.number().nullable(),
  /** The text of a prompt, if the organization stored texts when it arrived. Null after an erasure of the person. */
  promptText: z.string().nullable(),
  /** The quantities of this record. */
  measures: totals,
  /** The ledger entry that contains the digest of the record. */
  entryId: z.string(),
});
export type AgentRecord = z.infer<typeof agentRecord>;

export const listAgentRecords = endpoint({
  method: 'GET',
  path: '/v2/agent-sessions/:sessionId/records',
  summary: 'Lists the records of a session. Texts of prompts are included only if the organization stores them.',
  ...member,
  params: sessionParams,
  query: pagedQuery(['date-asc', 'date-desc'], { kind: commaList(z.enum(agentRecordKinds)) }),
  topics: ['orgAgents'],
  response: z.array(agentRecord),
  paged: true,
});

const promptStorage = z.object({
  isEnabled: z.boolean(),
  enabledAt: timestamp.nullable(),
  enabledBy: z.object({ id: z.string(), name: z.string(), picture: z.string().nullable() }).nullable(),
});
export type PromptStorage = z.infer<typeof promptStorage>;

export const getPromptStorage = endpoint({
  method: 'GET',
  path: '/v2/agent-prompt-storage',
  summary: 'Returns whether the organization stores texts of prompts that agents send. Every member can read it.',
  scope: 'organization',
  permission: 'read:org',
  topics: ['orgAgents'],
  response: promptStorage,
});

export const updatePromptStorage = endpoint({
  method: 'PUT',
  path: '/v2/agent-prompt-storage',
  summary: 'Starts to store texts of prompts, or stops it and deletes the stored texts.',
  scope: 'organization',
  permission: 'update:org',
  stepUp: true,
  changes: ['orgAgents'],
  body: z.strictObject({ isEnabled: z.boolean() }),
  response: promptStorage,
});

/** One file or command of a setup. Its text contains `{key}` in place of the access key. */
const setupFile = z.object({ name: z.string(), text: z.string() });

export const getAgentSetup = endpoint({
  method: 'GET',
  path: '/v2/agent-setup',
  summary: 'Returns the settings with which each agent sends its telemetry to this server.',
  ...member,
  topics: ['orgAgents'],
  response: z.array(
    agent.extend({
      /** Settings of one person, and settings that an administrator distributes. */
      personal: z.array(setupFile),
      organization: z.array(setupFile),
      note: z.string().nullable(),
      /** When the last record of this agent arrived that the reader may see. */
      lastReceivedAt: timestamp.nullable(),
    }),
  ),
});
export type AgentSetup = z.output<typeof getAgentSetup.response>[number];
