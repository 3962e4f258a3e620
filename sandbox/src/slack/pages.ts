import type { FastifyInstance } from 'fastify';
import { type Html, html, type PostedForm, sendPage } from '../github/page.ts';
import { textsIn } from './api.ts';
import {
  currentToken,
  revokeToken,
  type SlackMessage,
  type SlackWorkspace,
  setInstalled,
  signingSecretOf,
  team,
  verifyRequestURL,
} from './workspace.ts';

export const slackPath = '/slack';

/** The page that shows a token and the messages, and injects faults. */
export const slackPages = (server: FastifyInstance, workspace: SlackWorkspace): void => {
  const action = (path: string, act: (body: Record<string, string | undefined>) => unknown): void => {
    server.post<PostedForm>(`${slackPath}/${path}`, async ({ body = {} }, reply) => {
      await act(body);
      return reply.redirect(slackPath, 303);
    });
  };
  server.get(slackPath, async (_, reply) => sendPage(reply, team.name, page(workspace)));
  action('request-url', ({ url = '' }) => verifyRequestURL(workspace, url));
  action('revoke', () => revokeToken(workspace));
  action('installed', ({ installed }) => setInstalled(workspace, installed === 'true'));
  action('member', ({ channel, member }) => {
    for (const one of workspace.kept.channels) if (one.id === channel) one.isMember = member === 'true';
    workspace.save();
  });
};

const page = (workspace: SlackWorkspace): Html => {
  const { channels, messages, installed, requestURL } = workspace.kept;
  return html`
<p>This stands for a Slack workspace in which the app from the manifest is installed.</p>
<h2>To connect it</h2>
<div class="panel">
<label class="stacked">Bot token<input readonly value="${currentToken(workspace)}"></label>
<label class="stacked">Signing secret<input readonly value="${signingSecretOf(workspace)}"></label>
</div>
<form method="post" action="${slackPath}/request-url">
<label class="stacked">Request URL<input name="url" type="url" value="${requestURL}"></label>
<button>Verify</button>
</form>
<h2>Channels</h2>
${channels.map(
  ({ id, name, isMember, isArchived }) => html`
<div class="panel">
<div class="row"><strong>#${name}</strong> <code>${id}</code>
${isArchived ? html`<span class="dim">archived</span>` : memberForm(id, isMember)}</div>
${messages
  .filter(({ channel }) => channel === id)
  .slice(-30)
  .map(messageItem)}
</div>`,
)}
<h2>Direct messages</h2>
<div class="panel">${messages
    .filter(({ channel }) => channel.startsWith('U'))
    .slice(-30)
    .map(messageItem)}</div>
<h2>What can go wrong</h2>
<div class="panel row">
<form class="plain" method="post" action="${slackPath}/revoke"><button class="danger">Revoke the token</button></form>
<form class="plain" method="post" action="${slackPath}/installed"><input type="hidden" name="installed" value="${String(!installed)}">
<button class="danger">${installed ? 'Remove the app' : 'Install the app again'}</button></form>
</div>`;
};

const memberForm = (id: string, isMember: boolean): Html => html`
<form class="plain" method="post" action="${slackPath}/member"><input type="hidden" name="channel" value="${id}">
<input type="hidden" name="member" value="${String(!isMember)}"><button>${isMember ? 'Remove the app' : 'Invite the app'}</button></form>`;

const messageItem = ({ thread_ts: thread, blocks, channel }: SlackMessage): Html => html`
<p class="${thread === undefined ? '' : 'nested'}">${thread === undefined ? '' : '↳ '}${channel.startsWith('U') ? `${channel}: ` : ''}${textsIn(blocks).join(' ')}</p>`;
