import { createHash } from 'node:crypto';
import type { PortalAssertion } from '@sightline/contract/compliance/portal-assertions.ts';
import type { Actor } from '#core/actor.ts';
import { recordAuditEntry } from '#core/audit.ts';
import type { PortalActor } from '#core/auditor-portals.ts';
import { Conflict } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { lockPortal } from './commands.ts';
import { recordView } from './portal-visits.ts';
import { findPortal } from './queries.ts';

/** Maximum number of assertions in one portal. */
const MAX_ASSERTIONS = 20;

/**
 * Signs off an assertion of the management. The ledger contains its hash, and its text as a commitment. Throws 404, and
 * 409 for a closed portal or above the maximum number.
 */
export function saveAssertion(
  services: Services,
  actor: Actor,
  { portalId, text }: { portalId: string; text: string },
): Promise<PortalAssertion> {
  const { orgId } = actor;
  return services.database.withOrg(orgId, async (tx) => {
    await lockPortal(tx, orgId, portalId);
    const { name, state } = await findPortal(tx, orgId, portalId);
    if (state !== 'open') throw Conflict('This portal is not active. The auditor could not see the assertion.');
    if ((await assertionsOf(tx, orgId, portalId)).length >= MAX_ASSERTIONS)
      throw Conflict(`A portal has at most ${MAX_ASSERTIONS} assertions.`);
    const id = newId();
    await tx.db
      .insertInto('portal_assertion')
      .values({ org_id: orgId, portal_id: portalId, id, text, asserted_by: actor.accountId })
      .execute();
    await recordAuditEntry(tx, {
      people: services.people,
      orgId,
      actor,
      entry: {
        action: 'portal.asserted',
        subject: { kind: 'portal', id: portalId },
        data: { name, assertion: id, sha256: createHash('sha256').update(text).digest('hex') },
        personal: { text },
      },
    });
    tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgEvidence', { portalId }));
    const [saved] = await assertionsOf(tx, orgId, portalId);
    if (!saved) throw new Error('The assertion was not stored');
    return saved;
  });
}

/** Lists the assertions of a portal for the organization. Throws 404. */
export async function listAssertions(tx: Tx, orgId: string, portalId: string): Promise<PortalAssertion[]> {
  await findPortal(tx, orgId, portalId);
  return assertionsOf(tx, orgId, portalId);
}

/** Lists the assertions for the auditor. Records the view. */
export const viewAssertions = (services: Services, actor: PortalActor): Promise<PortalAssertion[]> =>
  services.database.withOrg(actor.orgId, async (tx) => {
    await recordView(services, tx, { actor, action: 'portal.viewed', viewDetails: { view: 'management assertions' } });
    return assertionsOf(tx, actor.orgId, actor.portal.id);
  });

/** The assertions of a portal, newest first. */
export async function assertionsOf(tx: Tx, orgId: string, portalId: string): Promise<PortalAssertion[]> {
  const rows = await tx.query<{ id: string; text: string; by: string | null; assertedAt: Date }>({
    name: 'portals.assertions',
    text: `select s.id, s.text, a.name as by, s.asserted_at as "assertedAt"
           from portal_assertion s left join visible_account a on a.id = s.asserted_by
           where s.org_id = $1 and s.portal_id = $2 order by s.asserted_at desc, s.id desc`,
    values: [orgId, portalId],
  });
  return rows.map(({ by, assertedAt, ...row }) => ({
    ...row,
    by: by ?? 'Former member',
    assertedAt: assertedAt.toISOString(),
  }));
}
