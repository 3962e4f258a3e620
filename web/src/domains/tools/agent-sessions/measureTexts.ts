import type {
  AgentMeasure,
  AgentRecord,
  AgentRecordKind,
  AgentSession,
  AgentTotals,
} from '@sightline/contract/tools/agent-sessions.ts';

export const measureLabels: Record<AgentMeasure, string> = {
  prompts: 'Prompts',
  requests: 'Model requests',
  requestErrors: 'Failed model requests',
  inputTokens: 'Input tokens',
  outputTokens: 'Output tokens',
  cacheReadTokens: 'Cached input tokens',
  cacheCreationTokens: 'Tokens written to the cache',
  reasoningTokens: 'Reasoning tokens',
  costUsd: 'Cost',
  toolCalls: 'Tool calls',
  toolFailures: 'Failed tool calls',
  editsAccepted: 'Accepted edits',
  editsRejected: 'Rejected edits',
  linesAdded: 'Lines added',
  linesRemoved: 'Lines removed',
  commits: 'Commits',
  pullRequests: 'Pull requests',
  activeSeconds: 'Active time',
};

export const recordKindLabels: Record<AgentRecordKind, string> = {
  session_start: 'Session start',
  prompt: 'Prompt',
  model_request: 'Model request',
  model_error: 'Failed model request',
  tool_decision: 'Decision on a tool call',
  tool_call: 'Tool call',
  agent_run: 'Agent run',
  measurement: 'Measurement',
  build: 'Attached to a build',
};

export const personSourceTexts: Record<AgentSession['personSource'], string> = {
  key: 'Own key',
  declared: 'Declared by the agent',
  unknown: 'Not declared',
};

const number = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const dollars = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD', maximumFractionDigits: 4 });

/** '1,200', '$0.0125', '3 min'. */
export function measureText(measure: AgentMeasure, value: number): string {
  if (measure === 'costUsd') return dollars.format(value);
  if (measure === 'activeSeconds') return durationText(value * 1000);
  return number.format(value);
}

/** '850 ms', '2.3 s', '3 min'. */
const durationText = (ms: number): string =>
  ms < 1000
    ? `${Math.round(ms)} ms`
    : ms < 60_000
      ? `${(ms / 1000).toFixed(1)} s`
      : `${number.format(ms / 60_000)} min`;

/** Input and output tokens together; undefined if the agent reports none. */
export const tokensOf = ({ inputTokens, outputTokens }: AgentTotals): number | undefined =>
  inputTokens === undefined && outputTokens === undefined ? undefined : (inputTokens ?? 0) + (outputTokens ?? 0);

/** The details of a record in one line: model, tool, decision, result and quantities. */
export function recordDetails(record: AgentRecord): string {
  const { model, mcpServer, decision, success, durationMs, promptLength, measures } = record;
  const quantities = Object.entries(measures).filter(([name]) => !countedByKind.has(name as AgentMeasure));
  return [
    model,
    mcpServer === null ? null : `MCP server ${mcpServer}`,
    decision,
    success === false ? 'failed' : null,
    durationMs === null ? null : durationText(durationMs),
    promptLength === null ? null : `${number.format(promptLength)} characters`,
    ...quantities.map(([name, value]) => {
      const measure = name as AgentMeasure;
      return `${measureLabels[measure].toLowerCase()}: ${measureText(measure, value)}`;
    }),
  ]
    .filter((text) => text !== null)
    .join(' · ');
}

// The kind, decision and result of a record already say these.
const countedByKind: ReadonlySet<AgentMeasure> = new Set([
  'prompts',
  'requests',
  'requestErrors',
  'toolCalls',
  'toolFailures',
  'editsAccepted',
  'editsRejected',
]);
