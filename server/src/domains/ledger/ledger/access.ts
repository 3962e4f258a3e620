import type { Actor } from '#core/actor.ts';
import { recordAuditEntry } from '#core/audit.ts';
import { requireOwner } from '#core/owner-lock.ts';
import type { Services } from '#core/services.ts';
import { isLedgerPublic } from './queries.ts';

/** Makes the log of C2SP tlog-tiles public or private. Without a change nothing is recorded. */
export function changeLedgerAccess(
  services: Services,
  actor: Actor,
  { isPublic }: { isPublic: boolean },
): Promise<null> {
  const { orgId } = actor;
  return services.database.withOrg(orgId, async (tx) => {
    await requireOwner(tx, actor);
    if ((await isLedgerPublic(tx, orgId)) === isPublic) return null;
    await tx.query({
      name: 'ledger.set-access',
      text: `insert into ledger_access (org_id, is_public) values ($1, $2)
             on conflict (org_id) do update set is_public = excluded.is_public`,
      values: [orgId, isPublic],
    });
    await recordAuditEntry(tx, {
      people: services.people,
      orgId,
      actor,
      entry: {
        action: isPublic ? 'ledger.published' : 'ledger.unpublished',
        subject: { kind: 'ledger', id: orgId },
        data: {},
      },
    });
    tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgLedger', {}));
    return null;
  });
}
