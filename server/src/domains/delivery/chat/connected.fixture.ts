import { addChatChannel, connectSlack, listChatChannels } from '@sightline/contract/delivery/chat.ts';
import type { NotificationFacts } from '@sightline/contract/delivery/notification-types.ts';
import { textsIn } from '@sightline/sandbox/slack/api.ts';
import { currentToken, type SlackWorkspace, signingSecretOf } from '@sightline/sandbox/slack/workspace.ts';
import { workflowUrlOf } from '@sightline/sandbox/teams/workflows.ts';
import { createRepository } from '@sightline/sandbox/testing/repository.ts';
import { newId } from '#core/ids.ts';
import { type SandboxGithub, startSandboxGithub } from '#providers/github/sandbox.fixture.ts';
import { startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { raiseNotifications } from '../notifications/commands.ts';
import { runJob } from '../notifications/testing/scene.ts';
import { sendDue } from './send-due.ts';

export const security = 'C0SECURITY';
export const general = 'C0GENERAL1';

/** Starts the sandbox with its chat services, and a server that sends to them. */
export async function startChatServers() {
  const repository = createRepository('widgets');
  await repository.start();
  await repository.commit('First steps');
  const github = await startSandboxGithub([repository.path]);
  const server = await startTestServer({ environment: { SLACK_API_URL: `${github.sandbox.url}/slack/api` } });
  const close = async () => {
    await server.close();
    await github.close();
    await repository.remove();
  };
  return { github, server, close };
}

/** Restores the workspace of the sandbox and forgets its messages. */
export function resetWorkspace(slack: SlackWorkspace): void {
  const { kept } = slack;
  kept.messages.length = 0;
  slack.events.length = 0;
  Object.assign(kept, { installed: true, missing: [], requestURL: '', revoked: kept.tokens - 1 });
  for (const channel of kept.channels) {
    channel.isMember = channel.name !== 'random';
    channel.isArchived = channel.name === 'history';
  }
}

/** Helpers for tests of chat services: connect, add channels, raise notifications, and send due messages. */
export const createChatHelpers = (server: () => TestServer, github: () => SandboxGithub) => {
  const ask = ({ owner, id }: TestOrganization) => server().as(owner, id);
  const slack = () => github().sandbox.slack;
  const inOrg = <Result>(org: TestOrganization, work: Parameters<TestServer['services']['database']['withOrg']>[1]) =>
    server().services.database.withOrg(org.id, work) as Promise<Result>;
  return {
    ask,
    inOrg,
    /** Connects the workspace of the sandbox with its current token. */
    connect: (org: TestOrganization) =>
      ask(org)(connectSlack, { body: { token: currentToken(slack()), signingSecret: signingSecretOf(slack()) } }),
    addSlack: (org: TestOrganization, channel = security, more: object = {}) =>
      ask(org)(addChatChannel, { body: { service: 'slack', channel, ...more } }),
    addTeams: (org: TestOrganization, workflow = 0, more: object = {}) => {
      const { teams } = github().sandbox;
      const one = teams.workflows[workflow];
      if (!one) throw new Error('There is no such workflow.');
      return ask(org)(addChatChannel, {
        body: { service: 'teams', name: one.name, url: workflowUrlOf(teams, one), ...more },
      });
    },
    /** Raises notifications and distributes them to inboxes and chats. */
    raise: async (org: TestOrganization, notifications: readonly NotificationFacts[]) => {
      await server().services.database.withOrg(org.id, (tx) =>
        raiseNotifications(server().services, tx, org.id, { actor: { integration: 'test' }, notifications }),
      );
      await runJob(server(), 'notifications.deliver', org.id);
    },
    /** Runs the job of every channel and person once. */
    send: async (org: TestOrganization) => {
      const targets = await server().services.database.withOrg(org.id, ({ db }) =>
        db.selectFrom('chat_target').where('org_id', '=', org.id).select('id').orderBy('id').execute(),
      );
      for (const { id } of targets) await sendDue(server().services, { orgId: org.id, targetId: id });
    },
    /** Ends every delay, as if its time had passed. */
    endDelays: (org: TestOrganization) =>
      server().services.database.withOrg(org.id, (tx) =>
        tx.query({
          name: '',
          text: `update chat_target set resumes_at = now(), window_at = now() - interval '2 minutes' where org_id = $1`,
          values: [org.id],
        }),
      ),
    channels: async (org: TestOrganization) => (await ask(org)(listChatChannels, { query: { sort: 'date-asc' } })).rows,
    /** The texts of the messages in a Slack channel, in order. */
    received: (channel = security) =>
      slack()
        .kept.messages.filter((message) => message.channel === channel)
        .map(({ blocks }) => textsIn(blocks)),
    messages: (channel = security) => slack().kept.messages.filter((message) => message.channel === channel),
  };
};

/** A failed integration, whose title is its name. */
export const failedIntegration = (name: string): NotificationFacts => ({
  type: 'integration.failed',
  key: `test:${name}`,
  name,
  category: 'source-code-management',
  message: 'It does not respond.',
});

/** A request for a waiver of a finding. */
export const waiverOf = (finding: string, type: 'exception.requested' | 'exception.expired' = 'exception.requested') =>
  ({
    type,
    finding: { id: finding, title: 'SQL injection' },
    repository: { id: newId(), name: 'acme/api' },
    until: '2027-05-05T00:00:00.000Z',
    requestedBy: newId(),
  }) as NotificationFacts;
