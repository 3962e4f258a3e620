import type { AgentTotals } from '@sightline/contract/tools/agent-sessions.ts';
import type { SentTelemetry } from './otlp.ts';

/** What a vendor publishes about the telemetry of one session, and the session that must follow from it. */
export interface VendorExample {
  /** The publication that names the events, attributes and types. Values are ours. */
  source: string;
  license: string;
  telemetry: readonly SentTelemetry[];
  session: { agent: string; vendorSessionId: string; version: string | null; models: string[]; totals: AgentTotals };
}

/** Words that no text of a prompt, argument or error may leave anywhere. */
export const canary = 'canaryprompt91d4';
const secretText = `Rename ${canary} and then push`;

const claude = {
  'session.id': 'f1b7cf4e-7c9f-4b2e-9d0a-0b8f6e1c2a11',
  'app.version': '2.1.30',
  'organization.id': '0e9d3a52-5b1f-4f6e-8b0c-2a1f0c9d8e7f',
  'user.account_uuid': '7a4b1c2d-1111-4a4a-9b9b-123456789abc',
  'user.email': 'Dev@Example.org',
  'terminal.type': 'vscode',
};
const claudeEvent = (name: string, sequence: number, attributes: SentTelemetry['resource']) => ({
  name: `claude_code.${name}`,
  at: `2026-11-02T10:00:0${sequence}.000Z`,
  attributes: {
    ...claude,
    'event.name': name,
    'event.timestamp': `2026-11-02T10:00:0${sequence}.000Z`,
    'event.sequence': sequence,
    'prompt.id': '4f3c0d4a-2222-4c4c-8d8d-abcdefabcdef',
    ...attributes,
  },
});
const claudePoint = (name: string, value: number, attributes: SentTelemetry['resource']) => ({
  name: `claude_code.${name}`,
  at: '2026-11-02T10:01:00.000Z',
  attributes: { ...claude, ...attributes },
  value,
});
const claudeResource = { 'service.name': 'claude-code', 'service.version': '2.1.30', 'os.type': 'linux' };

const claudeCode: VendorExample = {
  source: 'https://code.claude.com/docs/en/monitoring-usage',
  license: 'Names of events and attributes only',
  telemetry: [
    {
      signal: 'logs',
      resource: claudeResource,
      records: [
        claudeEvent('user_prompt', 1, { prompt_length: 42, prompt: secretText }),
        claudeEvent('api_request', 2, {
          model: 'claude-sonnet-5',
          cost_usd: '0.0125',
          duration_ms: '2310',
          input_tokens: '120',
          output_tokens: '340',
          cache_read_tokens: '9000',
          cache_creation_tokens: '50',
        }),
        claudeEvent('tool_decision', 3, { tool_name: 'Edit', decision: 'accept', source: 'user_temporary' }),
        claudeEvent('tool_result', 4, {
          tool_name: 'Edit',
          success: 'true',
          duration_ms: '31',
          tool_parameters: JSON.stringify({ description: secretText }),
        }),
        claudeEvent('tool_decision', 5, { tool_name: 'Write', decision: 'reject', source: 'user_reject' }),
        claudeEvent('tool_result', 6, {
          tool_name: 'mcp__linear__get_issue',
          success: 'false',
          error: secretText,
          duration_ms: '8',
        }),
        claudeEvent('api_error', 7, { model: 'claude-sonnet-5', error: secretText, status_code: '529', attempt: 1 }),
      ],
    },
    {
      signal: 'metrics',
      resource: claudeResource,
      records: [
        claudePoint('session.count', 1, {}),
        claudePoint('lines_of_code.count', 12, { type: 'added' }),
        claudePoint('lines_of_code.count', 3, { type: 'removed' }),
        claudePoint('commit.count', 1, {}),
        claudePoint('pull_request.count', 1, {}),
        claudePoint('cost.usage', 0.0125, { model: 'claude-sonnet-5' }),
        claudePoint('token.usage', 120, { type: 'input', model: 'claude-sonnet-5' }),
        claudePoint('code_edit_tool.decision', 1, { tool: 'Edit', decision: 'accept', language: 'TypeScript' }),
        claudePoint('active_time.total', 42.5, { type: 'user' }),
      ],
    },
  ],
  session: {
    agent: 'Claude Code',
    vendorSessionId: claude['session.id'],
    version: '2.1.30',
    models: ['claude-sonnet-5'],
    totals: {
      prompts: 1,
      requests: 1,
      requestErrors: 1,
      inputTokens: 120,
      outputTokens: 340,
      cacheReadTokens: 9000,
      cacheCreationTokens: 50,
      costUsd: 0.0125,
      toolCalls: 2,
      toolFailures: 1,
      editsAccepted: 1,
      editsRejected: 1,
      linesAdded: 12,
      linesRemoved: 3,
      commits: 1,
      pullRequests: 1,
      activeSeconds: 42.5,
    },
  },
};

