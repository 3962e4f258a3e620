import { createHash, createHmac, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Host } from '../github/host.ts';

export type SlackChannel = { id: string; name: string; isPrivate: boolean; isMember: boolean; isArchived: boolean };

export type SlackMessage = {
  channel: string;
  ts: string;
  thread_ts?: string;
  text: string;
  blocks: unknown[];
  client_msg_id?: string;
};

type KeptWorkspace = {
  secret: string;
  /** The number of tokens created; only the last can be valid. */
  tokens: number;
  /** The tokens before and including this number were revoked. */
  revoked: number;
  installed: boolean;
  /** Scopes that the app lacks. */
  missing: string[];
  /** Where events are sent, as the request URL of the app's manifest. */
  requestURL: string;
  channels: SlackChannel[];
  messages: SlackMessage[];
};

/** A Slack workspace with one installed app. */
export type SlackWorkspace = {
  host: Host;
  kept: KeptWorkspace;
  save: () => void;
  /** The deliveries of events, in order. */
  events: { type: string; status: number; answer: string }[];
};

export const team = { id: 'T0SANDBOX1', name: 'Sandbox workspace' };
export const bot = { id: 'U0SIGHTLINE', name: 'sightline' };

const channelsAtFirst: SlackChannel[] = [
  { id: 'C0GENERAL1', name: 'general', isPrivate: false, isMember: true, isArchived: false },
  { id: 'C0SECURITY', name: 'security', isPrivate: true, isMember: true, isArchived: false },
  { id: 'C0RANDOM01', name: 'random', isPrivate: false, isMember: false, isArchived: false },
  { id: 'C0HISTORY1', name: 'history', isPrivate: false, isMember: true, isArchived: true },
];

/** `file`: stores the workspace across restarts. */
export const createWorkspace = (host: Host, file: string | undefined): SlackWorkspace => {
  const kept: KeptWorkspace =
    file !== undefined && existsSync(file)
      ? JSON.parse(readFileSync(file, 'utf8'))
      : {
          secret: randomBytes(16).toString('hex'),
          tokens: 1,
          revoked: 0,
          installed: true,
          missing: [],
          requestURL: '',
          channels: channelsAtFirst.map((channel) => ({ ...channel })),
          messages: [],
        };
  const save = (): void => {
    if (file === undefined) return;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(kept), { mode: 0o600 });
  };
  save();
  return { host, kept, save, events: [] };
};

/** The token of a number, in Slack's format. */
const tokenOf = ({ kept }: SlackWorkspace, number: number): string =>
  `xoxb-1000000000-${number}-${createHash('sha256').update(`${kept.secret} token ${number}`).digest('hex').slice(0, 24)}`;

export const currentToken = (workspace: SlackWorkspace): string => tokenOf(workspace, workspace.kept.tokens);

export const signingSecretOf = ({ kept }: SlackWorkspace): string =>
  createHash('sha256').update(`${kept.secret} signing`).digest('hex').slice(0, 32);

/** The error of Slack for a token; undefined for a valid one. */
export const tokenErrorOf = (workspace: SlackWorkspace, given: string): string | undefined => {
  const { tokens, revoked, installed } = workspace.kept;
  const number = Array.from({ length: tokens }, (_, index) => index + 1).find(
    (one) => tokenOf(workspace, one) === given,
  );
  if (number === undefined) return given === '' ? 'not_authed' : 'invalid_auth';
  if (number <= revoked) return 'token_revoked';
  return installed ? undefined : 'account_inactive';
};

/** Revokes the token and creates the next one, as reinstalling the app does. Sends the event of the revocation. */
export const revokeToken = async (workspace: SlackWorkspace): Promise<void> => {
  workspace.kept.revoked = workspace.kept.tokens;
  workspace.kept.tokens += 1;
  workspace.save();
  await sendEvent(workspace, { type: 'tokens_revoked', tokens: { oauth: [], bot: [bot.id] } });
};

/** Removes the app, or installs it again with another token. */
export const setInstalled = async (workspace: SlackWorkspace, installed: boolean): Promise<void> => {
  const { kept } = workspace;
  if (kept.installed === installed) return;
  kept.installed = installed;
  if (installed) kept.tokens += 1;
  else kept.revoked = kept.tokens - 1;
  workspace.save();
  if (!installed) await sendEvent(workspace, { type: 'app_uninstalled' });
};

/** Sends the challenge of a request URL, and keeps the URL if it is answered. */
export const verifyRequestURL = async (workspace: SlackWorkspace, url: string): Promise<boolean> => {
  const challenge = randomBytes(20).toString('hex');
  workspace.kept.requestURL = url;
  const answer = await post(workspace, { token: 'sandbox', challenge, type: 'url_verification' });
  const isVerified = answer.status === 200 && answer.answer.includes(challenge);
  if (!isVerified) workspace.kept.requestURL = '';
  workspace.save();
  return isVerified;
};

const sendEvent = async (
  workspace: SlackWorkspace,
  event: { type: string } & Record<string, unknown>,
): Promise<void> => {
  if (workspace.kept.requestURL === '') return;
  await post(workspace, {
    token: 'sandbox',
    team_id: team.id,
    api_app_id: 'A0SANDBOX1',
    type: 'event_callback',
    event_id: `Ev${randomBytes(5).toString('hex').toUpperCase()}`,
    event_time: Math.floor(Date.now() / 1000),
    event,
  });
};

const post = async (
  workspace: SlackWorkspace,
  payload: { type: string; event?: { type: string }; [field: string]: unknown },
) => {
  const body = JSON.stringify(payload);
  const time = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', signingSecretOf(workspace)).update(`v0:${time}:${body}`).digest('hex');
  const result = await fetch(workspace.kept.requestURL, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
      'x-slack-request-timestamp': time,
      'x-slack-signature': `v0=${signature}`,
    },
    body,
    signal: AbortSignal.timeout(3_000),
  })
    .then(async (answer) => ({ status: answer.status, answer: await answer.text() }))
    .catch(() => ({ status: 0, answer: '' }));
  workspace.events.push({ type: payload.event?.type ?? payload.type, ...result });
  return result;
};
