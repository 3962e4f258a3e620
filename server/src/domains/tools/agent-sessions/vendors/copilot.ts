import { genAiSpans } from '../gen-ai.ts';
import type { AgentVendor } from '../vendor.ts';

const settings = JSON.stringify(
  {
    'github.copilot.chat.otel.enabled': true,
    'github.copilot.chat.otel.exporterType': 'otlp-http',
    'github.copilot.chat.otel.otlpEndpoint': '{address}',
    'github.copilot.chat.otel.captureContent': false,
  },
  null,
  2,
);
const headers = 'OTEL_EXPORTER_OTLP_HEADERS="Authorization=Bearer%20{key}"';
const terminal = `COPILOT_OTEL_ENABLED=true
OTEL_EXPORTER_OTLP_ENDPOINT={address}
${headers}`;

export const vendor: AgentVendor = {
  id: 'copilot',
  name: 'GitHub Copilot',
  source: 'https://code.visualstudio.com/docs/copilot/guides/monitoring-agents',
  services: ['copilot-chat', 'github-copilot'],
  session: ['gen_ai.conversation.id', 'copilot_chat.session_id', 'session.id'],
  version: 'service.version',
  logs: {},
  spans: genAiSpans,
  metrics: {},
  editTools: [],
  setup: {
    personal: [
      { name: 'settings.json of VS Code', text: settings },
      { name: 'Environment of VS Code', text: headers },
      { name: 'Environment of Copilot CLI', text: terminal },
    ],
    organization: [
      { name: 'settings.json of VS Code, as a policy', text: settings },
      { name: 'Environment of each machine', text: terminal },
    ],
    note: 'Copilot leaves out prompt texts while captureContent is false.',
  },
};
