import { addChatChannel, connectSlack } from '@sightline/contract/delivery/chat.ts';
import { connectDirectory, getDirectory, updateDirectory } from '@sightline/contract/organization/directory.ts';
import { connectScanner, getScanner } from '@sightline/contract/sources/integrations.ts';
import { connectTracker } from '@sightline/contract/sources/trackers.ts';
import { type DemoMember, type DemoRun, waitUntil } from './demo-run.ts';
import type { SandboxDemo } from './sandbox-demo.ts';

const chatTypes = ['control.failed', 'policy.violated', 'exception.requested', 'digest.ready', 'integration.failed'];

/** Connects Jira, Slack and Microsoft Teams. `owner` signed in recently. */
export async function connectTrackerAndChat(owner: DemoMember, { content }: SandboxDemo): Promise<void> {
  const { jira, slack, teams } = content;
  const { url: baseURL, email, token } = jira;
  await owner.call(connectTracker, { params: { tracker: 'jira-cloud' }, body: { baseURL, email, token } });
  await owner.call(connectSlack, { body: { token: slack.token, signingSecret: slack.signingSecret } });
  await owner.call(addChatChannel, { body: { service: 'slack', channel: slack.channel, types: chatTypes } });
  for (const { name, url } of teams) {
    await owner.call(addChatChannel, { body: { service: 'teams', name, url, minSeverity: 'high' } });
  }
}

/**
 * Connects the directory, whose groups give the roles that the members have already. `owner` signed in recently. Without
 * a default role no member loses theirs before the directory has sent its groups.
 */
export async function connectPeople(owner: DemoMember, sandbox: SandboxDemo): Promise<void> {
  const { directory, token } = await owner.call(connectDirectory, { body: { product: 'entra', defaultRole: null } });
  await owner.call(updateDirectory, {
    body: {
      defaultRole: null,
      groupRoles: [
        { group: 'Platform owners', roleId: 'rol_owner' },
        { group: 'Engineering leads', roleId: 'rol_reviewer' },
        { group: 'Internal audit', roleId: 'rol_auditor' },
        { group: 'Engineering', roleId: 'rol_contributor' },
      ],
    },
  });
  await sandbox.synchronizeDirectory({ url: directory.url, token });
  const state = await owner.call(getDirectory, {});
  if (!state || state.users.active === 0) throw new Error('The directory sent no users.');
}

/** Connects the other scanners, and waits for their results. */
export async function connectOtherScanners({ owner, sandbox }: DemoRun): Promise<void> {
  for (const { scanner, ...body } of sandbox.content.scanners) {
    const params = { scanner };
    await owner.call(connectScanner, { params, body });
    await waitUntil('Reading the scans', async () => {
      const settings = await owner.call(getScanner, { params });
      return settings?.sync.finishedAt === null || settings?.sync.state !== 'idle' ? undefined : true;
    });
  }
}
