import type { createFindingTickets as createCall } from '@sightline/contract/vulnerabilities/finding-tickets.ts';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import { NotFound } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { requestTickets, type TicketDraft } from '../../sources/trackers/commands.ts';
import { requireTriager } from './commands.ts';
import { lockTargets } from './queries.ts';

/** Requests tickets for findings. Throws 404 if no finding is in the actor's scope, and as `requestTickets` does. */
export const requestFindingTickets = (
  services: Services,
  requester: Actor,
  { ids, target }: z.output<typeof createCall.body>,
): Promise<{ requested: number; skipped: number }> =>
  services.database.withOrg(requester.orgId, async (tx) => {
    const actor = await requireTriager(tx, requester);
    const targets = await lockTargets(tx, actor, [...new Set(ids)]);
    if (targets.size === 0) throw NotFound('Vulnerability');
    const drafts = await draftsOf(tx, actor.orgId, [...targets.keys()], services.config.PUBLIC_URL);
    tx.afterCommit(() => services.realtime.notifyOrganization(actor.orgId, 'orgFindings', {}));
    return requestTickets(services, tx, actor, {
      kind: 'finding',
      drafts,
      target,
      titleOfAll: (count) => `${count} vulnerabilities to fix`,
    });
  });

/** The text of a ticket: no message or code of the scanner, since a tracker may have other readers. */
async function draftsOf(tx: Tx, orgId: string, ids: readonly string[], publicURL: string): Promise<TicketDraft[]> {
  const rows = await tx.query<{
    id: string;
    title: string;
    severity: string;
    repository: string;
    path: string | null;
    line: number | null;
  }>({
    name: 'triage.ticket-drafts',
    text: `select f.id, t.title, f.severity, r.full_name as repository, f.path, f.line
           from finding f join finding_title t on t.org_id = $1 and t.id = f.title_id
           join repository r on r.org_id = $1 and r.id = f.repository_id
           where f.org_id = $1 and f.id = any($2::uuid[]) order by f.id`,
    values: [orgId, ids],
  });
  return rows.map(({ id, title, severity, repository, path, line }) => ({
    subjectId: id,
    title: `${title} in ${repository}`,
    text: [
      `Severity: ${severity}`,
      `Repository: ${repository}`,
      ...(path === null ? [] : [`Location: ${path}${line === null ? '' : `:${line}`}`]),
      `Details: ${publicURL}/vulnerabilities/${id}`,
      'Sightline closes this ticket when the vulnerability is fixed or dismissed.',
    ].join('\n'),
  }));
}
