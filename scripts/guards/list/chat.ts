import { domainsPath, domainTest, type Mutation, mutation } from '../guard.ts';

const chat = `${domainsPath}/delivery/chat`;
const providers = 'server/src/providers/chat';
const slackTests = domainTest('delivery/chat', 'slack');
const hookTests = domainTest('delivery/chat', 'hook');
const teamsTests = domainTest('delivery/chat', 'teams');
const peopleTests = domainTest('delivery/chat', 'people');

export const chatGuards: readonly Mutation[] = [
  mutation(
    'rejects requests of Slack with an old time',
    `${chat}/hook.ts`,
    'if (Math.abs(Date.now() / 1000 - Number(time)) > MAX_AGE_SECONDS) return undefined;',
    '',
    hookTests,
  ),
  mutation(
    'ignores events of another Slack workspace',
    `${chat}/hook.ts`,
    'event.team_id === teamId ? ',
    'event.team_id !== undefined ? ',
    hookTests,
  ),
  mutation(
    'ignores events of Slack from before the connection',
    `${chat}/rejection.ts`,
    "    .$if(happenedAt !== undefined, (q) => q.where('connected_at', '<', happenedAt ?? new Date()))\n",
    '',
    hookTests,
  ),
  mutation('escapes text for Slack', `${providers}/slack/text.ts`, ".replaceAll('<', '&lt;')", '', slackTests),
  mutation(
    'escapes text for cards of Teams',
    `${providers}/teams/card.ts`,
    ".replaceAll(/([\\\\`*_{}[\\]()#+\\-.!|~])/g, '\\\\$1')",
    '',
    teamsTests,
  ),
  mutation(
    'sends no message while another process is sending to the channel',
    `${chat}/lease.ts`,
    '  for update of t skip locked`;',
    '`;',
    slackTests,
  ),
  mutation(
    'sends no message before the time that the service asked for',
    `${chat}/lease.ts`,
    ' and t.resumes_at <= now()',
    '',
    slackTests,
  ),
  mutation(
    'limits the posts of a minute to a channel',
    `${chat}/lease.ts`,
    'if (posts >= CHAT_POSTS_PER_MINUTE) {',
    'if (posts >= 1e9) {',
    slackTests,
  ),
  mutation(
    'repeats a post with an unknown result under the same ID',
    `${chat}/results.ts`,
    "if (!failure.isUnclear && !leased.isRepeated && failure.of !== 'post')",
    "if (!leased.isRepeated && failure.of !== 'post')",
    slackTests,
  ),
  mutation(
    'repeats a post with an unknown result under the same ID after a limit',
    `${chat}/results.ts`,
    "if (!failure.isUnclear && !leased.isRepeated && failure.of !== 'post')",
    "if (!failure.isUnclear && failure.of !== 'post')",
    slackTests,
  ),
  mutation(
    'sends no chat messages to former members',
    `${chat}/lease.ts`,
    " and m.status <> 'deactivated'",
    '',
    peopleTests,
  ),
  mutation(
    'links no Slack user by an unconfirmed address',
    `${chat}/people.ts`,
    "      .where('email_verified_at', 'is not', null)\n",
    '',
    peopleTests,
  ),
  mutation(
    'sends only notification types that the channel selects',
    `${chat}/commands.ts`,
    '  if (types !== null && !types.includes(type)) return undefined;\n',
    '',
    slackTests,
  ),
  mutation(
    'accepts no token of another Slack workspace',
    `${chat}/workspace.ts`,
    'if (former && former.team_id !== identity.teamId) {',
    'if (former && former.team_id === undefined) {',
    slackTests,
  ),
  mutation(
    'sends the messages of a failing channel at once when an operator retries',
    `${chat}/commands.ts`,
    'update chat_target set resumes_at = now()\n           where org_id = $1 and id::text = $2',
    'update chat_target set resumes_at = resumes_at\n           where org_id = $1 and id::text = $2',
    'domains/platform/operator/routes.test.ts > sends the messages of a failing chat channel at once',
  ),
];
