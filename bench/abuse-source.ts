// An attack from one network address: it guesses passwords, requests resets, signs up, opens sockets, sends large
// bodies and exports the audit log until it receives a stop message. abuse.ts starts it as a process.
import { randomBytes, randomUUID } from 'node:crypto';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { authorize, openBrowser } from '../server/src/domains/identity/authentication/testing/browser.ts';
import { bindFetch } from './local-fetch.ts';

export interface Attack {
  url: string;
  publicUrl: string;
  localAddress: string;
  /** The token of an account of the attacker. */
  token: string;
  victim: string;
}

export type AttackOutcomeCounts = Record<string, Record<string, number>>;

const bodyBytes = 24 * 1024 * 1024;
const MAX_SOCKETS = 500;
const counts: AttackOutcomeCounts = {};
let running = true;

process.once('message', async (attack: Attack) => {
  bindFetch(attack.localAddress);
  const work = [
    ...runLoops(3, 'logins', () => guess(attack)),
    ...runLoops(2, 'resets', () => reset(attack)),
    ...runLoops(2, 'sign-ups', () => signUp(attack)),
    ...runLoops(8, 'bodies', () => sendBody(attack)),
    ...runLoops(6, 'exports', () => exportLog(attack)),
    ...runLoops(4, 'sockets', () => openSocket(attack)),
  ];
  process.once('message', async () => {
    running = false;
    await Promise.race([Promise.all(work), sleep(10_000)]);
    process.send?.(counts, () => process.exit(0));
  });
});

/** Runs `loops` concurrent loops that repeat an action without end, and counts its outcomes. */
const runLoops = (loops: number, name: string, act: () => Promise<string | number>) =>
  Array.from({ length: loops }, async () => {
    while (running) {
      const outcome = String(await act().catch((error: { code?: string }) => error.code ?? 'failed'));
      counts[name] ??= {};
      counts[name][outcome] = (counts[name][outcome] ?? 0) + 1;
      // A refusal costs the attacker almost nothing. Without a pause the attacker would use all of the CPU.
      await sleep(20);
    }
  });

async function guess({ url, publicUrl, victim }: Attack): Promise<number> {
  const site = { url, config: { PUBLIC_URL: publicUrl } };
  const browser = openBrowser(site);
  const page = await browser.get(authorize(site).url);
  if (page.status !== 200) return page.status;
  return (await browser.submit(page, { email: victim, password: `wrong ${randomUUID()}` })).status;
}

async function reset({ url, publicUrl, victim }: Attack): Promise<number> {
  const browser = openBrowser({ url, config: { PUBLIC_URL: publicUrl } });
  return (await browser.submit(await browser.get('/oidc/forgot'), { email: victim })).status;
}

async function signUp({ url, publicUrl }: Attack): Promise<number> {
  const site = { url, config: { PUBLIC_URL: publicUrl } };
  const browser = openBrowser(site);
  const page = await browser.get(authorize(site, { screen_hint: 'signup' }).url);
  if (page.status !== 200) return page.status;
  const email = `${randomUUID()}@attacker.example`;
  return (await browser.submit(page, { name: 'Nobody', email, password: randomUUID() })).status;
}

async function exportLog({ url, token }: Attack): Promise<number> {
  const answer = await fetch(`${url}/api/v2/audit/export`, { headers: { authorization: `Bearer ${token}` } });
  await answer.arrayBuffer();
  return answer.status;
}

const chunk = randomBytes(1024 * 1024);

function sendBody({ url, localAddress }: Attack): Promise<string | number> {
  const { promise, resolve, reject } = Promise.withResolvers<string | number>();
  const request = httpRequest(`${url}/api/webhooks/gitlab?hook=${randomUUID()}`, {
    method: 'POST',
    localAddress,
    agent: false,
    timeout: 30_000,
    headers: { 'content-type': 'application/json', 'content-length': bodyBytes, 'x-gitlab-event': 'Push Hook' },
  });
  request.once('response', (response: IncomingMessage) => {
    resolve(response.statusCode ?? 0);
    request.destroy();
  });
  request.once('timeout', () => request.destroy(new Error('timeout')));
  request.on('error', reject);
  pipeline(Readable.from(Array.from({ length: bodyBytes / chunk.length }, () => chunk)), request).catch(reject);
  return promise;
}

const sockets = new Set<NodeJS.EventEmitter>();

/** Opens a socket that never sends a message. */
async function openSocket({ url, publicUrl, localAddress }: Attack): Promise<string | number> {
  if (sockets.size >= MAX_SOCKETS) {
    await sleep(200);
    return 'enough open';
  }
  const request = httpRequest(`${url}/api/v2/ws/?EIO=4&transport=websocket`, {
    localAddress,
    agent: false,
    timeout: 10_000,
    headers: {
      connection: 'Upgrade',
      upgrade: 'websocket',
      origin: publicUrl,
      'sec-websocket-version': '13',
      'sec-websocket-key': randomBytes(16).toString('base64'),
    },
  });
  const { promise, resolve, reject } = Promise.withResolvers<string | number>();
  request.once('upgrade', (_response, socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    socket.resume();
    resolve('open');
  });
  request.once('response', (response) => {
    response.resume();
    resolve(response.statusCode ?? 0);
  });
  request.once('timeout', () => request.destroy(new Error('timeout')));
  request.on('error', reject);
  request.end();
  return promise;
}
