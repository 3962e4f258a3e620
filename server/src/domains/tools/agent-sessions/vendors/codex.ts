import type { AgentVendor } from '../vendor.ts';

const settings = `[otel]
log_user_prompt = false
exporter = { otlp-http = { endpoint = "{address}/v1/logs", protocol = "binary", headers = { "Authorization" = "Bearer {key}" } } }`;

export const vendor: AgentVendor = {
  id: 'codex',
  name: 'Codex CLI',
  source: 'https://github.com/openai/codex/blob/main/codex-rs/otel/src/events/session_telemetry.rs',
  services: ['codex_cli_rs', 'codex-cli', 'codex_exec', 'codex_vscode', 'codex-app-server'],
  session: 'conversation.id',
  version: ['app.version', 'service.version'],
  logs: {
    'codex.conversation_starts': { kind: 'session_start', fields: { model: 'model' } },
    'codex.user_prompt': {
      kind: 'prompt',
      fields: { promptLength: 'prompt_length', promptText: 'prompt', reference: 'event.timestamp' },
    },
    'codex.sse_event': {
      kind: 'model_request',
      // Several events report one response; only the last has counts.
      requires: 'input_token_count',
      fields: { model: 'model', durationMs: 'duration_ms', reference: 'event.timestamp' },
      measures: {
        inputTokens: 'input_token_count',
        outputTokens: 'output_token_count',
        cacheReadTokens: 'cached_token_count',
        reasoningTokens: 'reasoning_token_count',
      },
    },
    'codex.tool_decision': {
      kind: 'tool_decision',
      fields: { tool: 'tool_name', decision: 'decision', reference: 'call_id' },
    },
    'codex.tool_result': {
      kind: 'tool_call',
      fields: {
        tool: 'tool_name',
        mcpServer: 'mcp_server',
        success: 'success',
        durationMs: 'duration_ms',
        reference: 'call_id',
      },
    },
  },
  spans: {},
  metrics: {},
  editTools: ['apply_patch'],
  setup: {
    personal: [{ name: '~/.codex/config.toml', text: settings }],
    organization: [{ name: '/etc/codex/managed_config.toml', text: settings }],
    note: 'Codex leaves out prompt texts while log_user_prompt is false.',
  },
};
