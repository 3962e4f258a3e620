import { domainsPath, domainTest, type Mutation, mutation } from '../guard.ts';

const notifications = `${domainsPath}/delivery/notifications`;
const routes = domainTest('delivery/notifications');
const raised = domainTest('delivery/notifications', 'raised');
const digests = domainTest('delivery/notifications', 'digests');
const storm = domainTest('delivery/notifications', 'storm');

export const notificationsGuards: readonly Mutation[] = [
  mutation(
    'Whoever did it is not told',
    `${notifications}/insert-sql.ts`,
    'on p.account_id is distinct from i.actor_account and (',
    'on (',
    raised,
  ),
  mutation(
    'Contributors hear of the repositories they work in alone',
    `${notifications}/insert-sql.ts`,
    'p.role_id = any(i.audience_own) and i.repository is not null',
    'p.role_id = any(i.audience_own) or i.repository is null',
    raised,
  ),
  mutation(
    'Milder findings than somebody wants are not told',
    `${notifications}/insert-sql.ts`,
    'case when place - 1 <= p.threshold then v else 0 end',
    'v',
    raised,
  ),
  mutation(
    'Of one thing only one notification is unread',
    `${notifications}/commands.ts`,
    "where $3 <> 'unread' or not exists (",
    "where $3 <> 'unread' or $3 = 'unread' or not exists (",
    routes,
  ),
  mutation(
    'One person keeps their own notifications alone',
    `${notifications}/commands.ts`,
    "if (numUpdatedRows === 0n) throw NotFound('Notification');\n",
    '',
    routes,
  ),
  mutation(
    'What is in the inbox of nobody is not listed',
    `${notifications}/queries.ts`,
    'and n.in_app ',
    'and true ',
    digests,
  ),
  mutation(
    'A locked role holds',
    `${notifications}/change-settings.ts`,
    'if (locked && (differs ||',
    'if (!locked && (differs ||',
    routes,
  ),
  mutation(
    'A time zone has to be one PostgreSQL knows',
    `${notifications}/change-settings.ts`,
    "  if (!known) throw Invalid('timezone',",
    "  if (known === null) throw Invalid('timezone',",
    routes,
  ),
  mutation(
    'Repositories of a choice have to be of the organization',
    `${notifications}/change-settings.ts`,
    'if (unknown !== undefined) throw Invalid(',
    'if (unknown === null) throw Invalid(',
    routes,
  ),
  mutation(
    'What was read is not mailed',
    `${notifications}/digests.ts`,
    "n.status = 'unread' as unread,",
    'true as unread,',
    digests,
  ),
  mutation(
    'Whoever is no member any more is not mailed',
    `${notifications}/digests.ts`,
    'const isOn = !gone && ',
    'const isOn = ',
    digests,
  ),
  mutation(
    'An archived organization mails nobody',
    `${notifications}/digests.ts`,
    '(await isArchived(tx, orgId)) ? [] : claim(tx, orgId)',
    '(await isArchived(tx, orgId)) ? claim(tx, orgId) : claim(tx, orgId)',
    digests,
  ),
  mutation(
    'A mail that was sent is not sent again',
    `${notifications}/digests.ts`,
    ' and at <= $3 returning notification_id)',
    ' and at < $3 returning notification_id)',
    storm,
  ),
];
