// A program on a person's computer that connects to the MCP server with the official client: it signs in by OAuth with
// PKCE at a loopback address, calls the tools that it is told, and prints one JSON line for each step.
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';

const [serverUrl, clientId] = process.argv.slice(2);
const print = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

const callback = createServer();
await new Promise((resolve) => callback.listen(0, '127.0.0.1', resolve));
const redirectUrl = `http://127.0.0.1:${callback.address().port}/callback`;
const answered = new Promise((resolve) => {
  callback.on('request', (request, response) => {
    response.end('Connected. Close this page.');
    resolve(new URL(request.url, redirectUrl).searchParams);
  });
});

const stored = {};
const provider = {
  redirectUrl,
  clientMetadata: { client_name: 'Real client', redirect_uris: [redirectUrl], token_endpoint_auth_method: 'none' },
  clientInformation: () => stored.client ?? (clientId === undefined ? undefined : { client_id: clientId }),
  saveClientInformation: (client) => {
    stored.client = client;
  },
  tokens: () => stored.tokens,
  saveTokens: (tokens) => {
    stored.tokens = tokens;
  },
  redirectToAuthorization: (url) => print({ authorize: url.href }),
  saveCodeVerifier: (verifier) => {
    stored.verifier = verifier;
  },
  codeVerifier: () => stored.verifier,
  saveDiscoveryState: (state) => {
    stored.discovery = state;
  },
  discoveryState: () => stored.discovery,
};

const transport = () => new StreamableHTTPClientTransport(new URL(serverUrl), { authProvider: provider });
const newClient = () => new Client({ name: 'real-client', version: '1.0.0' });

let client = newClient();
const first = transport();
try {
  await client.connect(first);
} catch (error) {
  if (!(error instanceof UnauthorizedError)) throw error;
  await first.finishAuth(await answered);
  client = newClient();
  await client.connect(transport());
}
callback.close();
const { tools } = await client.listTools();
const { prompts } = await client.listPrompts();
print({ tools: tools.map(({ name }) => name), prompts: prompts.map(({ name }) => name) });

// Each line of the input is the name of a tool with its arguments.
for await (const line of createInterface({ input: process.stdin })) {
  const call = JSON.parse(line);
  try {
    print(await client.callTool(call));
  } catch (error) {
    print({ failed: String(error) });
  }
}
await client.close();
