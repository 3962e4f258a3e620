import type { FastifyRequest } from 'fastify';
import { recordAuditEntry } from '#core/audit.ts';
import type { Services } from '#core/services.ts';
import type { McpCaller } from './authenticate.ts';

const MAX_INPUT_CHARACTERS = 1_000;

/** A call of a tool; `outcome` is `succeeded`, the code of the refusal, or `failed`. */
interface ToolCall {
  tool: string;
  input: unknown;
  outcome: string;
}

/** Records a call in the audit log. Its input is personal data, because a query may contain names and addresses. */
export function recordToolCall(
  services: Services,
  { claims: { orgId, accountId }, personId, client }: McpCaller,
  request: FastifyRequest,
  { tool, input, outcome }: ToolCall,
): Promise<void> {
  return services.database.withOrg(orgId, async (tx) => {
    await recordAuditEntry(tx, {
      people: services.people,
      orgId,
      actor: { accountId, personId, requestId: request.id, address: request.ip },
      entry: {
        action: 'mcp_tool.called',
        subject: { kind: 'organization', id: orgId },
        data: { tool, client, outcome },
        personal: { input: (JSON.stringify(input) ?? '').slice(0, MAX_INPUT_CHARACTERS) },
      },
    });
    tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgAudit', {}));
  });
}
