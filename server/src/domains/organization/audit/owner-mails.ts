import type { AuditEntry } from '@sightline/contract/organization/audit.ts';
import { formatTime } from '#core/day.ts';
import type { JobDefinition } from '#core/jobs.ts';
import { forEachOrganization } from '#core/organizations.ts';
import { findOwnerAddresses } from '#core/owners.ts';
import { renderMail } from '#core/pages/mail.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { MailMessage } from '#providers/mail.ts';
import { findAuditEntries } from './queries.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'audit.mail-owners': Record<string, never>;
  }
}

/** Maximum number of changes that one email lists. */
const maxListedChanges = 20;

export const ownerMailJobs = (services: Services): JobDefinition[] => [
  { name: 'audit.mail-owners', handle: () => mailOwners(services), cron: '* * * * *' },
];

/** Emails the owners of every organization about security changes (`mailsOwners`), at least once per change. */
export const mailOwners = (services: Services): Promise<void> =>
  forEachOrganization(
    services,
    { job: 'audit.mail-owners', organizations: 'select orgs_with_owner_notices() as id' },
    (orgId) => mailOwnersOf(services, orgId),
  );

async function mailOwnersOf(services: Services, orgId: string): Promise<void> {
  const { database, log, mail } = services;
  const { ids, messages } = await database.withOrg(orgId, (tx) => readNotices(services, tx, orgId));
  let failure: unknown;
  let sent = 0;
  for (const message of messages) {
    try {
      await mail.send('security', message);
      sent += 1;
    } catch (error) {
      failure = error;
      log.warn({ err: error, orgId }, 'an owner could not be notified of a change by email');
    }
  }
  // If one owner received the email, it is not resent for the others.
  if (failure !== undefined && sent === 0) throw failure;
  await database.withOrg(orgId, ({ db }) =>
    db.deleteFrom('owner_notice').where('org_id', '=', orgId).where('audit_event_id', 'in', ids).execute(),
  );
}

async function readNotices(
  { config }: Services,
  tx: Tx,
  orgId: string,
): Promise<{ ids: string[]; messages: MailMessage[] }> {
  const rows = await tx.db
    .selectFrom('owner_notice')
    .select('audit_event_id')
    .where('org_id', '=', orgId)
    .orderBy('recorded_at')
    .orderBy('audit_event_id')
    .execute();
  const ids = rows.map(({ audit_event_id }) => audit_event_id);
  const entries = await findAuditEntries(tx, orgId, ids.slice(0, maxListedChanges));
  const { name, owners } = await findOwnerAddresses(tx, orgId);
  const link = (id?: string) => {
    const url = new URL('/audit', config.PUBLIC_URL);
    url.searchParams.set('organization', orgId);
    if (id !== undefined) url.searchParams.set('entry', id);
    return url.href;
  };
  const list = entries.map((entry) => ({ title: titleOf(entry), note: noteOf(entry), link: link(entry.id) }));
  const [first] = list;
  const subject = ids.length === 1 && first ? `${first.title} · ${name}` : `${ids.length} security changes in ${name}`;
  const more = ids.length - list.length;
  const content = {
    before: ['Changes in the settings of your organization:'],
    list,
    action: 'Open the audit log',
    link: link(),
    after: [
      ...(more > 0 ? [`${more} more are in the audit log.`] : []),
      `If you do not recognize these changes, end the sessions of the account and have its password changed. You receive this email as an Account Owner of ${name}. It cannot be turned off.`,
    ],
  };
  return { ids, messages: first ? owners.map((to) => renderMail(to, subject, content)) : [] };
}

const titleOf = ({ actor, sentence }: AuditEntry): string =>
  `${actor.name} ${sentence.map(({ text }) => text).join(' ')}`;

const noteOf = ({ at, address }: AuditEntry): string => {
  const time = formatTime(new Date(at));
  return address === null ? time : `${time} · from ${address}`;
};
