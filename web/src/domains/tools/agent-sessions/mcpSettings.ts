import { type McpClientId, mcpClients, mcpPath, mcpScope } from '@sightline/contract/platform/mcp.ts';

/** How an agent proves its person: by signing in with a browser, or with an access key of the person. */
export type McpCredential = 'sign-in' | 'key';

interface SettingsText {
  /** The file, or where the commands run. */
  name: string;
  text: string;
}

export interface McpSetting {
  id: McpClientId;
  name: string;
  files: readonly SettingsText[];
  /** What to do next. */
  next: string;
}

const json = (value: unknown) => JSON.stringify(value, null, 2);
/** Any free port: the server accepts each one. */
const CALLBACK_PORT = 43117;

type Text = (url: string, key: string) => Omit<McpSetting, 'id' | 'name'>;

const texts = {
  'claude-code': {
    'sign-in': (url) => ({
      files: [
        {
          name: '.mcp.json',
          text: json({
            mcpServers: {
              sightline: { type: 'http', url, oauth: { clientId: 'claude-code', callbackPort: CALLBACK_PORT } },
            },
          }),
        },
      ],
      next: 'Start Claude Code, enter /mcp, select sightline and Authenticate.',
    }),
    key: (url, key) => ({
      files: [
        {
          name: 'Terminal',
          text: `claude mcp add --transport http sightline ${url} --header "Authorization: Bearer ${key}"`,
        },
      ],
      next: 'Start Claude Code and enter /mcp to see the server.',
    }),
  },
  codex: {
    'sign-in': (url) => ({
      files: [
        {
          name: '~/.codex/config.toml',
          text: `[mcp_servers.sightline]\nurl = "${url}"\n\n[mcp_servers.sightline.oauth]\nclient_id = "codex"\ncallback_url = "http://127.0.0.1/callback"`,
        },
        { name: 'Terminal', text: 'codex mcp login sightline' },
      ],
      next: 'Start Codex and enter /mcp to see the server.',
    }),
    key: (url, key) => ({
      files: [
        {
          name: '~/.codex/config.toml',
          text: `[mcp_servers.sightline]\nurl = "${url}"\nbearer_token_env_var = "SIGHTLINE_MCP_KEY"`,
        },
        { name: 'Terminal', text: `export SIGHTLINE_MCP_KEY=${key}` },
      ],
      next: 'Start Codex in that terminal and enter /mcp to see the server.',
    }),
  },
  'gemini-cli': {
    'sign-in': (url) => ({
      files: [
        {
          name: '~/.gemini/settings.json',
          text: json({
            mcpServers: {
              sightline: { httpUrl: url, oauth: { enabled: true, clientId: 'gemini-cli', scopes: [mcpScope] } },
            },
          }),
        },
      ],
      next: 'Start Gemini CLI and enter /mcp auth sightline.',
    }),
    key: (url, key) => ({
      files: [
        {
          name: '~/.gemini/settings.json',
          text: json({ mcpServers: { sightline: { httpUrl: url, headers: { Authorization: `Bearer ${key}` } } } }),
        },
      ],
      next: 'Start Gemini CLI and enter /mcp to see the server.',
    }),
  },
  vscode: {
    'sign-in': (url) => ({
      files: [{ name: '.vscode/mcp.json', text: json({ servers: { sightline: { type: 'http', url } } }) }],
      next: 'Start the server from the file. When VS Code asks for a client ID, enter vscode, without a secret.',
    }),
    key: (url, key) => ({
      files: [
        {
          name: '.vscode/mcp.json',
          text: json({ servers: { sightline: { type: 'http', url, headers: { Authorization: `Bearer ${key}` } } } }),
        },
      ],
      next: 'Start the server from the file. Do not commit the key.',
    }),
  },
  mcp: {
    'sign-in': (url) => ({
      files: [
        {
          name: 'Settings of the agent',
          text: `URL: ${url}\nTransport: Streamable HTTP\nOAuth client ID: mcp (public, PKCE)\nScope: ${mcpScope}`,
        },
      ],
      next: 'Its callback must be on this computer, with the path /callback or /oauth/callback, at any port.',
    }),
    key: (url, key) => ({
      files: [
        {
          name: 'Settings of the agent',
          text: `URL: ${url}\nTransport: Streamable HTTP\nHeader: Authorization: Bearer ${key}`,
        },
      ],
      next: 'Keep the key out of repositories.',
    }),
  },
} as const satisfies Record<McpClientId, Record<McpCredential, Text>>;

/** The agents with settings for the MCP server, in the order of the list. */
export const mcpAgents = Object.entries(mcpClients).map(([id, name]) => ({
  value: id as McpClientId,
  label: id === 'mcp' ? 'Other agent' : name,
}));

/** The settings of an agent for the MCP server at an address. */
export function mcpSettingOf(
  id: McpClientId,
  credential: McpCredential,
  { address, key }: { address: string; key: string },
): McpSetting {
  return { id, name: mcpClients[id], ...texts[id][credential](`${address}${mcpPath}`, key) };
}
