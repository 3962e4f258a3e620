import { corePath, domainsPath, domainTest, type Mutation, mutation } from '../guard.ts';

const budget = 'providers/mail-budget.test.ts';
const addresses = domainTest('ledger/ledger', 'anchors/addresses');
const requests = 'core/request-limits.test.ts';
const anchors = `${domainsPath}/ledger/ledger/anchors`;

export const limitsGuards: readonly Mutation[] = [
  mutation(
    'limits emails per recipient',
    'server/src/providers/mail-budget.ts',
    '    if (wait > 0) throw new MailBudgetExceeded(wait);\n',
    '',
    `${budget} > shares the mail budget across processes`,
  ),
  mutation(
    'separates the email budgets of mail classes',
    'server/src/providers/mail-budget.ts',
    'effectiveLimitOf(mailLimits[mailClass], overrides)',
    "effectiveLimitOf(mailLimits[mailClass && 'request'], overrides)",
    `${budget} > they do not displace its password reset`,
  ),
  mutation(
    'refunds the budget of an email that was not sent',
    'server/src/providers/mail-budget.ts',
    '      await database.global((tx) => refundAttempts(tx, { refunded: [[limit, mailbox]] }));\n',
    '',
    `${budget} > refunds the budget of a mail that could not be sent`,
  ),
  mutation(
    'shares one budget between address tags and letter cases',
    'server/src/providers/mail-budget.ts',
    "local.replace(/(?<=.)\\+.*$/, '')",
    'local',
    `${budget} > as the mailbox`,
  ),
  mutation(
    'sends checkpoints only to confirmed addresses',
    `${anchors}/addresses.ts`,
    "    .where('confirmed_at', 'is not', null)\n",
    '',
    `${addresses} > receives checkpoints only after its recipient confirmed`,
  ),
  mutation(
    'accepts a confirmation link once',
    `${anchors}/addresses.ts`,
    'confirmed_at: sql`now()`, token_hash: null',
    'confirmed_at: sql`now()`',
    `${addresses} > receives checkpoints only after its recipient confirmed`,
  ),
  mutation(
    'rejects an expired confirmation link',
    `${anchors}/addresses.ts`,
    "    .where('c.requested_at', '>', sql<Date>",
    "    .where('c.requested_at', '<>', sql<Date>",
    `${addresses} > only the newer works, for a week`,
  ),
  mutation(
    'limits checkpoints published on demand',
    `${anchors}/commands.ts`,
    "  await countCost(services, tx, 'checkpoint', orgId);\n",
    '',
    `${addresses} > limits checkpoints published on demand`,
  ),
  mutation(
    'limits requests for confirmation',
    `${anchors}/commands.ts`,
    "    await countCost(services, tx, 'confirmation', actor.orgId);\n",
    '',
    `${addresses} > limits requests for confirmation per organization`,
  ),
  mutation(
    'limits network addresses before processing',
    `${corePath}/request-limits.ts`,
    'if (!counted.exceeded) return undefined;',
    'return undefined;',
    `${requests} > limits a network address before any processing`,
  ),
  mutation(
    'limits requests per account',
    `${corePath}/route.ts`,
    "await countRequest(services, { request, limit: 'account', subject: actor.accountId });",
    '{}',
    `${requests} > answers 429 over the limit of an account`,
  ),
  mutation(
    'limits requests per organization',
    `${corePath}/route.ts`,
    "await countRequest(services, { request, limit: 'organization', subject: actor.orgId });",
    '{}',
    `${requests} > limits an organization across its members`,
  ),
  mutation(
    'limits events per account',
    `${domainsPath}/timeline/events/routes.ts`,
    "    await count('eventsOfAccount', actor.accountId, body.length);\n",
    '',
    `${requests} > limits events of an account`,
  ),
  mutation(
    'limits events per organization',
    `${domainsPath}/timeline/events/routes.ts`,
    "    await count('eventsOfOrganization', actor.orgId, body.length);\n",
    '',
    `${requests} > limits events of an account`,
  ),
  mutation(
    'limits the database time of queries per account',
    `${corePath}/query-time.ts`,
    '        if (before.remaining <= 0) throw QueryTimeExceeded(before);\n',
    '',
    `${requests} > limits the database time of expensive queries`,
  ),
  ...(
    [
      ['pages of events', 'events/queries', 'Promise<RawJson> {\n'],
      ['counts of newer events', 'events/queries', 'Promise<z.output<typeof countEvents.response>> {\n'],
      ['histograms', 'explore/queries', 'Promise<Histogram> {\n'],
      ['groups', 'explore/groups', 'Promise<EventGroups> {\n'],
      ['hours of the week', 'explore/week-hours', 'Promise<WeekHours> {\n'],
    ] as const
  ).map(([what, file, before]) =>
    mutation(
      `counts the database time of ${what}`,
      `${domainsPath}/timeline/${file}.ts`,
      `${before}  const services = withQueryTime(given, actor);\n`,
      `${before}  const services = given;\n`,
      `${requests} > limits the database time of expensive queries`,
    ),
  ),
  mutation(
    'limits exports per hour',
    `${corePath}/route.ts`,
    '  await services.database.withOrg(orgId, (tx) => countCost(services, tx, cost, orgId));\n',
    '',
    `${requests} > limits exports per hour`,
  ),
  mutation(
    'limits concurrent exports',
    `${corePath}/route.ts`,
    '  limitConcurrentResponses(services, reply, cost, orgId);\n',
    '',
    `${requests} > limits exports per hour`,
  ),
  mutation(
    'limits snapshots per hour',
    `${domainsPath}/compliance/snapshots/commands.ts`,
    "    await countCost(services, tx, 'snapshot', orgId);\n",
    '',
    `${requests} > limits snapshots and evaluations`,
  ),
  mutation(
    'limits unfinished snapshots',
    `${domainsPath}/compliance/snapshots/commands.ts`,
    "    requireCostCapacity(services, 'snapshot', await countUnfinished(tx, orgId));\n",
    '',
    `${requests} > limits snapshots and evaluations`,
  ),
  mutation(
    'limits evaluations per hour',
    `${domainsPath}/compliance/controls/commands.ts`,
    "  await countCost(services, tx, 'evaluation', orgId);\n",
    '',
    `${requests} > limits snapshots and evaluations`,
  ),
  mutation(
    'retries rate-limited reads but no mutations',
    'web/src/app/query-client.ts',
    'failures < MAX_WAITS && waitOf(error) !== undefined',
    'waitOf(error) !== undefined',
    'web/src/app/query-client.test.ts',
  ),
];
