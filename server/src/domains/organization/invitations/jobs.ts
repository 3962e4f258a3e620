import { randomBytes } from 'node:crypto';
import { type RoleId, roleNames } from '@sightline/contract/core/permissions.ts';
import { sql } from 'kysely';
import type { JobDefinition } from '#core/jobs.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { MailMessage } from '#providers/mail.ts';
import { MailBudgetExceeded } from '#providers/mail-budget.ts';
import { raiseNotifications } from '../../delivery/notifications/commands.ts';
import { invitationTokenHash } from '../../identity/invitation-tickets/queries.ts';
import { invitationMail } from './mails.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'invitation.mail': { orgId: string; invitationId: string };
  }
}

interface InvitationKey {
  orgId: string;
  invitationId: string;
}

export const invitationJobs = (services: Services): JobDefinition[] => [
  { name: 'invitation.mail', handle: (data) => sendInvitation(services, data), concurrency: 2, expireMinutes: 2 },
];

/**
 * Emails an open invitation. A second run creates a new secret and sends the email again, since the first one may not
 * have been sent. Only the newer link works.
 */
async function sendInvitation(services: Services, key: InvitationKey): Promise<void> {
  const { database, mail, realtime, log } = services;
  const message = await database.withOrg(key.orgId, (tx) => messageOf(services, tx, key));
  if (!message) return;
  try {
    await mail.send('request', message);
  } catch (error) {
    log.error({ code: 'INVITE_ERROR', ...key, err: error }, 'an invitation could not be emailed');
    await recordFailure(services, key);
    realtime.notifyOrganization(key.orgId, 'orgMembers', {});
    // A retry fails until the email budget of the address allows it. A member can resend the invitation later.
    if (error instanceof MailBudgetExceeded) return;
    throw error;
  }
  await recordMailed(services, key);
  realtime.notifyOrganization(key.orgId, 'orgMembers', {});
}

/** The email with a new secret; undefined if the invitation was answered or revoked, or has expired. */
async function messageOf(
  { config }: Services,
  { db }: Tx,
  { orgId, invitationId }: InvitationKey,
): Promise<MailMessage | undefined> {
  const token = randomBytes(32).toString('base64url');
  const row = await db
    .updateTable('invitation as i')
    .from('organization as o')
    .set({ token_hash: invitationTokenHash(token) })
    .whereRef('o.id', '=', 'i.org_id')
    .where('i.org_id', '=', orgId)
    .where('i.id', '=', invitationId)
    .where('i.accepted_at', 'is', null)
    .where('i.declined_at', 'is', null)
    .where('i.revoked_at', 'is', null)
    .where('i.expires_at', '>', sql<Date>`now()`)
    .where('o.archived_at', 'is', null)
    .returning(['i.email', 'i.role_id', 'i.expires_at', 'i.invited_by', 'o.display_name', 'o.logo_url'])
    .executeTakeFirst();
  if (!row) return undefined;
  const inviter = await db
    .selectFrom('account')
    .select(['name', 'email'])
    .where('id', '=', row.invited_by)
    .executeTakeFirst();
  const link = new URL('/invitation', config.PUBLIC_URL);
  link.search = new URLSearchParams({ invitation: token, organization: orgId }).toString();
  return invitationMail({
    to: row.email,
    organization: row.display_name,
    logo: row.logo_url,
    role: roleNames[row.role_id as RoleId],
    inviter,
    expiresAt: row.expires_at,
    link: link.href,
  });
}

const recordMailed = ({ database }: Services, { orgId, invitationId }: InvitationKey) =>
  database.withOrg(orgId, ({ db }) =>
    db
      .updateTable('invitation')
      .set({ mailed_at: sql`now()` })
      .where('org_id', '=', orgId)
      .where('id', '=', invitationId)
      .execute(),
  );

/** Records a failure. Only the first one of an invitation triggers a notification. */
const recordFailure = (services: Services, { orgId, invitationId }: InvitationKey) =>
  services.database.withOrg(orgId, async (tx) => {
    const row = await tx.db
      .selectFrom('invitation')
      .select(['email', 'invited_by', 'mail_failed_at'])
      .where('org_id', '=', orgId)
      .where('id', '=', invitationId)
      .forUpdate()
      .executeTakeFirst();
    if (!row) return;
    await tx.db
      .updateTable('invitation')
      .set({ mail_failed_at: sql`now()` })
      .where('org_id', '=', orgId)
      .where('id', '=', invitationId)
      .execute();
    if (row.mail_failed_at !== null) return;
    const notification = {
      type: 'invitation.failed',
      invitationId,
      email: row.email,
      invitedBy: row.invited_by,
    } as const;
    await raiseNotifications(services, tx, orgId, { actor: { clock: true }, notifications: [notification] });
  });
