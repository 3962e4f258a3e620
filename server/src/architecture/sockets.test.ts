import {
  changeNoticeNamespace,
  type Namespace,
  namespaces,
  realtimePath,
} from '@sightline/contract/delivery/realtime.ts';
import { decodeJwt } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { shareTestServer, type TestServer } from '#testing/server.ts';
import { type Principal, principals } from './access.ts';
import { badTokens } from './bad-tokens.ts';
import { credentialsOf } from './principals.ts';
import { seedOrganization } from './seed.ts';
import type { Seed } from './seeded.ts';
import { changeNoticesOf, expectedDeliveries, socketAccessMatrix } from './socket-matrix.ts';
import { collectEvents, connectionOutcomeOf, createSockets, waitUntilDisconnected } from './sockets.ts';

let server: TestServer;
let ours: Seed;
let theirs: Seed;
let tokens: Record<Principal, string | undefined>;
/** Resolves when the server has closed sockets that joined no namespace, while the other tests run. */
let idle: Promise<unknown>;
const sockets = createSockets();
beforeAll(async () => {
  server = await shareTestServer();
  ours = await seedOrganization(server, 'quokka');
  theirs = await seedOrganization(server, 'wombat');
  tokens = await credentialsOf(server, ours, theirs);
  idle = closingOfIdleSockets();
});
afterEach(sockets.closeAll);
afterAll(() => server.close());

const connect = (namespace: Namespace | '/', token: unknown) => sockets.connect(server.url, namespace, token);

async function admitted(namespace: Namespace, token: unknown) {
  const socket = connect(namespace, token);
  expect(await connectionOutcomeOf(socket)).toBeUndefined();
  return socket;
}

function closingOfIdleSockets(): Promise<unknown> {
  const address = `${server.url.replace('http', 'ws')}${realtimePath}/?EIO=4&transport=websocket`;
  const [silent, refused] = [new WebSocket(address), new WebSocket(address)];
  // Joins the default namespace of Socket.IO.
  refused.addEventListener('open', () => refused.send('40'));
  return Promise.all(
    [silent, refused].map((socket) => new Promise((resolve) => socket.addEventListener('close', resolve))),
  );
}

const anything = { count: 1, provider: 'any', accountId: 'any', id: 'any', repositoryId: 'any' };
const isAdmitted = (namespace: Namespace, principal: Principal) => socketAccessMatrix[namespace][principal] === 'ok';

describe.each(namespaces)('%s', (namespace) => {
  test('admits principals according to the matrix and refuses all others with the same sign-in message', async () => {
    const found = await Promise.all(
      principals.map(async (principal) => {
        const refusal = await connectionOutcomeOf(connect(namespace, tokens[principal]));
        if (refusal) expect(refusal).toEqual({ message: 'Sign in to continue.', data: { code: 401 } });
        return [principal, refusal ? '401' : 'ok'];
      }),
    );
    expect(Object.fromEntries(found)).toEqual(socketAccessMatrix[namespace]);
  });

  test('accepts no invalid token', async () => {
    const bad = await badTokens(server, ours.org.owner, ours.org.id);
    for (const token of [...Object.values(bad), '', 42, null, {}, [tokens.owner], `Bearer ${tokens.owner}`])
      expect([token, await connectionOutcomeOf(connect(namespace, token))]).toEqual([
        token,
        { message: 'Sign in to continue.', data: { code: 401 } },
      ]);
  });

  test('sends each principal only the events in the matrix, regardless of client requests', async () => {
    const deliveries = await Promise.all(
      principals
        .filter((one) => isAdmitted(namespace, one))
        .map(async (principal) => {
          const socket = await admitted(namespace, tokens[principal]);
          for (const name of ['join', 'room', 'subscribe', 'orgId', 'list', 'askActivity', 'askHistory'])
            socket.emit(name, `org:${ours.org.id}`, ours.org.id, () => undefined);
          return { principal, ...collectEvents(socket) };
        }),
    );
    const notice = changeNoticesOf(namespace);
    for (const name of notice) {
      server.services.realtime.notifyOrganization(ours.org.id, name, anything);
      server.services.realtime.notifyAccount(ours.org.owner.id, name, anything);
    }
    await Promise.all(deliveries.map(({ principal, until }) => until(expectedDeliveries[principal] * notice.length)));
    // Sent last and received first: a message that was not received before it will not arrive.
    const [marker] = notice;
    if (marker === undefined) return;
    const accounts = new Set(deliveries.map(({ principal }) => decodeJwt(tokens[principal] ?? '').sub ?? ''));
    for (const id of accounts) server.services.realtime.notifyAccount(id, marker, anything);
    await Promise.all(
      deliveries.map(({ principal, until }) => until(expectedDeliveries[principal] * notice.length + 1)),
    );
    for (const { principal, names } of deliveries) {
      const expected = Array.from({ length: expectedDeliveries[principal] }, () => notice).flat();
      expect([principal, names.toSorted()]).toEqual([principal, [...expected, marker].toSorted()]);
    }
  });
});

