import type { AgentVendor } from '../vendor.ts';

const environment = {
  CLAUDE_CODE_ENABLE_TELEMETRY: '1',
  OTEL_LOGS_EXPORTER: 'otlp',
  OTEL_METRICS_EXPORTER: 'otlp',
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
  OTEL_EXPORTER_OTLP_ENDPOINT: '{address}',
  OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer {key}',
};
const settings = JSON.stringify({ env: environment }, null, 2);

export const vendor: AgentVendor = {
  id: 'claude-code',
  name: 'Claude Code',
  source: 'https://code.claude.com/docs/en/monitoring-usage',
  services: ['claude-code'],
  session: 'session.id',
  version: ['app.version', 'service.version'],
  logs: {
    'claude_code.user_prompt': {
      kind: 'prompt',
      fields: { promptLength: 'prompt_length', promptText: 'prompt', reference: 'event.sequence' },
    },
    'claude_code.api_request': {
      kind: 'model_request',
      fields: { model: 'model', durationMs: 'duration_ms', reference: 'event.sequence' },
      measures: {
        inputTokens: 'input_tokens',
        outputTokens: 'output_tokens',
        cacheReadTokens: 'cache_read_tokens',
        cacheCreationTokens: 'cache_creation_tokens',
        costUsd: 'cost_usd',
      },
    },
    'claude_code.api_error': {
      kind: 'model_error',
      fields: { model: 'model', durationMs: 'duration_ms', reference: 'event.sequence' },
    },
    'claude_code.tool_decision': {
      kind: 'tool_decision',
      fields: { tool: 'tool_name', decision: 'decision', reference: 'event.sequence' },
    },
    'claude_code.tool_result': {
      kind: 'tool_call',
      fields: {
        tool: 'tool_name',
        mcpServer: 'mcp_server_name',
        success: 'success',
        durationMs: 'duration_ms',
        reference: 'event.sequence',
      },
      touches: { commits: ['tool_parameters', 'git_commit_id'], files: ['tool_input', 'file_path'] },
    },
  },
  spans: {},
  metrics: {
    'claude_code.lines_of_code.count': { by: 'type', measures: { added: 'linesAdded', removed: 'linesRemoved' } },
    'claude_code.commit.count': { measure: 'commits' },
    'claude_code.pull_request.count': { measure: 'pullRequests' },
    'claude_code.cost.usage': { measure: 'costUsd', model: 'model' },
    'claude_code.token.usage': {
      by: 'type',
      measures: {
        input: 'inputTokens',
        output: 'outputTokens',
        cacheRead: 'cacheReadTokens',
        cacheCreation: 'cacheCreationTokens',
      },
      model: 'model',
    },
    'claude_code.code_edit_tool.decision': {
      by: 'decision',
      measures: { accept: 'editsAccepted', reject: 'editsRejected' },
    },
    'claude_code.active_time.total': { measure: 'activeSeconds' },
  },
  editTools: ['Edit', 'MultiEdit', 'Write', 'NotebookEdit'],
  setup: {
    personal: [{ name: '~/.claude/settings.json', text: settings }],
    organization: [{ name: 'managed-settings.json', text: settings }],
    note: 'Claude Code leaves out prompt texts unless OTEL_LOG_USER_PROMPTS is set. With OTEL_LOG_TOOL_DETAILS=1 it names the commits and files of a session, which joins it to changes with certainty.',
  },
};
