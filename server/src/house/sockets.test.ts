import {
  type Namespace,
  type NewsName,
  namespaces,
  newsNamespace,
  realtimePath,
} from '@sightline/contract/realtime.ts';
import { io, type Socket } from 'socket.io-client';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestAccount, type TestOrganization, type TestServer } from '#testing/server.ts';
import { badTokens } from './bad-tokens.ts';

let server: TestServer;
let ours: TestOrganization;
let theirs: TestOrganization;
let refused: Record<string, unknown>;
const open: Socket[] = [];
beforeAll(async () => {
  server = await startTestServer();
  ours = await server.make.organization('Ours');
  theirs = await server.make.organization('Theirs');
  const bad = await badTokens(server, ours.owner, ours.id);
  const [deactivated, removed] = [
    await server.make.member(ours.id, 'rol_owner'),
    await server.make.member(ours.id, 'rol_owner'),
  ];
  await server.services.database.withOrg(ours.id, async ({ db }) => {
    await db
      .updateTable('member')
      .set({ status: 'deactivated' })
      .where('org_id', '=', ours.id)
      .where('account_id', '=', deactivated.id)
      .execute();
    await db.deleteFrom('member').where('org_id', '=', ours.id).where('account_id', '=', removed.id).execute();
  });
  refused = {
    ...bad,
    nothing: undefined,
    empty: '',
    'no text': 42,
    'a list': [await server.token(ours.owner, ours.id)],
    deactivated: await server.token(deactivated, ours.id),
    removed: await server.token(removed, ours.id),
    intruder: await server.token(theirs.owner, ours.id),
  };
});
afterEach(() => {
  for (const socket of open.splice(0)) socket.disconnect();
});
afterAll(() => server.close());

const connect = (namespace: Namespace | '/', token: unknown) => {
  const socket = io(`${server.url}${namespace}`, {
    path: realtimePath,
    auth: { token },
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
  });
  open.push(socket);
  return socket;
};

/** Undefined once connected, else what it was refused with. */
const outcome = (socket: Socket) =>
  new Promise<unknown>((resolve) => {
    socket.once('connect', () => resolve(undefined));
    socket.once('connect_error', (error: Error & { data?: unknown }) =>
      resolve({ message: error.message, data: error.data }),
    );
  });

async function member(namespace: Namespace, account: TestAccount, orgId?: string): Promise<Socket> {
  const socket = connect(namespace, await server.token(account, orgId));
  expect(await outcome(socket)).toBeUndefined();
  return socket;
}

describe.each(namespaces)('%s', (namespace) => {
  test('takes nobody without a good token', async () => {
    for (const [kind, token] of Object.entries(refused)) {
      const refusal = await outcome(connect(namespace, token));
      expect([kind, refusal]).toEqual([kind, { message: 'Sign in to go on.', data: { code: 401 } }]);
    }
  });

  test('takes members, and accounts that have chosen no organisation yet', async () => {
    await member(namespace, ours.owner, ours.id);
    await member(namespace, ours.owner);
  });

  test('tells one organisation nothing of another, whatever its sockets ask for', async () => {
    const [mine, other, unchosen] = [
      await member(namespace, ours.owner, ours.id),
      await member(namespace, theirs.owner, theirs.id),
      await member(namespace, theirs.owner),
    ];
    for (const socket of [other, unchosen]) {
      for (const name of ['join', 'room', 'subscribe', 'orgId']) socket.emit(name, `org:${ours.id}`, ours.id);
    }
    const news = (Object.keys(newsNamespace) as NewsName[]).filter((name) => newsNamespace[name] === namespace);
    const heard = { mine: listen(mine), other: listen(other), unchosen: listen(unchosen) };
    const anything = { count: 1, provider: 'any', accountId: 'any', id: 'any', repositoryId: 'any' };
    for (const name of news) {
      server.services.realtime.tell(ours.id, name, anything);
      server.services.realtime.tellAccount(ours.owner.id, name, anything);
    }
    await heard.mine.until(2 * news.length);
    // Told after that and heard first: what was not heard before it will not be heard.
    const [marker] = news;
    if (marker === undefined) return;
    server.services.realtime.tellAccount(theirs.owner.id, marker, anything);
    await Promise.all([heard.other.until(1), heard.unchosen.until(1)]);
    expect(heard.mine.names.toSorted()).toEqual([...news, ...news].toSorted());
    expect(heard.other.names).toEqual([marker]);
    expect(heard.unchosen.names).toEqual([marker]);
  });
});

/** The names of everything a socket is told, and a wait until there are so many. */
function listen(socket: Socket): { names: string[]; until: (count: number) => Promise<void> } {
  const names: string[] = [];
  let look = () => {};
  socket.onAny((name: string) => {
    names.push(name);
    look();
  });
  const until = (count: number) =>
    new Promise<void>((resolve) => {
      look = () => {
        if (names.length >= count) resolve();
      };
      look();
    });
  return { names, until };
}

test('there is nothing to connect to but the namespaces of the contract', async () => {
  const token = await server.token(ours.owner, ours.id);
  for (const namespace of ['/admin', '/api/account', '/user/', '/USER']) {
    expect(await outcome(connect(namespace as Namespace, token))).toMatchObject({ message: 'Invalid namespace' });
  }
});

test('a member who is cut is gone from every namespace', async () => {
  const sockets = await Promise.all(namespaces.map((namespace) => member(namespace, theirs.owner, theirs.id)));
  const bystander = await member('/user', ours.owner, ours.id);
  const gone = sockets.map((socket) => new Promise((resolve) => socket.once('disconnect', resolve)));
  server.services.realtime.cut(theirs.owner.id);
  await Promise.all(gone);
  expect(bystander.connected).toBe(true);
});

test('a socket ends with its token', async () => {
  const soon = Math.floor(Date.now() / 1000) + 2;
  const { expired } = await badTokens(server, ours.owner, ours.id, soon);
  const socket = connect('/user', expired);
  expect(await outcome(socket)).toBeUndefined();
  await new Promise((resolve) => socket.once('disconnect', resolve));
});

test('a page of another site cannot connect', async () => {
  const url = `${server.url}${realtimePath}/?EIO=4&transport=polling`;
  const from = async (origin?: string) =>
    (await fetch(url, origin === undefined ? {} : { headers: { origin } })).status;
  expect(await from()).toBe(200);
  expect(await from(server.config.PUBLIC_URL)).toBe(200);
  for (const origin of ['https://evil.example', 'null', `${server.config.PUBLIC_URL}.evil.example`, '']) {
    expect([origin, await from(origin)]).toEqual([origin, 403]);
  }
});