test('accepts connections only to the namespaces of the contract', async () => {
  for (const namespace of ['/', '/admin', '/api/account', '/user/', '/USER']) {
    expect(await connectionOutcomeOf(connect(namespace as Namespace, tokens.owner))).toMatchObject({
      message: 'Invalid namespace',
    });
  }
  expect(new Set(namespaces)).toEqual(
    new Set([...Object.values(changeNoticeNamespace), '/api/account/', '/ide/context']),
  );
  for (const namespace of ['/api/account/', '/auth0mgm', '/user', '/project', '/notifications', '/ide/context'])
    await admitted(namespace as Namespace, tokens.owner);
  expect(realtimePath).toBe('/api/v2/ws');
});

// Without the server's own limit, Socket.IO would close it after 45 seconds.
test('closes a connection that joins no namespace within seconds', { timeout: 20_000 }, async () => {
  const joined = await admitted('/user', tokens.owner);
  await idle;
  expect(joined.connected).toBe(true);
});

test('limits the connections of a network', async () => {
  const url = `${server.url}${realtimePath}/?EIO=4&transport=polling`;
  const answers: { status: number; text: string }[] = [];
  while (answers.length < 1_050) {
    const batch = Array.from({ length: 50 }, async () => {
      const answer = await fetch(url);
      return { status: answer.status, text: await answer.text() };
    });
    answers.push(...(await Promise.all(batch)));
  }
  const accepted = answers.filter(({ status }) => status === 200);
  expect(accepted.length).toBeLessThanOrEqual(1_000);
  expect(accepted.length).toBeGreaterThan(900);
  expect(answers.at(-1)?.status).toBe(403);
  const [first, ...others] = accepted.map(({ text }) => /"sid":"([^"]+)"/.exec(text)?.[1] ?? '');
  const close = (sid = '') => fetch(`${url}&sid=${sid}`, { method: 'POST', body: '1' });
  await close(first);
  expect((await fetch(url)).status).toBe(200);
  for (let at = 0; at < others.length; at += 50) await Promise.all(others.slice(at, at + 50).map(close));
  await admitted('/user', tokens.owner);
});

test('disconnects an account from every namespace without affecting other accounts', async () => {
  const mine = await Promise.all(namespaces.map((namespace) => admitted(namespace, tokens.otherOwner)));
  const bystander = await admitted('/user', tokens.owner);
  server.services.realtime.cut(theirs.org.owner.id);
  await Promise.all(mine.map(waitUntilDisconnected));
  expect(bystander.connected).toBe(true);
});

test('closes every socket when its token expires', async () => {
  const soon = Math.floor(Date.now() / 1000) + 3;
  const { expired } = await badTokens(server, ours.org.owner, ours.org.id, soon);
  const mine = await Promise.all(namespaces.map((namespace) => admitted(namespace, expired)));
  await Promise.all(mine.map(waitUntilDisconnected));
  expect(Date.now()).toBeGreaterThanOrEqual(soon * 1000);
});

test('refuses connections from pages of other sites', async () => {
  const url = `${server.url}${realtimePath}/?EIO=4&transport=polling`;
  const from = async (origin?: string) =>
    (await fetch(url, origin === undefined ? {} : { headers: { origin } })).status;
  expect(await from()).toBe(200);
  expect(await from(server.config.PUBLIC_URL)).toBe(200);
  for (const origin of ['https://evil.example', 'null', `${server.config.PUBLIC_URL}.evil.example`, '']) {
    expect([origin, await from(origin)]).toEqual([origin, 403]);
  }
});
