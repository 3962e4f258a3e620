import type { RecordMapping } from './vendor.ts';

const request: RecordMapping = {
  kind: 'model_request',
  fields: { model: ['gen_ai.response.model', 'gen_ai.request.model'], reference: 'gen_ai.response.id' },
  measures: {
    inputTokens: 'gen_ai.usage.input_tokens',
    outputTokens: 'gen_ai.usage.output_tokens',
    cacheReadTokens: 'gen_ai.usage.cache_read.input_tokens',
    cacheCreationTokens: 'gen_ai.usage.cache_creation.input_tokens',
    reasoningTokens: ['gen_ai.usage.reasoning.output_tokens', 'gen_ai.usage.reasoning_tokens'],
  },
};

/**
 * Spans of the GenAI semantic conventions, by operation. An agent span sums up its requests, so it adds no tokens.
 * https://github.com/open-telemetry/semantic-conventions/blob/main/docs/gen-ai/gen-ai-agent-spans.md
 */
export const genAiSpans: Readonly<Record<string, RecordMapping>> = {
  chat: request,
  generate_content: request,
  text_completion: request,
  execute_tool: {
    kind: 'tool_call',
    fields: {
      tool: 'gen_ai.tool.name',
      mcpServer: ['github.copilot.tool.parameters.mcp_server_name', 'mcp.server.name'],
      reference: 'gen_ai.tool.call.id',
    },
  },
  invoke_agent: { kind: 'agent_run', fields: { model: ['gen_ai.response.model', 'gen_ai.request.model'] } },
};
