import { domainsPath, domainTest, type Mutation, mutation } from '../guard.ts';

const notifications = `${domainsPath}/delivery/notifications`;
const routes = domainTest('delivery/notifications');
const raised = domainTest('delivery/notifications', 'raised');
const digests = domainTest('delivery/notifications', 'digests');
const storm = domainTest('delivery/notifications', 'storm');

export const notificationsGuards: readonly Mutation[] = [
  mutation(
    'does not notify the actor',
    `${notifications}/insert-sql.ts`,
    'on p.account_id is distinct from i.actor_account and (',
    'on (',
    raised,
  ),
  mutation(
    'notifies contributors only of repositories they contribute to',
    `${notifications}/insert-sql.ts`,
    'p.role_id = any(i.audience_own) and i.repository is not null',
    'p.role_id = any(i.audience_own) or i.repository is null',
    raised,
  ),
  mutation(
    'applies the severity threshold of the recipient',
    `${notifications}/insert-sql.ts`,
    'case when position - 1 <= p.threshold then v else 0 end',
    'v',
    raised,
  ),
  mutation(
    'creates one unread notification per subject',
    `${notifications}/commands.ts`,
    "where $3 <> 'unread' or not exists (",
    "where $3 <> 'unread' or $3 = 'unread' or not exists (",
    routes,
  ),
  mutation(
    'rejects changes to notifications of another account',
    `${notifications}/commands.ts`,
    "if (numUpdatedRows === 0n) throw NotFound('Notification');\n",
    '',
    routes,
  ),
  mutation(
    'excludes notifications without in-app delivery from the inbox',
    `${notifications}/queries.ts`,
    'and n.in_app ',
    'and true ',
    digests,
  ),
  mutation(
    'rejects changes to settings that the role locks',
    `${notifications}/change-settings.ts`,
    'if (locked && (differs ||',
    'if (!locked && (differs ||',
    routes,
  ),
  mutation(
    'rejects unknown time zones',
    `${notifications}/change-settings.ts`,
    "  if (!known) throw Invalid('timezone',",
    "  if (known === null) throw Invalid('timezone',",
    routes,
  ),
  mutation(
    'rejects repositories of another organization in preferences',
    `${notifications}/change-settings.ts`,
    'if (unknown !== undefined) throw Invalid(',
    'if (unknown === null) throw Invalid(',
    routes,
  ),
  mutation(
    'sends no email for read notifications',
    `${notifications}/digests.ts`,
    "n.status = 'unread' as unread,",
    'true as unread,',
    digests,
  ),
  mutation(
    'sends no email to former members',
    `${notifications}/digests.ts`,
    'const isOn = !isFormerMember && ',
    'const isOn = ',
    digests,
  ),
  mutation(
    'sends no email for an archived organization',
    `${notifications}/digests.ts`,
    '(await isArchived(tx, orgId)) ? [] : claim(tx, orgId)',
    '(await isArchived(tx, orgId)) ? claim(tx, orgId) : claim(tx, orgId)',
    digests,
  ),
  mutation(
    'sends an email once',
    `${notifications}/digests.ts`,
    ' and at <= $3 returning notification_id)',
    ' and at < $3 returning notification_id)',
    storm,
  ),
];