const codexEvent = (name: string, second: number, attributes: SentTelemetry['resource']) => ({
  name: '',
  body: '',
  at: `2026-11-02T11:00:0${second}.000Z`,
  attributes: {
    'event.name': `codex.${name}`,
    'event.timestamp': `2026-11-02T11:00:0${second}.000Z`,
    'conversation.id': '019a3c1e-0000-7000-8000-00000000c0de',
    'app.version': '0.140.0',
    auth_mode: 'Chatgpt',
    originator: 'codex_cli_rs',
    'user.email': 'dev@example.org',
    'terminal.type': 'xterm',
    model: 'gpt-5.2-codex',
    slug: 'gpt-5.2-codex',
    ...attributes,
  },
});

const codex: VendorExample = {
  source: 'https://github.com/openai/codex/blob/main/codex-rs/otel/src/events/session_telemetry.rs',
  license: 'Apache-2.0',
  telemetry: [
    {
      signal: 'logs',
      resource: { 'service.name': 'codex_cli_rs', 'service.version': '0.140.0', env: 'prod' },
      records: [
        codexEvent('conversation_starts', 0, { provider_name: 'OpenAI', approval_policy: 'on-request' }),
        codexEvent('user_prompt', 1, { prompt_length: '42', prompt: secretText }),
        codexEvent('sse_event', 2, { 'event.kind': 'response.completed', duration_ms: '1200' }),
        codexEvent('sse_event', 3, {
          'event.kind': 'response.completed',
          input_token_count: '2000',
          output_token_count: '150',
          cached_token_count: 1800,
          reasoning_token_count: 64,
          tool_token_count: '2150',
        }),
        codexEvent('tool_decision', 4, {
          tool_name: 'apply_patch',
          call_id: 'call_1',
          decision: 'approved_for_session',
          source: 'User',
        }),
        codexEvent('tool_result', 5, {
          tool_name: 'apply_patch',
          call_id: 'call_1',
          arguments: secretText,
          duration_ms: '12',
          success: 'true',
          output: secretText,
          mcp_server: '',
        }),
      ],
    },
  ],
  session: {
    agent: 'Codex CLI',
    vendorSessionId: '019a3c1e-0000-7000-8000-00000000c0de',
    version: '0.140.0',
    models: ['gpt-5.2-codex'],
    totals: {
      prompts: 1,
      requests: 1,
      inputTokens: 2000,
      outputTokens: 150,
      cacheReadTokens: 1800,
      reasoningTokens: 64,
      toolCalls: 1,
      editsAccepted: 1,
    },
  },
};

const geminiEvent = (name: string, second: number, attributes: SentTelemetry['resource']) => ({
  name: `${name}: ${secretText}`,
  at: `2026-11-02T12:00:0${second}.000Z`,
  attributes: {
    'event.name': `gemini_cli.${name}`,
    'event.timestamp': `2026-11-02T12:00:0${second}.000Z`,
    'session.id': 'a3f0c7d2-3333-4d4d-8e8e-0123456789ab',
    'installation.id': '6c1f',
    'user.email': 'dev@example.org',
    prompt_id: 'a3f0c7d2########1',
    ...attributes,
  },
});

const gemini: VendorExample = {
  source: 'https://github.com/google-gemini/gemini-cli/blob/main/docs/cli/telemetry.md',
  license: 'Apache-2.0',
  telemetry: [
    {
      signal: 'logs',
      resource: { 'service.name': 'gemini-cli', 'service.version': '0.30.0' },
      records: [
        geminiEvent('config', 0, { model: 'gemini-3-pro', sandbox_enabled: false }),
        geminiEvent('user_prompt', 1, { prompt_length: 42, prompt: secretText }),
        geminiEvent('api_request', 2, { model: 'gemini-3-pro', request_text: secretText }),
        geminiEvent('api_response', 3, {
          model: 'gemini-3-pro',
          status_code: 200,
          duration_ms: 900,
          input_token_count: 700,
          output_token_count: 80,
          cached_content_token_count: 500,
          thoughts_token_count: 33,
          tool_token_count: 0,
          total_token_count: 1313,
          response_text: secretText,
        }),
        geminiEvent('tool_call', 4, {
          function_name: 'replace',
          function_args: secretText,
          duration_ms: 15,
          success: true,
          decision: 'auto_accept',
          tool_type: 'native',
        }),
      ],
    },
    {
      signal: 'metrics',
      resource: {
        'service.name': 'gemini-cli',
        'service.version': '0.30.0',
        'session.id': 'a3f0c7d2-3333-4d4d-8e8e-0123456789ab',
      },
      records: [
        {
          name: 'gemini_cli.lines.changed',
          at: '2026-11-02T12:01:00.000Z',
          cumulativeSince: '2026-11-02T12:00:00.000Z',
          value: 7,
          attributes: { function_name: 'replace', type: 'added' },
        },
        {
          name: 'gemini_cli.lines.changed',
          at: '2026-11-02T12:02:00.000Z',
          cumulativeSince: '2026-11-02T12:00:00.000Z',
          value: 9,
          attributes: { function_name: 'replace', type: 'added' },
        },
      ],
    },
  ],
  session: {
    agent: 'Gemini CLI',
    vendorSessionId: 'a3f0c7d2-3333-4d4d-8e8e-0123456789ab',
    version: '0.30.0',
    models: ['gemini-3-pro'],
    totals: {
      prompts: 1,
      requests: 1,
      inputTokens: 700,
      outputTokens: 80,
      cacheReadTokens: 500,
      reasoningTokens: 33,
      toolCalls: 1,
      editsAccepted: 1,
      linesAdded: 9,
    },
  },
};

