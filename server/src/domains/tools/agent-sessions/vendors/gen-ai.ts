import { genAiSpans } from '../gen-ai.ts';
import type { AgentVendor } from '../vendor.ts';

const environment = `OTEL_TRACES_EXPORTER=otlp
OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf
OTEL_EXPORTER_OTLP_ENDPOINT={address}
OTEL_EXPORTER_OTLP_HEADERS="Authorization=Bearer%20{key}"`;

export const vendor: AgentVendor = {
  id: 'gen-ai',
  name: 'Other agents',
  source: 'https://github.com/open-telemetry/semantic-conventions/tree/main/docs/gen-ai',
  services: [],
  session: 'gen_ai.conversation.id',
  version: 'service.version',
  logs: {},
  spans: genAiSpans,
  metrics: {},
  editTools: [],
  setup: {
    personal: [{ name: 'Environment of the agent', text: environment }],
    organization: [{ name: 'Environment of the agent', text: environment }],
    note: 'For agents with spans of the GenAI semantic conventions that name a conversation.',
  },
};
