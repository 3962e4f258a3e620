import type { AgentVendor } from '../vendor.ts';

const settings = JSON.stringify(
  {
    telemetry: { enabled: true, target: 'local', otlpEndpoint: '{address}', otlpProtocol: 'http', logPrompts: false },
  },
  null,
  2,
);
const headers = 'OTEL_EXPORTER_OTLP_HEADERS="Authorization=Bearer%20{key}"';

export const vendor: AgentVendor = {
  id: 'gemini-cli',
  name: 'Gemini CLI',
  source: 'https://github.com/google-gemini/gemini-cli/blob/main/docs/cli/telemetry.md',
  services: ['gemini-cli'],
  session: 'session.id',
  version: 'service.version',
  logs: {
    'gemini_cli.config': { kind: 'session_start', fields: { model: 'model' } },
    'gemini_cli.user_prompt': {
      kind: 'prompt',
      fields: { promptLength: 'prompt_length', promptText: 'prompt', reference: 'prompt_id' },
    },
    'gemini_cli.api_response': {
      kind: 'model_request',
      fields: { model: 'model', durationMs: 'duration_ms', reference: 'prompt_id' },
      measures: {
        inputTokens: 'input_token_count',
        outputTokens: 'output_token_count',
        cacheReadTokens: 'cached_content_token_count',
        reasoningTokens: 'thoughts_token_count',
      },
    },
    'gemini_cli.api_error': {
      kind: 'model_error',
      fields: { model: 'model', durationMs: 'duration_ms', reference: 'prompt_id' },
    },
    'gemini_cli.tool_call': {
      kind: 'tool_call',
      fields: {
        tool: 'function_name',
        mcpServer: 'mcp_server_name',
        decision: 'decision',
        success: 'success',
        durationMs: 'duration_ms',
        reference: 'prompt_id',
      },
    },
  },
  spans: {},
  metrics: {
    'gemini_cli.token.usage': {
      by: 'type',
      measures: { input: 'inputTokens', output: 'outputTokens', cache: 'cacheReadTokens', thought: 'reasoningTokens' },
      model: 'model',
    },
    'gemini_cli.tool.call.count': { measure: 'toolCalls' },
    'gemini_cli.api.request.count': { measure: 'requests', model: 'model' },
    'gemini_cli.lines.changed': { by: 'type', measures: { added: 'linesAdded', removed: 'linesRemoved' } },
  },
  editTools: ['replace', 'write_file', 'edit'],
  setup: {
    personal: [
      { name: '~/.gemini/settings.json', text: settings },
      { name: '~/.gemini/.env', text: headers },
    ],
    organization: [
      { name: '/etc/gemini-cli/settings.json', text: settings },
      { name: 'Environment of each machine', text: headers },
    ],
    note: 'Gemini CLI sends prompt texts unless logPrompts is false. This server stores none.',
  },
};
