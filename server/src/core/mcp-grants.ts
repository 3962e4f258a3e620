import type { Tx } from '#database/database.ts';

/** A connection of an MCP client that a member approved. */
export interface McpGrant {
  /** The name of the program, for the audit log. */
  client: string;
}

/**
 * Returns the grant of an access token unless it or its session ended, and records its use to the minute. Undefined also
 * for a member who left or was deactivated. Reads the database at each call, so that each takes effect at once on all nodes.
 */
export async function findActiveMcpGrant(
  tx: Tx,
  { orgId, accountId, grantId }: { orgId: string; accountId: string; grantId: string },
): Promise<McpGrant | undefined> {
  const [grant] = await tx.query<{ device: string; type: string; is_used: boolean }>({
    name: 'mcp-grants.find',
    text: `select g.device, g.type, g.last_used_at > now() - interval '1 minute' as is_used
           from extension_grant g join member m on m.org_id = g.org_id and m.account_id = g.account_id
           where g.org_id = $1 and g.id = $2 and g.account_id = $3 and g.side = 'mcp' and g.revoked_at is null
             and m.status <> 'deactivated'
             and not exists (select from account_session s where s.id = g.session_id and s.ended_at is not null)`,
    values: [orgId, grantId, accountId],
  });
  if (!grant) return undefined;
  if (!grant.is_used) {
    await tx.query({
      name: 'mcp-grants.used',
      text: 'update extension_grant set last_used_at = now() where org_id = $1 and id = $2',
      values: [orgId, grantId],
    });
  }
  return { client: grant.device === '' ? grant.type : grant.device };
}
