import { type CallToolResult, fromJsonSchema, McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { z } from 'zod';

/** One red pixel. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
/** A header without samples. */
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=';

type Content = CallToolResult['content'];

const text = (value: string) => ({ type: 'text' as const, text: value });
const image = { type: 'image' as const, data: png, mimeType: 'image/png' };
const resource = (uri: string, mimeType: string, value: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: value },
});

/**
 * A server with the tools, prompts and resources that the scenarios of the conformance suite ask for by name
 * (`description` of each scenario in `@modelcontextprotocol/conformance`). It keeps the state of one session.
 */
export function createConformanceServer(): McpServer {
  const server = new McpServer(
    { name: 'conformance', version: '1.0.0' },
    { capabilities: { logging: {}, completions: {}, resources: { subscribe: true } } },
  );
  registerStaticTools(server);
  registerTalkingTools(server);
  registerElicitations(server);
  registerPrompts(server);
  registerResources(server);
  return server;
}

function registerStaticTools(server: McpServer): void {
  const answers: Record<string, { content: Content; isError?: true }> = {
    test_simple_text: { content: [text('This is a simple text response for testing.')] },
    test_image_content: { content: [image] },
    test_audio_content: { content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }] },
    test_embedded_resource: {
      content: [resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
    },
    test_multiple_content_types: {
      content: [
        text('Multiple content types test:'),
        image,
        resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
      ],
    },
    test_error_handling: { content: [text('This tool intentionally returns an error for testing')], isError: true },
  };
  for (const [name, answer] of Object.entries(answers)) {
    server.registerTool(name, { description: 'Returns fixed content' }, () => answer);
  }
  const inputSchema = fromJsonSchema({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: { address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } } },
    properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
    additionalProperties: false,
  });
  const description = 'Tool with JSON Schema 2020-12 features';
  server.registerTool('json_schema_2020_12_tool', { description, inputSchema }, (input) => ({
    content: [text(JSON.stringify(input))],
  }));
}

/**
 * Tools that send notifications or requests before they answer. Requests are sent with `send`, on the stream of the
 * response: the helpers of the SDK use the stream of the session, which may not be open yet.
 */
function registerTalkingTools(server: McpServer): void {
  server.registerTool('test_tool_with_logging', { description: 'Logs three messages' }, async ({ mcpReq }) => {
    for (const message of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await mcpReq.log('info', message);
    }
    return { content: [text('Logged.')] };
  });
  server.registerTool('test_tool_with_progress', { description: 'Reports progress' }, async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
    }
    return { content: [text('Done.')] };
  });
  server.registerTool(
    'test_sampling',
    { description: 'Asks the model of the client', inputSchema: z.object({ prompt: z.string() }) },
    async ({ prompt }, { mcpReq }) => {
      const messages = [{ role: 'user' as const, content: text(prompt) }];
      const params = { messages, maxTokens: 100 };
      const { content } = await mcpReq.send({ method: 'sampling/createMessage', params });
      return { content: [text(`LLM response: ${JSON.stringify(content)}`)] };
    },
  );
  server.registerTool('test_reconnection', { description: 'Closes its stream first' }, async ({ http }) => {
    http?.closeSSE?.();
    return { content: [text('Answered after the stream was closed.')] };
  });
}

const titled = (entries: Record<string, string>) =>
  Object.entries(entries).map(([value, title]) => ({ const: value, title }));

const elicitations: Record<string, Record<string, unknown>> = {
  test_elicitation_sep1034_defaults: {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  },
  test_elicitation_sep1330_enums: {
    untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
    titledSingle: { type: 'string', oneOf: titled({ value1: 'First', value2: 'Second', value3: 'Third' }) },
    legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['One', 'Two', 'Three'] },
    untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
    titledMulti: { type: 'array', items: { anyOf: titled({ value1: 'First', value2: 'Second', value3: 'Third' }) } },
  },
};

function registerElicitations(server: McpServer): void {
  server.registerTool(
    'test_elicitation',
    { description: 'Asks the person', inputSchema: z.object({ message: z.string() }) },
    async ({ message }, { mcpReq }) => {
      const person = { username: { type: 'string' as const }, email: { type: 'string' as const } };
      const requestedSchema = { type: 'object' as const, properties: person, required: ['username', 'email'] };
      const params = { mode: 'form', message, requestedSchema };
      const answer = await mcpReq.send({ method: 'elicitation/create', params });
      return { content: [text(`User response: ${JSON.stringify(answer)}`)] };
    },
  );
  for (const [name, properties] of Object.entries(elicitations)) {
    server.registerTool(name, { description: 'Asks the person' }, async ({ mcpReq }) => {
      const requestedSchema = { type: 'object' as const, properties };
      const params = { mode: 'form', message: 'Choose', requestedSchema };
      const answer = await mcpReq.send({ method: 'elicitation/create', params });
      return { content: [text(`Elicitation completed: ${JSON.stringify(answer)}`)] };
    });
  }
}

function registerPrompts(server: McpServer): void {
  const user = (...contents: (ReturnType<typeof text> | typeof image | ReturnType<typeof resource>)[]) => ({
    messages: contents.map((content) => ({ role: 'user' as const, content })),
  });
  server.registerPrompt('test_simple_prompt', { description: 'A fixed prompt' }, () =>
    user(text('This is a simple prompt for testing.')),
  );
  const argsSchema = z.object({ arg1: z.string(), arg2: z.string() });
  server.registerPrompt('test_prompt_with_arguments', { description: 'Two arguments', argsSchema }, ({ arg1, arg2 }) =>
    user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  );
  const embedding = { description: 'A resource', argsSchema: z.object({ resourceUri: z.string() }) };
  server.registerPrompt('test_prompt_with_embedded_resource', embedding, ({ resourceUri }) =>
    user(
      resource(resourceUri, 'text/plain', 'Embedded resource content for testing.'),
      text('Please process the embedded resource above.'),
    ),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'An image' }, () =>
    user(image, text('Please analyze the image above.')),
  );
  server.server.setRequestHandler('completion/complete', () => ({ completion: { values: ['paris', 'park'] } }));
}

function registerResources(server: McpServer): void {
  const contents = {
    'test://static-text': { mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
    'test://static-binary': { mimeType: 'image/png', blob: png },
    'test://watched-resource': { mimeType: 'text/plain', text: 'Watched' },
  };
  for (const [uri, content] of Object.entries(contents)) {
    const { mimeType } = content;
    server.registerResource(uri, uri, { description: 'Fixed content', mimeType }, () => ({
      contents: [{ uri, ...content }],
    }));
  }
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  server.registerResource('template', template, { description: 'Content by ID' }, ({ href: uri }, { id }) => ({
    contents: [
      {
        uri,
        mimeType: 'application/json',
        text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
      },
    ],
  }));
  server.server.setRequestHandler('resources/subscribe', () => ({}));
  server.server.setRequestHandler('resources/unsubscribe', () => ({}));
}
