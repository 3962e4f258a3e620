import { type McpClientId, mcpClients, mcpScope } from '@sightline/contract/platform/mcp.ts';
import { type AllClientMetadata, type ClientMetadata, errors } from 'oidc-provider';

/** The metadata field that marks a client as one of the MCP server: it gets tokens for no other resource. */
export const mcpClientField = 'sightline_mcp';

/** Days until a client that registered itself must do so again. */
export const REGISTERED_CLIENT_DAYS = 90;
const MAX_REDIRECT_URIS = 10;
const MAX_NAME_CHARACTERS = 80;

/** Whether a client is an agent that connects to the MCP server, built in or registered by itself. */
export const isMcpClient = (client: object | undefined): boolean =>
  client !== undefined && (client as Record<string, unknown>)[mcpClientField] === true;

/**
 * Where each agent receives its code, RFC 8252: on this computer, at any port. `localhost` is included because agents
 * register it.
 */
const callbacks: Record<McpClientId, readonly string[]> = {
  'claude-code': loopback('/callback'),
  codex: loopback('/callback'),
  'gemini-cli': loopback('/oauth/callback'),
  vscode: [...loopback('/'), 'https://vscode.dev/redirect', 'https://insiders.vscode.dev/redirect'],
  mcp: [...loopback('/callback'), ...loopback('/oauth/callback')],
};

function loopback(path: string): string[] {
  return [`http://127.0.0.1${path}`, `http://localhost${path}`];
}

/** What every client of the MCP server is, built in or registered by itself. */
const publicClient = {
  application_type: 'native',
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
} as const satisfies Partial<ClientMetadata>;

/** The built-in clients. They are public, as every program on a person's computer: PKCE and consent protect them. */
export const builtInMcpClients: ClientMetadata[] = Object.entries(mcpClients).map(([id, name]) => ({
  client_id: id,
  client_name: name,
  redirect_uris: [...callbacks[id as McpClientId]],
  ...publicClient,
  [mcpClientField]: true,
}));

/**
 * Restricts a client that registers itself (RFC 7591) to what the built-in ones are. `isRegistration` is false for stored
 * and built-in clients. Throws `invalid_client_metadata`.
 */
export function checkRegisteredClient(isRegistration: boolean, metadata: AllClientMetadata): void {
  if (!isRegistration) return;
  const { redirect_uris: uris = [], client_name: name } = metadata;
  if (uris.length > MAX_REDIRECT_URIS) throw invalid(`at most ${MAX_REDIRECT_URIS} redirect_uris are supported`);
  if (!uris.every(isProtected)) throw invalid('redirect_uris must use https, or http on the same computer');
  if (name !== undefined && name.length > MAX_NAME_CHARACTERS) {
    throw invalid(`client_name may have at most ${MAX_NAME_CHARACTERS} characters`);
  }
  if (metadata.token_endpoint_auth_method !== 'none') {
    throw invalid('only public clients are supported: token_endpoint_auth_method must be none');
  }
  metadata[mcpClientField] = true;
}

/** Whether the address protects a code from other readers on the network. */
function isProtected(uri: string): boolean {
  const { protocol, hostname } = new URL(uri);
  return protocol !== 'http:' || ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);
}

const invalid = (description: string) => new errors.InvalidClientMetadata(description);

/** The scopes of a request of an MCP client: without a scope, or without ours, it requests to read. */
export const withMcpScope = (scope: unknown): string => {
  const scopes = typeof scope === 'string' ? scope.split(' ').filter((one) => one !== '') : [];
  return [...new Set([...scopes, mcpScope])].join(' ');
};
