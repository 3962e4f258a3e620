import { z } from 'zod';
import { MAX_MCP_NAMES, type McpServer, type McpTransport, mcpTransports } from './describe-mcp-servers.ts';

export const mcpTransportNames: Readonly<Record<McpTransport, string>> = {
  stdio: 'Command (stdio)',
  http: 'HTTP',
  sse: 'Server-sent events',
  unknown: 'Unknown',
};

export const mcpServer: z.ZodType<McpServer> = z.strictObject({
  name: z.string().min(1).max(100),
  transport: z.enum(mcpTransports),
  source: z.string().min(1).max(200),
  command: z.string().max(60).nullable(),
  version: z.string().max(60).nullable(),
  environment: z.array(z.string().max(100)).max(MAX_MCP_NAMES),
  headers: z.array(z.string().max(100)).max(MAX_MCP_NAMES),
});
