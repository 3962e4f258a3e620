import { once } from 'node:events';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { shareTestServer, type TestServer } from '#testing/server.ts';
import { createInstallation } from '../cli/testing/installation.ts';

let server: TestServer;
beforeAll(async () => {
  server = await shareTestServer();
});
afterAll(() => server.close());

const foreign = ['evil.example', 'evil.example:80', '127.0.0.1.evil.example', 'localhost.evil.example', '169.254.0.1'];

test('refuses requests under a host name that is not its own', async () => {
  for (const url of ['/', '/outbox', '/oidc/.well-known/openid-configuration', '/api/account']) {
    for (const host of foreign) {
      const answer = await server.app.inject({ url, headers: { host } });
      expect([host, answer.statusCode, answer.json().code]).toEqual([host, 421, 'unknown_host']);
    }
    for (const host of ['localhost:3000', '127.0.0.1', '[::1]:3000', new URL(server.config.PUBLIC_URL).host]) {
      expect([host, (await server.app.inject({ url, headers: { host } })).statusCode]).not.toEqual([host, 421]);
    }
  }
});

test('responds to health checks of load balancers by address', async () => {
  expect((await server.app.inject({ url: '/api/health/live', headers: { host: '10.1.2.3:3000' } })).statusCode).toBe(
    200,
  );
});

test('refuses sockets under a host name that is not its own', async () => {
  const attempt = async (host: string) => {
    const socket = io(`${server.url}/user`, {
      path: '/api/v2/ws',
      transports: ['websocket'],
      reconnection: false,
      extraHeaders: { host },
      auth: { token: await server.token(await server.make.account()) },
    });
    const opened = new Promise<string>((resolve) => {
      socket.io.engine.once('open', () => resolve('open'));
      socket.once('connect_error', () => resolve('refused'));
    });
    const result = await opened;
    socket.disconnect();
    return result;
  };
  expect(await attempt('evil.example')).toBe('refused');
  expect(await attempt('localhost')).toBe('open');
});

const [outside] = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .filter(({ internal, family }) => !internal && family === 'IPv4');
if (!outside)
  console.log(
    'That the default start is not reachable from the network is not tested: this machine has no network address.',
  );

test.skipIf(!outside)('listens on this machine only by default', { tags: 'full' }, async () => {
  const installation = await createInstallation();
  try {
    await installation.start();
    expect((await fetch(`${installation.url}/outbox`)).status).toBe(200);
    const socket = connect({ host: outside?.address ?? '', port: Number(new URL(installation.url).port) });
    const [error] = await once(socket, 'error');
    expect(error).toMatchObject({ code: 'ECONNREFUSED' });
  } finally {
    await installation.close();
  }
});
