import { corePath, domainsPath, domainTest, type Mutation, mutation } from '../guard.ts';

const outgoing = `${domainsPath}/delivery/outgoing-webhooks`;
const deliveryTests = domainTest('delivery/outgoing-webhooks', 'delivery');
const routeTests = domainTest('delivery/outgoing-webhooks');

export const outgoingGuards: readonly Mutation[] = [
  mutation(
    'sends only event types that the webhook selects',
    `${corePath}/outgoing-events.ts`,
    ' and enabled and (types is null or $2 = any(types))',
    ' and enabled and $2 <> $1::text',
    deliveryTests,
  ),
  mutation(
    'rejects a new webhook with a private address',
    `${outgoing}/commands.ts`,
    "  await services.outboundFor(actor.orgId, 'webhook').check('url', url);\n",
    '',
    routeTests,
  ),
  mutation(
    'rejects a private address in a changed webhook',
    `${outgoing}/commands.ts`,
    "  if (changes.url !== undefined) await services.outboundFor(actor.orgId, 'webhook').check('url', changes.url);\n",
    '',
    routeTests,
  ),
  mutation(
    'rejects a test delivery of a disabled webhook',
    `${outgoing}/commands.ts`,
    "if (!isEnabled(webhook)) throw Conflict('The webhook",
    "if (isEnabled(webhook) === undefined) throw Conflict('The webhook",
    deliveryTests,
  ),
  mutation(
    'limits an organization to twenty webhooks',
    `${domainsPath}/delivery/destinations/commands.ts`,
    'if (Number(count) >= max)',
    'if (Number(count) >= 1e9)',
    routeTests,
  ),
  mutation(
    'sends no deliveries for an archived organization',
    `${outgoing}/deliver-due.ts`,
    ' and w.enabled and o.archived_at is null',
    ' and w.enabled',
    deliveryTests,
  ),
  mutation(
    'sends no deliveries to a disabled webhook',
    `${outgoing}/deliver-due.ts`,
    ' and w.enabled and o.archived_at is null',
    ' and o.archived_at is null',
    deliveryTests,
  ),
  mutation(
    'sends a delivery once with several processes',
    `${outgoing}/deliver-due.ts`,
    ' for update skip locked)',
    ')',
    `${deliveryTests} > locked by another process`,
  ),
  mutation(
    'accepts the previous secret for one day only',
    `${domainsPath}/delivery/destinations/queries.ts`,
    'case when previous_until > now() then previous_secret_sealed end',
    'previous_secret_sealed',
    deliveryTests,
  ),
  mutation(
    'sends no failure events for deliveries of failure events',
    `${outgoing}/attempts.ts`,
    '  if (typesWithoutNotification.includes(type)) return;\n',
    '',
    deliveryTests,
  ),
];
