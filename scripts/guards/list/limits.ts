import { corePath, domainsPath, domainTest, type Mutation, mutation } from '../guard.ts';

const budget = 'providers/mail-budget.test.ts';
const addresses = domainTest('ledger/ledger', 'anchors/addresses');
const requests = 'core/request-limits.test.ts';
const anchors = `${domainsPath}/ledger/ledger/anchors`;

export const limitsGuards: readonly Mutation[] = [
  mutation(
    'A recipient is sent no more than its budget',
    'server/src/providers/mail-budget.ts',
    '    if (wait > 0) throw new MailBudgetExceeded(wait);\n',
    '',
    `${budget} > shares the mail budget across processes`,
  ),
  mutation(
    'A class of mail spends its own share of the budget',
    'server/src/providers/mail-budget.ts',
    'effectiveLimitOf(mailLimits[mailClass], overrides)',
    "effectiveLimitOf(mailLimits[mailClass && 'request'], overrides)",
    `${budget} > they do not displace its password reset`,
  ),
  mutation(
    'A mail that was not sent costs no budget',
    'server/src/providers/mail-budget.ts',
    '      await database.global((tx) => refundAttempts(tx, { refunded: [[limit, mailbox]] }));\n',
    '',
    `${budget} > refunds the budget of a mail that could not be sent`,
  ),
  mutation(
    'Tags and letter case lead to the same budget',
    'server/src/providers/mail-budget.ts',
    "local.replace(/(?<=.)\\+.*$/, '')",
    'local',
    `${budget} > as the mailbox`,
  ),
  mutation(
    'An address that did not confirm gets no checkpoint',
    `${anchors}/addresses.ts`,
    "    .where('confirmed_at', 'is not', null)\n",
    '',
    `${addresses} > receives checkpoints only after its recipient confirmed`,
  ),
  mutation(
    'A link that confirms an address works once',
    `${anchors}/addresses.ts`,
    'confirmed_at: sql`now()`, token_hash: null',
    'confirmed_at: sql`now()`',
    `${addresses} > receives checkpoints only after its recipient confirmed`,
  ),
  mutation(
    'A link that confirms an address ends',
    `${anchors}/addresses.ts`,
    "    .where('c.requested_at', '>', sql<Date>",
    "    .where('c.requested_at', '<>', sql<Date>",
    `${addresses} > only the newer works, for a week`,
  ),
  mutation(
    'Checkpoints on demand are limited',
    `${anchors}/commands.ts`,
    "  await countCost(services, tx, 'checkpoint', orgId);\n",
    '',
    `${addresses} > limits checkpoints published on demand`,
  ),
  mutation(
    'Requests for confirmation are limited',
    `${anchors}/commands.ts`,
    "    await countCost(services, tx, 'confirmation', actor.orgId);\n",
    '',
    `${addresses} > limits requests for confirmation per organization`,
  ),
  mutation(
    'An address is limited before anything is done for it',
    `${corePath}/request-limits.ts`,
    'if (!counted.exceeded) return undefined;',
    'return undefined;',
    `${requests} > limits a network address before any processing`,
  ),
  mutation(
    'An account is limited',
    `${corePath}/route.ts`,
    "await countRequest(services, { request, limit: 'account', subject: actor.accountId });",
    '{}',
    `${requests} > answers 429 over the limit of an account`,
  ),
  mutation(
    'An organization is limited',
    `${corePath}/route.ts`,
    "await countRequest(services, { request, limit: 'organization', subject: actor.orgId });",
    '{}',
    `${requests} > limits an organization across its members`,
  ),
  mutation(
    'Events of an account are limited',
    `${domainsPath}/timeline/events/routes.ts`,
    "    await count('eventsOfAccount', actor.accountId, body.length);\n",
    '',
    `${requests} > limits events of an account`,
  ),
  mutation(
    'Events of an organization are limited',
    `${domainsPath}/timeline/events/routes.ts`,
    "    await count('eventsOfOrganization', actor.orgId, body.length);\n",
    '',
    `${requests} > limits events of an account`,
  ),
  mutation(
    'Exports are limited by the hour',
    `${corePath}/route.ts`,
    '  await services.database.withOrg(orgId, (tx) => countCost(services, tx, cost, orgId));\n',
    '',
    `${requests} > limits exports per hour`,
  ),
  mutation(
    'Exports that run at once are limited',
    `${corePath}/route.ts`,
    '  limitConcurrentResponses(services, reply, cost, orgId);\n',
    '',
    `${requests} > limits exports per hour`,
  ),
  mutation(
    'Snapshots are limited by the hour',
    `${domainsPath}/compliance/snapshots/commands.ts`,
    "    await countCost(services, tx, 'snapshot', orgId);\n",
    '',
    `${requests} > limits snapshots and evaluations`,
  ),
  mutation(
    'Unfinished snapshots are limited',
    `${domainsPath}/compliance/snapshots/commands.ts`,
    "    requireCostCapacity(services, 'snapshot', await countUnfinished(tx, orgId));\n",
    '',
    `${requests} > limits snapshots and evaluations`,
  ),
  mutation(
    'Evaluations are limited by the hour',
    `${domainsPath}/compliance/controls/commands.ts`,
    "  await countCost(services, tx, 'evaluation', orgId);\n",
    '',
    `${requests} > limits snapshots and evaluations`,
  ),
  mutation(
    'A read that was rate limited is asked again, a change never',
    'web/src/app/query-client.ts',
    'failures < MAX_WAITS && waitOf(error) !== undefined',
    'waitOf(error) !== undefined',
    'web/src/app/query-client.test.ts',
  ),
];