const spansOf = (conversation: string): SentTelemetry['records'] => [
  {
    name: 'invoke_agent GitHub Copilot Chat',
    at: '2026-11-02T13:00:00.000Z',
    endsAt: '2026-11-02T13:00:09.000Z',
    spanId: '00000000000000a0',
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': 'github',
      'gen_ai.agent.name': 'GitHub Copilot Chat',
      'gen_ai.conversation.id': conversation,
      'gen_ai.request.model': 'gpt-5.2',
      'gen_ai.usage.input_tokens': 3000,
      'gen_ai.usage.output_tokens': 90,
    },
  },
  {
    name: 'chat gpt-5.2',
    at: '2026-11-02T13:00:01.000Z',
    endsAt: '2026-11-02T13:00:03.500Z',
    spanId: '00000000000000a1',
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'github',
      'gen_ai.conversation.id': conversation,
      'gen_ai.request.model': 'gpt-5.2',
      'gen_ai.response.model': 'gpt-5.2-2026-10-01',
      'gen_ai.response.id': 'resp-1',
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.usage.input_tokens': 3000,
      'gen_ai.usage.output_tokens': 90,
      'gen_ai.usage.cache_read.input_tokens': 2500,
      'gen_ai.usage.reasoning.output_tokens': 20,
      'gen_ai.input.messages': secretText,
      'gen_ai.output.messages': secretText,
    },
  },
  {
    name: 'execute_tool readFile',
    at: '2026-11-02T13:00:04.000Z',
    endsAt: '2026-11-02T13:00:04.050Z',
    spanId: '00000000000000a2',
    failed: true,
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.conversation.id': conversation,
      'gen_ai.tool.name': 'readFile',
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': 'call_9',
      'gen_ai.tool.call.arguments': secretText,
    },
  },
];
const spanTotals: AgentTotals = {
  requests: 1,
  inputTokens: 3000,
  outputTokens: 90,
  cacheReadTokens: 2500,
  reasoningTokens: 20,
  toolCalls: 1,
  toolFailures: 1,
};
const spanModels = ['gpt-5.2', 'gpt-5.2-2026-10-01'];

const copilot: VendorExample = {
  source: 'https://code.visualstudio.com/docs/copilot/guides/monitoring-agents',
  license: 'CC-BY-3.0-US',
  telemetry: [
    {
      signal: 'traces',
      resource: { 'service.name': 'copilot-chat', 'service.version': '0.59.0' },
      records: spansOf('b7d7f5b1-4444-4e4e-9f9f-112233445566'),
    },
  ],
  session: {
    agent: 'GitHub Copilot',
    vendorSessionId: 'b7d7f5b1-4444-4e4e-9f9f-112233445566',
    version: '0.59.0',
    models: spanModels,
    totals: spanTotals,
  },
};

const genAi: VendorExample = {
  source: 'https://github.com/open-telemetry/semantic-conventions/blob/main/docs/gen-ai/gen-ai-agent-spans.md',
  license: 'Apache-2.0',
  telemetry: [
    { signal: 'traces', resource: { 'service.name': 'our-agent' }, records: spansOf('conv_5j66UpCpwteGg4YSxUnt7lPY') },
  ],
  session: {
    agent: 'Other agents',
    vendorSessionId: 'conv_5j66UpCpwteGg4YSxUnt7lPY',
    version: null,
    models: spanModels,
    totals: spanTotals,
  },
};

/** By the ID of the vendor: every file in the folder `vendors/` has an example here. */
export const vendorExamples: Readonly<Record<string, VendorExample>> = {
  'claude-code': claudeCode,
  codex,
  copilot,
  'gemini-cli': gemini,
  'gen-ai': genAi,
};
