import type { OutboundPurpose } from '#core/outbound.ts';
import type { Tx } from '#database/database.ts';

/** The destinations that the operator allowed for a purpose, to this organization or to all. */
export async function listAllowedDestinations(
  { query }: Tx,
  orgId: string,
  purpose: OutboundPurpose,
): Promise<string[]> {
  const rows = await query<{ destination: string }>({
    name: 'outbound.allowed',
    text: `select destination from outbound_allowance where purpose = $2
           union select destination from organization_outbound_allowance where org_id = $1 and purpose = $2`,
    values: [orgId, purpose],
  });
  return rows.map(({ destination }) => destination);
}

export interface Allowance {
  purpose: string;
  destination: string;
}

/** The allowances of all organizations. */
export const listGlobalAllowances = ({ db }: Tx): Promise<Allowance[]> =>
  db
    .selectFrom('outbound_allowance')
    .select(['purpose', 'destination'])
    .orderBy('destination')
    .orderBy('purpose')
    .execute();

/** The allowances of one organization only. */
export const listOrganizationAllowances = ({ db }: Tx, orgId: string): Promise<Allowance[]> =>
  db
    .selectFrom('organization_outbound_allowance')
    .where('org_id', '=', orgId)
    .select(['purpose', 'destination'])
    .orderBy('destination')
    .orderBy('purpose')
    .execute();
