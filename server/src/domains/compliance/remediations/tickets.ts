import type { createRemediationTickets as createCall } from '@sightline/contract/compliance/remediation-tickets.ts';
import { parsePeriod } from '@sightline/contract/core/periods.ts';
import { explainReason } from '@sightline/evidence/controls/reasons.ts';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { requestTickets } from '../../sources/trackers/commands.ts';
import { changeItem, ensureItems, findItemsById, lockRemediations } from './commands.ts';

/**
 * Requests tickets for failing items of a control. Each gets a remediation if it has none. Throws 404 for an item that
 * the actor does not see, 409 for one that did not fail, and as `requestTickets` does.
 */
export const requestRemediationTickets = (
  services: Services,
  given: Actor,
  { target, ...body }: z.output<typeof createCall.body>,
): Promise<{ requested: number; skipped: number }> => {
  const period = parsePeriod(body.period);
  if (!period) throw new Error('The contract accepted an invalid period');
  return services.database.withOrg(given.orgId, async (tx) => {
    const { actor, items } = await ensureItems(services, tx, given, { ...body, period });
    const link = `${services.config.PUBLIC_URL}/evidence/controls/${body.control}?period=${encodeURIComponent(body.period)}`;
    tx.afterCommit(() => services.realtime.notifyOrganization(given.orgId, 'orgEvidence', { controlId: body.control }));
    return requestTickets(services, tx, actor, {
      kind: 'remediation',
      drafts: items.map(({ id, subject, reasons }) => ({
        subjectId: id,
        title: `${body.control} fails: ${subject}`,
        text: [
          `Control: ${body.control}`,
          `Item: ${subject}`,
          ...reasons.map((code) => `Reason: ${explainReason(code)?.text ?? code}`),
          `Details: ${link}`,
          'The item counts as remediated when this ticket is closed. The failure remains recorded.',
        ].join('\n'),
      })),
      target,
      titleOfAll: (count) => `${body.control}: ${count} failing items`,
    });
  });
};

/** Applies what a tracker reports about the ticket of remediations: its address, or that it was closed or reopened. */
export async function applyTicket(
  services: Services,
  tx: Tx,
  orgId: string,
  {
    ids,
    tracker,
    change,
  }: { ids: readonly string[]; tracker: string; change: { ticketUrl?: string; isRemediated?: boolean } },
): Promise<void> {
  await lockRemediations(tx, orgId);
  for (const item of await findItemsById(tx, orgId, ids)) {
    // A passed retest is the end, which a ticket does not change.
    if (change.isRemediated !== undefined && item.state === 'retested') continue;
    await changeItem(
      services,
      tx,
      { orgId, accountId: null, auditActor: { integration: tracker } },
      { item, body: change },
    );
    tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgEvidence', { controlId: item.control }));
  }
}
