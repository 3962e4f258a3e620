import { createHmac } from 'node:crypto';
import { getSlack } from '@sightline/contract/delivery/chat.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import rateLimited from '#providers/chat/slack/fixtures/event-app-rate-limited.json' with { type: 'json' };
import uninstalledExample from '#providers/chat/slack/fixtures/event-app-uninstalled.json' with { type: 'json' };
import revokedExample from '#providers/chat/slack/fixtures/event-tokens-revoked.json' with { type: 'json' };
import { shareTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { workspaceSecret } from './secrets.ts';

const signingSecret = '8f742231b10e8888abcd99yyyzzz85a5';

let server: TestServer;
let org: TestOrganization;
beforeAll(async () => {
  server = await shareTestServer();
});
beforeEach(async () => {
  org = await server.make.organization();
  const { secrets, database } = server.services;
  const seal = (field: 'token' | 'signing secret', plain: string) =>
    secrets.seal(workspaceSecret(org.id, field), Buffer.from(plain));
  await database.withOrg(org.id, ({ db }) =>
    db
      .insertInto('chat_workspace')
      .values({
        org_id: org.id,
        service: 'slack',
        team_id: 'T1',
        team: 'Acme',
        bot_id: 'U1',
        bot: 'sightline',
        token_sealed: seal('token', 'xoxb-1'),
        token_end: 'xb-1',
        signing_secret_sealed: seal('signing secret', signingSecret),
        connected_by: org.owner.id,
        connected_at: new Date(Date.now() - 3_600_000),
      })
      .execute(),
  );
});
afterAll(() => server.close());

const now = () => Math.floor(Date.now() / 1000);

interface SlackRequest {
  body: string;
  time?: number;
  secret?: string;
  signed?: string;
  type?: string;
  orgId?: string;
}

async function post({
  body,
  time = now(),
  secret = signingSecret,
  signed = body,
  type = 'application/json',
  orgId = org.id,
}: SlackRequest) {
  const signature = createHmac('sha256', secret).update(`v0:${time}:${signed}`).digest('hex');
  const answer = await fetch(`${server.url}/api/webhooks/slack/${orgId}`, {
    method: 'POST',
    headers: {
      'content-type': type,
      'x-slack-request-timestamp': String(time),
      'x-slack-signature': `v0=${signature}`,
    },
    body,
  });
  return { status: answer.status, text: await answer.text() };
}

const event = (inner: object, more: object = {}) =>
  JSON.stringify({ type: 'event_callback', team_id: 'T1', event_time: now(), event: inner, ...more });
/** An example of an event, for the workspace of the test. */
const exampleOf = (example: object) => JSON.stringify({ ...example, team_id: 'T1', event_time: now() });
const uninstalled = event({ type: 'app_uninstalled' });
const statusOf = async () => (await server.as(org.owner, org.id)(getSlack, {})).workspace?.status;

test('accepts the example of Slack for its signature', () => {
  // https://docs.slack.dev/authentication/verifying-requests-from-slack
  const body =
    'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c';
  expect(createHmac('sha256', signingSecret).update(`v0:1531420618:${body}`).digest('hex')).toBe(
    'a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
  );
});

test('answers the challenge and acknowledges the press of a button', async () => {
  const challenge = await post({ body: JSON.stringify({ type: 'url_verification', challenge: 'abc' }) });
  expect(challenge).toEqual({ status: 200, text: '{"challenge":"abc"}' });
  const pressed = await post({
    body: 'payload=%7B%22type%22%3A%22block_actions%22%7D',
    type: 'application/x-www-form-urlencoded',
  });
  expect(pressed).toEqual({ status: 200, text: '' });
});

test.each([
  ['with another secret', { body: uninstalled, secret: 'another secret of an app' }],
  ['with a changed body', { body: uninstalled, signed: `${uninstalled} ` }],
  ['with an old time', { body: uninstalled, time: now() - 400 }],
  ['with a time in the future', { body: uninstalled, time: now() + 400 }],
  ['for an organization without Slack', { body: uninstalled, orgId: '0199aaaa-0000-7000-8000-000000000000' }],
  ['for no organization', { body: uninstalled, orgId: 'nothing' }],
])('rejects a request %s', async (_, sent) => {
  expect(await post(sent)).toMatchObject({ status: 401 });
  expect(await statusOf()).toBe('active');
});

test('rejects an unsigned request without reading it', async () => {
  const answer = await fetch(`${server.url}/api/webhooks/slack/${org.id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: uninstalled,
  });
  expect(answer.status).toBe(401);
});

test.each([
  ['an event of another workspace', () => event({ type: 'app_uninstalled' }, { team_id: 'T2' })],
  ['a revoked token of a person', () => event({ type: 'tokens_revoked', tokens: { oauth: ['U9'], bot: [] } })],
  ['an event from before the connection', () => event({ type: 'app_uninstalled' }, { event_time: now() - 7200 })],
  ['another event', () => event({ type: 'message' })],
  ['a limit of its events', () => JSON.stringify({ ...rateLimited, team_id: 'T1' })],
])('ignores %s', async (_, body) => {
  expect(await post({ body: body() })).toMatchObject({ status: 200 });
  expect(await statusOf()).toBe('active');
});

test.each([
  ['the removal of the app', () => event({ type: 'app_uninstalled' })],
  ['the revocation of the token of the app', () => event({ type: 'tokens_revoked', tokens: { bot: ['U1'] } })],
  ['the removal as the reference describes it', () => exampleOf(uninstalledExample)],
  [
    'the revocation as the reference describes it',
    () => exampleOf({ ...revokedExample, event: { ...revokedExample.event, tokens: { oauth: ['U9'], bot: ['U1'] } } }),
  ],
])('records %s once', async (_, body) => {
  const sent = body();
  await post({ body: sent });
  expect(await post({ body: sent })).toMatchObject({ status: 200 });
  expect(await statusOf()).toBe('error');
  const entries = await server.services.database.withOrg(org.id, ({ db }) =>
    db
      .selectFrom('audit_event')
      .select('action')
      .where('org_id', '=', org.id)
      .where('action', '=', 'integration.rejected')
      .execute(),
  );
  expect(entries).toHaveLength(1);
});
