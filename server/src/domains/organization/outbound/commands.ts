import ipaddr from 'ipaddr.js';
import { recordAuditEntry } from '#core/audit.ts';
import { hostOfUrl, parseDestination } from '#core/destination.ts';
import { Invalid } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import { copyOperatorEntriesToAuditLogs, recordOperatorEntry } from '#core/operator-log.ts';
import type { OutboundPurpose } from '#core/outbound.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';

/** The scope of an allowance: all organizations, or one. */
export type AllowanceScope = 'all' | { orgId: string };

export interface AllowanceChange {
  purposes: readonly OutboundPurpose[];
  /** As `parseAllowance` returns it. */
  destination: string;
  allowed: boolean;
  /** The operating system login of the operator. */
  operator: string;
}

/**
 * Allows a destination that is not public for some purposes, or revokes it. Each change is recorded in its transaction:
 * in the operator log, and in the audit log of the organization or of all organizations. Returns the changed purposes.
 */
export async function changeAllowance(
  services: Services,
  scope: AllowanceScope,
  change: AllowanceChange,
): Promise<OutboundPurpose[]> {
  const { database, people } = services;
  const changed: OutboundPurpose[] = [];
  const applyAndRecord = async (purpose: OutboundPurpose, tx: Tx) => {
    if (!(await write(tx, scope, purpose, change))) return;
    const entry = entryOf(scope, purpose, change);
    changed.push(purpose);
    await recordOperatorEntry(tx, change.operator, { ...entry, subject: { ...entry.subject, kind: kindOf(scope) } });
    if (scope === 'all') return;
    await recordAuditEntry(tx, {
      people,
      orgId: scope.orgId,
      actor: { operator: change.operator, requestId: newId() },
      entry,
    });
  };
  for (const purpose of change.purposes) {
    if (scope === 'all') await database.global((tx) => applyAndRecord(purpose, tx));
    else await database.withOrg(scope.orgId, (tx) => applyAndRecord(purpose, tx));
  }
  if (scope === 'all') await copyOperatorEntriesToAuditLogs(services);
  return changed;
}

/** Parses a host, a CIDR block or an origin. Throws `Invalid` for anything else. */
export function parseAllowance(typed: string): string {
  if (ipaddr.isValidCIDR(typed)) return typed;
  const isOrigin = typed.includes('://');
  const parsed = parseDestination(isOrigin ? typed : `https://${isIpv6(typed) ? `[${typed}]` : typed}`);
  if ('problem' in parsed) throw Invalid(`"${typed}"`, parsed.problem);
  const { url } = parsed;
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '' || (!isOrigin && url.port !== '')) {
    throw Invalid(`"${typed}"`, 'must be a host, a CIDR block, or an origin such as http://checkmarx.internal:8080');
  }
  return isOrigin ? url.origin : hostOfUrl(url);
}

const isIpv6 = (typed: string): boolean => ipaddr.IPv6.isValid(typed);

const kindOf = (scope: AllowanceScope): string => (scope === 'all' ? 'destination' : 'organization destination');

function entryOf(scope: AllowanceScope, purpose: OutboundPurpose, { destination, allowed }: AllowanceChange) {
  const state = (is: boolean) => ({ state: is ? 'allowed' : 'not allowed' });
  return {
    action: allowed ? 'destination.allowed' : 'destination.revoked',
    subject: { kind: 'destination', id: destination },
    data: {
      for: scope === 'all' ? 'every organization' : `organization ${scope.orgId}`,
      purpose,
      before: state(!allowed),
      after: state(allowed),
    },
  } as const;
}

/** Inserts or deletes an allowance; returns whether anything changed. */
async function write(
  { db }: Tx,
  scope: AllowanceScope,
  purpose: OutboundPurpose,
  { destination, allowed }: AllowanceChange,
): Promise<boolean> {
  const row = { purpose, destination };
  if (scope === 'all') {
    const query = allowed
      ? db
          .insertInto('outbound_allowance')
          .values(row)
          .onConflict((conflict) => conflict.doNothing())
          .returning('purpose')
      : db
          .deleteFrom('outbound_allowance')
          .where('purpose', '=', purpose)
          .where('destination', '=', destination)
          .returning('purpose');
    return (await query.execute()).length > 0;
  }
  const { orgId } = scope;
  const query = allowed
    ? db
        .insertInto('organization_outbound_allowance')
        .values({ org_id: orgId, ...row })
        .onConflict((conflict) => conflict.doNothing())
        .returning('purpose')
    : db
        .deleteFrom('organization_outbound_allowance')
        .where('org_id', '=', orgId)
        .where('purpose', '=', purpose)
        .where('destination', '=', destination)
        .returning('purpose');
  return (await query.execute()).length > 0;
}
