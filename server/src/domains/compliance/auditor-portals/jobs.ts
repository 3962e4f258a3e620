import { sql } from 'kysely';
import { recordAuditEntry } from '#core/audit.ts';
import { createPortalLinkToken } from '#core/auditor-portals.ts';
import { formatTime } from '#core/day.ts';
import type { JobDefinition } from '#core/jobs.ts';
import { renderMail } from '#core/pages/mail.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { MailMessage } from '#providers/mail.ts';
import { MailBudgetExceeded } from '#providers/mail-budget.ts';
import { portalLink } from './commands.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'portals.mail': { orgId: string; portalId: string };
    'portals.close': { orgId: string; portalId: string };
  }
}

interface PortalKey {
  orgId: string;
  portalId: string;
}

export const portalJobs = (services: Services): JobDefinition[] => [
  { name: 'portals.mail', handle: (data) => mail(services, data), expireMinutes: 2 },
  { name: 'portals.close', handle: (data) => close(services, data) },
];

/** Emails the auditor a personal link. A retry issues a new link, and only the latest is valid. */
async function mail(services: Services, { orgId, portalId }: PortalKey): Promise<void> {
  const { database, log, realtime } = services;
  const message = await database.withOrg(orgId, (tx) => messageOf(services, tx, { orgId, portalId }));
  if (!message) return;
  const setTimestamp = (column: 'mailed_at' | 'mail_failed_at') =>
    database.withOrg(orgId, ({ db }) =>
      db
        .updateTable('auditor_portal')
        .set({ [column]: sql`now()` })
        .where('org_id', '=', orgId)
        .where('id', '=', portalId)
        .execute(),
    );
  try {
    await services.mail.send('request', message);
    await setTimestamp('mailed_at');
  } catch (error) {
    log.error({ orgId, portalId, err: error }, 'the link of an auditor portal could not be emailed');
    await setTimestamp('mail_failed_at');
    if (!(error instanceof MailBudgetExceeded)) throw error;
  } finally {
    realtime.notifyOrganization(orgId, 'orgEvidence', { portalId });
  }
}

/** Builds the email with a new token; undefined if the portal is revoked or expired. */
async function messageOf(
  { config }: Services,
  { db }: Tx,
  { orgId, portalId }: PortalKey,
): Promise<MailMessage | undefined> {
  const { secret, hash } = createPortalLinkToken(orgId);
  const row = await db
    .updateTable('auditor_portal as r')
    .from('organization as o')
    .set({ mailed_hash: hash })
    .whereRef('o.id', '=', 'r.org_id')
    .where('r.org_id', '=', orgId)
    .where('r.id', '=', portalId)
    .where('r.revoked_at', 'is', null)
    .where('r.expires_at', '>', sql<Date>`now()`)
    .where('o.archived_at', 'is', null)
    .returning(['r.auditor_email', 'r.expires_at', 'o.display_name'])
    .executeTakeFirst();
  if (!row || row.auditor_email === null) return undefined;
  return renderMail(row.auditor_email, `Evidence of ${row.display_name}`, {
    before: [
      `${row.display_name} gave you access to an auditor portal on Sightline with evidence of its code changes.`,
      'No account is required. Your views are recorded in the ledger of the organization.',
    ],
    action: 'Open portal',
    link: portalLink(config.PUBLIC_URL, secret),
    after: [
      `The portal expires on ${formatTime(row.expires_at)}. Anyone with this link has access, so do not share it.`,
      'If you do not expect this email, ignore it.',
    ],
  });
}

/**
 * Records that a portal expired, and deletes its visits. Access ended before, because each request checks the expiry.
 */
const close = ({ database, jobs, people, realtime }: Services, { orgId, portalId }: PortalKey): Promise<void> =>
  database.withOrg(orgId, async (tx) => {
    const open = await tx.db
      .selectFrom('auditor_portal')
      .select('expires_at')
      .where('org_id', '=', orgId)
      .where('id', '=', portalId)
      .where('expires_at', '>', sql<Date>`now()`)
      .executeTakeFirst();
    // The clock was set back since this was queued.
    if (open)
      return jobs.enqueue(tx, 'portals.close', { orgId, portalId }, { key: portalId, startAfter: open.expires_at });
    await tx.db
      .deleteFrom('auditor_portal_session')
      .where('org_id', '=', orgId)
      .where('portal_id', '=', portalId)
      .execute();
    const row = await tx.db
      .updateTable('auditor_portal')
      .set({ closed_at: sql`now()` })
      .where('org_id', '=', orgId)
      .where('id', '=', portalId)
      .where('closed_at', 'is', null)
      .where('revoked_at', 'is', null)
      .where('expires_at', '<=', sql<Date>`now()`)
      .returning('name')
      .executeTakeFirst();
    if (!row) return;
    await recordAuditEntry(tx, {
      people,
      orgId,
      actor: { clock: true },
      entry: {
        action: 'portal.closed',
        subject: { kind: 'portal', id: portalId },
        data: { name: row.name },
      },
    });
    tx.afterCommit(() => realtime.notifyOrganization(orgId, 'orgEvidence', { portalId }));
  });
