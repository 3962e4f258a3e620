import { type McpResult, type McpToolName, mcpResult } from '@sightline/contract/platform/mcp.ts';
import { newId } from '#core/ids.ts';
import { mcpResourceOf } from '#core/tokens.ts';
import type { TestAccount, TestServer } from '#testing/server.ts';

/** Creates the grant of an MCP client as after its sign-in, and returns it with a token. */
export async function connectMcpClient(
  server: TestServer,
  account: TestAccount,
  orgId: string,
  claims: Record<string, unknown> = {},
): Promise<{ grantId: string; token: string }> {
  const grantId = newId();
  await server.services.database.withOrg(orgId, ({ db }) =>
    db
      .insertInto('extension_grant')
      .values({
        org_id: orgId,
        id: grantId,
        account_id: account.id,
        side: 'mcp',
        type: 'claude-code',
        device: '',
        hash: Buffer.from(grantId),
      })
      .execute(),
  );
  const aud = mcpResourceOf(server.config.PUBLIC_URL);
  return { grantId, token: await server.token(account, orgId, { aud, grant: grantId, ...claims }) };
}

/** Sends a message of MCP revision 2025-11-25. */
export const sendMcp = (
  server: TestServer,
  token: string | undefined,
  message: Record<string, unknown>,
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': '2025-11-25',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
  });

interface RpcAnswer {
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
}

/** The JSON-RPC answer in a JSON or event stream response. */
export async function rpcAnswerOf(response: Response): Promise<RpcAnswer> {
  const text = await response.text();
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? text;
  return JSON.parse(data) as RpcAnswer;
}

/** The outcome of a call of a tool: its result, or the code of its refusal. */
export type ToolOutcome = { status: number; code?: string; result?: McpResult; text: string };

export async function callTool(
  server: TestServer,
  token: string | undefined,
  name: McpToolName,
  input: Record<string, unknown> = {},
): Promise<ToolOutcome> {
  const response = await sendMcp(server, token, { method: 'tools/call', params: { name, arguments: input } });
  if (response.status !== 200) return { status: response.status, text: await response.text() };
  const { result, error } = await rpcAnswerOf(response);
  if (error) return { status: 200, code: `rpc ${error.code}`, text: error.message };
  const [content] = (result?.content ?? []) as { text: string }[];
  const text = content?.text ?? '';
  if (result?.isError !== true) return { status: 200, result: mcpResult.parse(result?.structuredContent), text };
  const [, code] = /"code":"(\w+)"/.exec(text) ?? [];
  return { status: 200, code: code ?? 'invalid_input', text };
}
