import { corePath, domainsPath, domainTest, type Mutation, mutation } from '../guard.ts';

const outgoing = `${domainsPath}/delivery/outgoing-webhooks`;
const deliveryTests = domainTest('delivery/outgoing-webhooks', 'delivery');
const routeTests = domainTest('delivery/outgoing-webhooks');

export const outgoingGuards: readonly Mutation[] = [
  mutation(
    'An outgoing webhook hears the types it wants alone',
    `${corePath}/outgoing.ts`,
    ' and enabled and (types is null or $2 = any(types))',
    ' and enabled and $2 <> $1::text',
    deliveryTests,
  ),
  mutation(
    'A webhook is not given an address inside',
    `${outgoing}/commands.ts`,
    "  await services.outboundFor(actor.orgId, 'webhook').check('url', url);\n",
    '',
    routeTests,
  ),
  mutation(
    'A webhook is not led inside later',
    `${outgoing}/commands.ts`,
    "  if (changes.url !== undefined) await services.outboundFor(actor.orgId, 'webhook').check('url', changes.url);\n",
    '',
    routeTests,
  ),
  mutation(
    'A webhook that is off is sent nothing by hand',
    `${outgoing}/commands.ts`,
    "if (!isOn(webhook)) throw Conflict('The webhook",
    "if (isOn(webhook) === undefined) throw Conflict('The webhook",
    deliveryTests,
  ),
  mutation(
    'There are twenty webhooks at most',
    `${domainsPath}/delivery/destinations/commands.ts`,
    'if (Number(count) >= max)',
    'if (Number(count) >= 1e9)',
    routeTests,
  ),
  mutation(
    'An archived organization tells nothing',
    `${outgoing}/deliver-due.ts`,
    ' and w.enabled and o.archived_at is null',
    ' and w.enabled',
    deliveryTests,
  ),
  mutation(
    'A webhook that was given up is left alone',
    `${outgoing}/deliver-due.ts`,
    ' and w.enabled and o.archived_at is null',
    ' and o.archived_at is null',
    deliveryTests,
  ),
  mutation(
    'What two processes send is sent once',
    `${outgoing}/deliver-due.ts`,
    ' for update skip locked)',
    ')',
    `${deliveryTests} > locked by another process`,
  ),
  mutation(
    'A changed secret signs for a day and no longer',
    `${domainsPath}/delivery/destinations/queries.ts`,
    'case when previous_until > now() then previous_secret_sealed end',
    'previous_secret_sealed',
    deliveryTests,
  ),
  mutation(
    'That a failure was not told is not told',
    `${outgoing}/attempts.ts`,
    '  if (silentTypes.includes(type)) return;\n',
    '',
    deliveryTests,
  ),
];
