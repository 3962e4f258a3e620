import type { FastifyInstance } from 'fastify';
import {
  currentToken,
  revokeToken,
  type SlackChannel,
  type SlackWorkspace,
  setInstalled,
  signingSecretOf,
  verifyRequestURL,
} from './workspace.ts';

/** Endpoints that Slack does not have, below /_sandbox/slack: credentials, messages and faults. */
export const slackControl = (server: FastifyInstance, workspace: SlackWorkspace): void => {
  server.get('/slack', async () => ({
    token: currentToken(workspace),
    signingSecret: signingSecretOf(workspace),
    channels: workspace.kept.channels,
    messages: workspace.kept.messages,
    events: workspace.events,
  }));
  server.post('/slack/revoke', async () => {
    await revokeToken(workspace);
    return { token: currentToken(workspace) };
  });
  server.post<{ Body: { installed: boolean } }>('/slack/installed', async ({ body }) => {
    await setInstalled(workspace, body.installed);
    return { token: currentToken(workspace) };
  });
  server.post<{ Body: { missing: string[] } }>('/slack/scopes', async ({ body }) => {
    workspace.kept.missing = body.missing;
    workspace.save();
    return { missing: body.missing };
  });
  server.post<{ Body: { url: string } }>('/slack/request-url', async ({ body }) => ({
    verified: await verifyRequestURL(workspace, body.url),
  }));
  server.put<{ Body: Partial<SlackChannel> & { id: string } }>('/slack/channel', async ({ body }) => {
    const { channels } = workspace.kept;
    const known = channels.find(({ id }) => id === body.id);
    if (known) Object.assign(known, body);
    else channels.push({ name: body.id.toLowerCase(), isPrivate: false, isMember: true, isArchived: false, ...body });
    workspace.save();
    return { channels: channels.length };
  });
};
