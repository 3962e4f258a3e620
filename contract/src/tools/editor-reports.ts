import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { boundedText } from '../core/text.ts';
import { extensionType } from '../identity/extensions.ts';
import { MAX_MCP_SERVERS } from './describe-mcp-servers.ts';
import { mcpServer } from './mcp-servers.ts';
import { userConfiguredAgents } from './user-configured-agents.ts';

/** Maximum number of extensions that one editor reports. */
export const MAX_REPORTED_TOOLS = 1000;

export const reportTools = endpoint({
  method: 'PUT',
  path: '/v2/user/tools',
  summary: 'Reports the installed extensions of an editor. Omitted extensions count as uninstalled.',
  scope: 'organization',
  permission: 'read:org',
  extension: true,
  body: z.strictObject({
    /** ID of the installation, not of the window. */
    deviceId: z.uuid(),
    type: extensionType,
    version: boundedText(40),
    tools: z
      .array(
        z.strictObject({
          id: boundedText(200).min(1),
          name: boundedText(200).default(''),
          version: boundedText(80).default(''),
        }),
      )
      .max(MAX_REPORTED_TOOLS),
    /** The MCP servers that the editor configures for its user, described without secrets. Undefined: not reported. */
    mcpServers: z.array(mcpServer).max(MAX_MCP_SERVERS).optional(),
    /**
     * The MCP servers that agents configure for this user, if the user allows the editor to read them. An agent that is
     * missing was not read.
     */
    agentMcpServers: z
      .array(z.strictObject({ agent: z.enum(userConfiguredAgents), servers: z.array(mcpServer).max(MAX_MCP_SERVERS) }))
      .max(userConfiguredAgents.length)
      .optional(),
    /** Git remotes of the open folders: host and path. */
    repositories: z.array(boundedText(500)).max(50).default([]),
  }),
  status: 204,
  changes: ['orgTools'],
  response: z.null(),
});
