import { domainsPath, domainTest, type Mutation, mutation } from '../guard.ts';

const folder = `${domainsPath}/sources/trackers`;
const trackerTests = (name: string): string => `${domainTest('sources/trackers', 'trackers')} > ${name}`;
const findingTests = domainTest('vulnerabilities/triage', 'tickets');
const changeTests = domainTest('compliance/changes', 'tickets');

export const trackersGuards: readonly Mutation[] = [
  mutation(
    'does not report a ticket as deleted that a bulk read of Jira Cloud could not return',
    'server/src/providers/trackers/jira-cloud/tracker.ts',
    '      found.unread.push(...issueErrors.map(({ id }) => id));\n',
    '',
    'providers/trackers/jira/fixtures.test.ts > could not',
  ),
  mutation(
    'sends a stored token only to its own address',
    `${folder}/check.ts`,
    'row.base_url !== baseURL || ',
    '',
    trackerTests('does not send a stored token to another address'),
  ),
  mutation(
    'accepts a delivery of a tracker once, also under another ID',
    `${folder}/hook.ts`,
    '        sha256,\n        // The sync',
    '        // The sync',
    trackerTests('rejects unsigned webhooks'),
  ),
  mutation(
    'verifies deliveries of trackers with the secret of the connection',
    `${folder}/hook.ts`,
    'return connector.webhook.signatureOf(request.headers, secret);',
    'return connector.webhook.signatureOf(request.headers, secret) && { update: () => undefined, isValid: () => true };',
    trackerTests('rejects unsigned webhooks'),
  ),
  mutation(
    'sends nothing to a tracker during a rate limit',
    `${folder}/sync.ts`,
    'row.limited_until > new Date()',
    'row.limited_until < new Date(0)',
    trackerTests('waits for the end of a rate limit'),
  ),
  mutation(
    'searches for the ticket of a request before it repeats the request',
    `${folder}/create.ts`,
    'isRepeated: pending.attempts > 1',
    'isRepeated: false',
    trackerTests('creates a requested ticket once'),
  ),
  mutation(
    'counts a ticket that was created after the merge as not found',
    `${folder}/resolve.ts`,
    'if (Date.parse(ticket.createdAt) > Date.parse(at))',
    'if (Date.parse(ticket.createdAt) < 0)',
    trackerTests('reads keys as they were at a time'),
  ),
  mutation(
    'transfers only changes of tickets since the last comparison',
    `${folder}/follow.ts`,
    'await store(tx, orgId, followed.id, { local, remote, problem: null });',
    "await store(tx, orgId, followed.id, { local: local === 'open' ? 'done' : 'open', remote, problem: null });",
    findingTests,
  ),
  mutation(
    'restricts tickets to projects of the connection',
    `${folder}/commands.ts`,
    "if (!found) throw Invalid('project'",
    "if (project === '') throw Invalid('project'",
    findingTests,
  ),
  mutation(
    'never counts an unreachable tracker as an answer',
    `${domainsPath}/compliance/changes/tickets.ts`,
    "source: { state: 'partial', fetchedAt: at, reason: resolution.reason }",
    "source: { state: 'complete', fetchedAt: at, reason: null }",
    changeTests,
  ),
];
