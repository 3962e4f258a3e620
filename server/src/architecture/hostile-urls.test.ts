import { spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { testEvidenceDestination } from '@sightline/contract/compliance/evidence-destinations.ts';
import type { Endpoint } from '@sightline/contract/core/endpoint.ts';
import { listOutgoingDeliveries, testOutgoingWebhook } from '@sightline/contract/delivery/outgoing-webhooks.ts';
import { listAnchorAttempts, listAnchors } from '@sightline/contract/ledger/anchors.ts';
import { publicKeyOf, verifierOf, verifierText } from '@sightline/evidence/ledger/note.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { parseDestination } from '#core/destination.ts';
import { hostileUrls, startForbiddenService } from '#testing/hostile-urls.ts';
import { startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { sampleUnlessFull } from '../../../scripts/full-suite.ts';
import { propertyRuns } from '../../../scripts/properties.ts';
import { gitEnvironment } from '../config.ts';
import { sequenceAndSign } from '../domains/ledger/ledger/commands.ts';
import { endpoints } from '../domains/platform/documentation/endpoints.ts';
import { endpointKeyOf, requestUrlOf } from './requests.ts';

interface UrlTarget {
  /** Returns a request with an address in the field. */
  request: (url: string) => { params?: Record<string, string>; body: unknown };
  field: string;
  /** The response is 200 and contains the problem. */
  problem?: true;
}

const witnessKey = verifierText(
  verifierOf('witness.example', publicKeyOf(new Uint8Array(32).fill(5)), 'ed25519-cosignature'),
);
const anchor = (kind: string, more: object = {}): UrlTarget => ({
  field: 'settings.url',
  request: (url) => ({ body: { kind, party: `Party ${crypto.randomUUID()}`, settings: { url, ...more } } }),
});
const settingsOf = {
  vanta: { clientId: 'client', documentId: 'document' },
  drata: { workspaceId: 1 },
  defectdojo: { productType: 'type', product: 'product', engagement: 'engagement' },
  gitlab: { externalControl: 1, controls: ['LOG-01'] },
  webhook: {},
};
type EvidenceDestinationKind = keyof typeof settingsOf;
const destination = (kind: EvidenceDestinationKind): UrlTarget => ({
  field: 'settings.url',
  request: (url) => ({
    body: {
      kind,
      name: `EvidenceDestination ${crypto.randomUUID()}`,
      settings: { url, ...settingsOf[kind] },
      ...(kind !== 'webhook' && { secret: 'a secret' }),
    },
  }),
});
const stream = (kind: 's3' | 'https', more: object = {}): UrlTarget => ({
  field: 'settings.url',
  request: (url) => ({
    body: {
      kind,
      name: `Stream ${crypto.randomUUID()}`,
      settings: { url, ...more },
      ...(kind === 's3' && { secret: 'a secret' }),
    },
  }),
});
const scanner = (more: Partial<UrlTarget> = {}): UrlTarget => ({
  field: 'baseURL',
  request: (baseURL) => ({
    params: { scanner: 'checkmarx' },
    body: { tenant: 'acme', apiKey: 'a.b.c', baseURL },
  }),
  ...more,
});
const tracker: UrlTarget = {
  field: 'baseURL',
  request: (baseURL) => ({ params: { tracker: 'jira-data-center' }, body: { baseURL, token: 'a token' } }),
};
let webhookId: string;
let destinationId: string;
let streamId: string;
let channelId: string;

/** Every field with an address that the server connects to: by endpoint, field and, if there are several, kind. */
const targets: Record<string, UrlTarget> = {
  'POST /v2/ledger/anchors settings.url (witness)': anchor('witness', { key: witnessKey }),
  'POST /v2/ledger/anchors settings.url (rfc3161)': anchor('rfc3161'),
  'POST /v2/ledger/anchors settings.url (webhook)': anchor('webhook'),
  'POST /v2/ledger/anchors settings.url (git)': anchor('git'),
  'POST /v2/evidence-destinations settings.url (vanta)': destination('vanta'),
  'POST /v2/evidence-destinations settings.url (drata)': destination('drata'),
  'POST /v2/evidence-destinations settings.url (defectdojo)': destination('defectdojo'),
  'POST /v2/evidence-destinations settings.url (gitlab)': destination('gitlab'),
  'POST /v2/evidence-destinations settings.url (webhook)': destination('webhook'),
  'PATCH /v2/evidence-destinations/:destinationId settings': {
    field: 'settings.url',
    request: (url) => ({
      params: { destinationId },
      body: { settings: { url, ...settingsOf.drata }, secret: 'a secret' },
    }),
  },
  'PATCH /v2/audit-streams/:streamId settings': {
    field: 'settings.url',
    request: (url) => ({ params: { streamId }, body: { settings: { url } } }),
  },
  'POST /v2/audit-streams settings.host (syslog)': {
    field: 'settings.host',
    request: (host) => ({ body: { kind: 'syslog', name: `Stream ${crypto.randomUUID()}`, settings: { host } } }),
  },
  'POST /v2/audit-streams settings.url (s3)': stream('s3', { region: 'eu', bucket: 'bucket', accessKeyId: 'key' }),
  'POST /v2/audit-streams settings.url (https)': stream('https'),
  'POST /v2/outgoing-webhooks url': { field: 'url', request: (url) => ({ body: { url } }) },
  'PATCH /v2/outgoing-webhooks/:webhookId url': {
    field: 'url',
    request: (url) => ({ params: { webhookId }, body: { url } }),
  },
  'PUT /v2/auth0mgm/org/saml metadata.url': {
    field: 'metadata.url',
    request: (url) => ({ body: { label: 'Corp', metadata: { url }, groupsAttribute: null } }),
  },
  'POST /v2/chat/channels url': {
    field: 'url',
    request: (url) => ({ body: { service: 'teams', name: `Channel ${crypto.randomUUID()}`, url } }),
  },
  'PATCH /v2/chat/channels/:channelId url': {
    field: 'url',
    request: (url) => ({ params: { channelId }, body: { url } }),
  },
  'PUT /v2/chat/own/:service url': {
    field: 'url',
    request: (url) => ({ params: { service: 'teams' }, body: { url } }),
  },
  'POST /v2/integrations/:provider/connection baseURL': {
    field: 'baseURL',
    request: (baseURL) => ({ params: { provider: 'gitlab' }, body: { baseURL, token: 'a token' } }),
  },
  'POST /v2/integrations/trackers/:tracker baseURL': tracker,
  'POST /v2/integrations/trackers/:tracker/test baseURL': tracker,
  'POST /v2/integrations/:scanner baseURL': scanner(),
  'POST /v2/integrations/:scanner/test baseURL': scanner({ problem: true }),
};

/** Fields that look like an address, or accept any value, and that the server does not connect to. */
const notConnectedTo: Record<string, string> = {
  'POST /v2/integrations/:scanner webhookURL': 'Of this server, as it is shown; what is given is passed over.',
  'POST /v2/auth0mgm/org/repos providerRepos.*.*[].url': 'Shown by browsers alone; what is given is passed over.',
  'POST /v2/auth0mgm/org logoUrl': 'Shown by browsers alone.',
  'PUT /v2/auth0mgm/org logoUrl': 'Shown by browsers alone.',
  'POST /v2/remediations ticketUrl': 'A link that browsers open; the server only stores it.',
  'POST /v2/vulnerabilities/edit edit.ticketUrl': 'A link that browsers open; the server only stores it.',
  'POST /v2/ledger/anchors/:anchorId/confirmations address': 'An e-mail address that the anchor names.',
  'POST /v2/account/reauthentication passkey': 'What an authenticator signed.',
  'POST /v2/account/second-factors/passkeys passkey': 'What an authenticator signed.',
  'POST /v2/flags/frontend context.remoteAddress': 'The network address of the caller.',
};

interface Schema {
  format?: string;
  const?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

/** Returns the fields of a body that may contain an address: by format or name, and maps of any value. */
function addressFields({ body }: Endpoint): string[] {
  if (!body) return [];
  const found = new Set<string>();
  const walk = (schema: Schema, path: string, kind: string) => {
    const own = schema.properties?.kind?.const;
    const at = own === undefined ? kind : ` (${own})`;
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      const below = path === '' ? name : `${path}.${name}`;
      if (property.format === 'uri' || /ur[li]s?$|endpoint|hostname|^host$|server$|address$/i.test(name))
        found.add(below + at);
      walk(property, below, at);
    }
    for (const choice of [schema.anyOf, schema.oneOf, schema.allOf].flatMap((all) => all ?? [])) walk(choice, path, at);
    if (schema.items) walk(schema.items, `${path}[]`, at);
    const { additionalProperties: more } = schema;
    if (typeof more !== 'object') return;
    if (Object.keys(more).length === 0) found.add(path + at);
    walk(more, `${path}.*`, at);
  };
  walk(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as Schema, '', '');
  return [...found];
}

// In npm test, all fields together test each address several times.
const ADDRESSES_PER_FIELD = 8;

let server: TestServer;
let acme: TestOrganization;
let forbidden: Awaited<ReturnType<typeof startForbiddenService>>;
/** An allowed server that redirects every request to a forbidden one. */
let redirecting: Server;
let redirects = 0;
let allowed: string;
beforeAll(async () => {
  forbidden = await startForbiddenService();
  redirecting = createServer((request, response) => {
    redirects += 1;
    response.writeHead(307, { location: `http://127.0.0.1:${forbidden.port}${request.url}` }).end();
  });
  await new Promise<void>((resolve) => redirecting.listen(0, '127.0.0.1', resolve));
  allowed = `http://127.0.0.1:${(redirecting.address() as AddressInfo).port}`;
  server = await startTestServer({ jobs: true, destinations: [allowed] });
  acme = await server.make.organization();
  webhookId = await idFrom('POST /v2/outgoing-webhooks url', 'webhook');
  destinationId = await idFrom('POST /v2/evidence-destinations settings.url (drata)', 'destination');
  channelId = String((await send('POST /v2/chat/channels url', `${allowed}/moved`)).json.id);
  streamId = await idFrom('POST /v2/audit-streams settings.url (https)', 'stream');
});
afterAll(async () => {
  await server.close();
  redirecting.close();
  forbidden.close();
});

interface Answered {
  status: number;
  json: Record<string, unknown>;
  text: string;
}

/** Calls the endpoint of a target over HTTP. */
async function send(name: string, url: string): Promise<Answered> {
  const target = targets[name];
  const endpoint = endpoints.find((one) => name.startsWith(`${endpointKeyOf(one)} `));
  if (!target || !endpoint) throw new Error(`There is no ${name}`);
  const { params, body } = target.request(url);
  const answer = await fetch(`${server.url}${requestUrlOf(endpoint, { ...(params && { params }) })}`, {
    method: endpoint.method,
    headers: {
      authorization: `Bearer ${await server.token(acme.owner, acme.id)}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  return { status: answer.status, text, json: JSON.parse(text) as Record<string, unknown> };
}

async function idFrom(name: string, key: 'webhook' | 'destination' | 'stream' | 'anchor'): Promise<string> {
  const { json, text } = await send(name, `${allowed}/moved`);
  const made = json[key] as { id?: string } | undefined;
  if (made?.id === undefined) throw new Error(text);
  return made.id;
}

/** Returns the field that a response rejects. */
function rejectedIn({ status, json }: Answered, target: UrlTarget | undefined): unknown {
  if (!target?.problem) return status === 400 && (json.details as { field: string }[] | undefined)?.[0]?.field;
  return status === 200 && json.ok === false && (json.problem as { field: string }).field;
}

test('covers every field of the contract that accepts an address', () => {
  const fields = endpoints.flatMap((endpoint) =>
    addressFields(endpoint).map((field) => `${endpointKeyOf(endpoint)} ${field}`),
  );
  expect(fields.toSorted()).toEqual([...Object.keys(targets), ...Object.keys(notConnectedTo)].toSorted());
});

describe.each(Object.keys(targets))('%s', (name) => {
  const target = targets[name];

  test('rejects every hostile address and connects to nothing', async () => {
    const failed: string[] = [];
    const turn = Object.keys(targets).indexOf(name);
    for (const [what, url] of sampleUnlessFull(
      Object.entries(hostileUrls(forbidden.port)),
      ADDRESSES_PER_FIELD,
      turn,
    )) {
      const answer = await send(name, url);
      if (rejectedIn(answer, target) !== target?.field) failed.push(`${what}: ${answer.status} ${answer.text}`);
    }
    expect(failed).toEqual([]);
    expect(forbidden.connections()).toBe(0);
  });

  test('responds alike for an open and a closed port', async () => {
    const [open, closed] = await Promise.all(
      [forbidden.port, 1].map((port) => send(name, `https://127.0.0.1:${port}/`)),
    );
    const withoutRequestId = (answer: Answered | undefined) => [answer?.status, { ...answer?.json, requestId: '' }];
    expect(withoutRequestId(open)).toEqual(withoutRequestId(closed));
  });
});

test('follows no redirect of an allowed address in any client', async () => {
  const call = server.as(acme.owner, acme.id);
  const kinds = ['witness', 'rfc3161', 'webhook', 'git'];
  const before = redirects;
  // Without it there is no checkpoint to publish.
  await sequenceAndSign(server.services.ledger, acme.id);
  for (const kind of kinds) await idFrom(`POST /v2/ledger/anchors settings.url (${kind})`, 'anchor');
  await call(testOutgoingWebhook, { params: { webhookId } });
  expect(await call(testEvidenceDestination, { params: { destinationId } })).toMatchObject({ result: 'refused' });
  await send('POST /v2/integrations/:provider/connection baseURL', allowed);
  await vi.waitFor(
    async () => {
      for (const { id } of (await call(listAnchors, {})).rows) {
        const [attempt] = (await call(listAnchorAttempts, { params: { anchorId: id } })).rows;
        expect(attempt?.outcome).toBe('failed');
      }
      const [delivery] = (await call(listOutgoingDeliveries, { params: { webhookId } })).rows;
      expect(delivery?.lastAttempt?.responseStatus).toBe(307);
    },
    { timeout: 30_000 },
  );
  // A witness, an authority, two webhooks, a Git repository, a destination and a GitLab.
  expect(redirects - before).toBeGreaterThanOrEqual(7);
  expect(forbidden.connections()).toBe(0);
});

/** Returns the host that git connects to, as it requests it from a proxy. */
async function hostRequestedByGit(url: string): Promise<string | undefined> {
  let requestedHost: string | undefined;
  const proxy = createServer((request, response) => {
    requestedHost ??= new URL(request.url ?? '').host;
    response.writeHead(502).end();
  });
  proxy.on('connect', (request, socket) => {
    requestedHost ??= request.url;
    socket.on('error', () => undefined);
    socket.end('HTTP/1.1 502 No\r\n\r\n');
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const through = `http.proxy=http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const git = spawn('git', ['-c', through, 'ls-remote', url], { env: gitEnvironment(), stdio: 'ignore' });
  await new Promise((resolve) => git.once('close', resolve));
  await new Promise((resolve) => proxy.close(resolve));
  return requestedHost;
}

const portOf = ({ protocol, port }: URL): string => port || (protocol === 'https:' ? '443' : '80');

/** Hostile addresses with random changes, and ordinary ones with hostile parts. */
const anyUrl = fc
  .tuple(
    fc.constantFrom(...Object.values(hostileUrls(8443)), 'https://code.example/a/b.git', 'https://8.8.8.8:8443/x?y#z'),
    fc.array(
      fc.record({
        at: fc.nat(80),
        put: fc.constantFrom(
          ...[
            '\\',
            '@',
            '/',
            '//',
            ':',
            '#',
            '?',
            '%',
            '%40',
            '%5c',
            '%2f',
            '%00',
            '.',
            '..',
            '[',
            ']',
            '\t',
            ' ',
            '\n',
          ],
          ...[
            '\u3002',
            '\uff0f',
            '\uff20',
            '\u2024',
            '\u00ad',
            '\u200d',
            'ß',
            'İ',
            '127.0.0.1',
            '8.8.8.8',
            ';',
            '|',
            '^',
            '~',
          ],
        ),
        drop: fc.nat(3),
      }),
      { maxLength: 4 },
    ),
  )
  .map(([url, changes]) =>
    changes.reduce((text, { at, put, drop }) => text.slice(0, at) + put + text.slice(at + drop), url),
  );

test('an accepted address leads git to the verified host, regardless of its notation', async () => {
  await fc.assert(
    fc.asyncProperty(anyUrl, async (text) => {
      const parsed = parseDestination(text);
      if ('problem' in parsed) return;
      const { url } = parsed;
      // A checked address does not change in another check.
      expect(parseDestination(url.href)).toEqual({ url });
      const requestedHost = await hostRequestedByGit(url.href);
      // git may reject more addresses. It must not connect to another host.
      if (requestedHost === undefined) return;
      const expectedHost = new URL(`${url.protocol}//${requestedHost}`);
      expect([expectedHost.hostname, portOf(expectedHost)]).toEqual([url.hostname, portOf(url)]);
    }),
    { numRuns: propertyRuns(60) },
  );
  expect(forbidden.connections()).toBe(0);
});

test('connects to this machine for no variant of a hostile address', async () => {
  const names = Object.keys(targets);
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...names),
      fc.constantFrom(
        ...Object.values(hostileUrls(forbidden.port)).filter(
          (url) => url.includes('127.0.0.1') && !url.includes('8.8.8.8'),
        ),
      ),
      fc.constantFrom('\\', '@', '\t', ' ', '\n', '%', ':', '#', '?', '[', '\u3002', '\u200d'),
      fc.nat(60),
      async (name, url, put, at) => {
        const { status } = await send(name, url.slice(0, at) + put + url.slice(at));
        expect(status).toBeLessThan(500);
      },
    ),
    { numRuns: propertyRuns(40) },
  );
  expect(forbidden.connections()).toBe(0);
});
