import { architectureTest, corePath, domainsPath, type Mutation, mutation } from '../guard.ts';

const server = `${domainsPath}/platform/mcp`;
const identity = `${domainsPath}/identity/authentication`;
const access = architectureTest('mcp-access');
const routes = 'domains/platform/mcp/routes.test.ts';
const signIn = 'domains/identity/authentication/mcp-sign-in.test.ts';

export const mcpGuards: readonly Mutation[] = [
  mutation(
    'accepts only tokens for the MCP server',
    `${server}/authenticate.ts`,
    'await services.verifyMcpToken(token)',
    '((await services.verifyMcpToken(token)) ?? (await services.verifyToken(token)))',
    `${access} > pageToken`,
  ),
  mutation(
    'rejects a revoked grant of an MCP client',
    `${corePath}/mcp-grants.ts`,
    "g.side = 'mcp' and g.revoked_at is null",
    "g.side = 'mcp'",
    `${access} > revokedGrant`,
  ),
  mutation(
    'binds a token of an MCP client to the account of its grant',
    `${corePath}/mcp-grants.ts`,
    'and g.account_id = $3 and g.side',
    'and ($3::uuid is not null) and g.side',
    `${access} > grantOfOther`,
  ),
  mutation(
    'calls an endpoint for an MCP client with its permission only',
    `${corePath}/route.ts`,
    'requireMemberActor(services.memberships, { claims, request, permission, isUse: true })',
    'requireMemberActor(services.memberships, { claims, request, permission: undefined, isUse: true })',
    `${access} > get_control`,
  ),
  mutation(
    'refuses pages of other sites at the MCP server',
    `${server}/routes.ts`,
    'requireOwnOrigin(request, PUBLIC_URL);',
    '',
    `${routes} > refuses pages of other sites`,
  ),
  mutation(
    'delimits text of others',
    `${server}/untrusted.ts`,
    'isTrusted(path) || isFixed(part, of) ? part : mark(part)',
    'part',
    `${routes} > appears only inside the delimiters`,
  ),
  mutation(
    'draws the delimiters of untrusted text for each result',
    `${server}/untrusted.ts`,
    "randomBytes(12).toString('base64url')",
    "'AAAAAAAAAAAAAAAA'",
    `${routes} > appears only inside the delimiters`,
  ),
  mutation(
    'records a call of a tool before its result leaves',
    `${server}/run-tool.ts`,
    "await recordToolCall(services, caller, request, { ...call, outcome: 'succeeded' });",
    '',
    `${routes} > returns nothing that the audit log did not accept`,
  ),
  mutation(
    'asks for consent at each connection of an MCP client',
    `${identity}/policy.ts`,
    'isMcpClient(oidc.client) && consentOf(oidc) === undefined,',
    'false,',
    `${signIn} > asks again for each connection`,
  ),
  mutation(
    'renews no token of a disconnected MCP client',
    `${identity}/claims.ts`,
    "if (connectionId !== undefined && (await isConnectionRevoked(database, orgId, connectionId))) return 'refused';",
    '',
    `${signIn} > after the person disconnects the client`,
  ),
];
