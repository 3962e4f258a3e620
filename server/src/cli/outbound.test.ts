import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEvidenceDestination } from '@sightline/contract/compliance/evidence-destinations.ts';
import { addChatChannel } from '@sightline/contract/delivery/chat.ts';
import { createOutgoingWebhook } from '@sightline/contract/delivery/outgoing-webhooks.ts';
import { connectSaml } from '@sightline/contract/identity/saml.ts';
import { createAnchor } from '@sightline/contract/ledger/anchors.ts';
import { listAudit } from '@sightline/contract/organization/audit.ts';
import { createAuditStream } from '@sightline/contract/organization/audit-streams.ts';
import { authorizeHost, connectHost, getHostConnection } from '@sightline/contract/sources/host-connections.ts';
import { testScanner } from '@sightline/contract/sources/integrations.ts';
import { testTracker } from '@sightline/contract/sources/trackers.ts';
import { createStory } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type OutboundPurpose, outboundPurposes } from '#core/outbound.ts';
import { type SandboxGitlab, startSandboxGitlab } from '#providers/gitlab/sandbox.fixture.ts';
import { refusalOf, startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { type Receiver, startReceiver } from '../domains/delivery/outgoing-webhooks/testing/receiver.ts';
import { ofCheckmarx } from '../domains/vulnerabilities/scanners/checkmarx-connected.fixture.ts';
import { operatorCliOf } from './testing/in-process.ts';

let server: TestServer;
let beside: TestServer;
let receiver: Receiver;
let story: Awaited<ReturnType<typeof createStory>>;
let gitlab: SandboxGitlab;
let acme: TestOrganization;
let globex: TestOrganization;
beforeAll(async () => {
  receiver = await startReceiver();
  story = await createStory();
  gitlab = await startSandboxGitlab([story.path]);
  const options = { environment: gitlab.environment, destinations: [] };
  server = await startTestServer(options);
  beside = await startTestServer({ ...options, beside: server });
});
beforeEach(async () => {
  acme = await server.make.organization('Acme');
  globex = await server.make.organization('Globex');
});
afterAll(async () => {
  await beside.close();
  await server.close();
  await Promise.all([gitlab.close(), receiver.close(), story.remove()]);
});

const operator = () => operatorCliOf(server);
const set = (word: 'allow' | 'revoke', destination: string, ...more: string[]) =>
  operator().ask('outbound', word, destination, ...more);
const params = { provider: 'gitlab' } as const;

/** Requests that add an address of each purpose to an organization of either server. */
const uses = (at: TestServer, { owner, id }: TestOrganization): Record<OutboundPurpose, () => Promise<unknown>> => {
  const call = at.as(owner, id);
  const url = `${receiver.url}/here`;
  const name = crypto.randomUUID();
  return {
    anchor: () => call(createAnchor, { body: { kind: 'webhook', party: name, settings: { url } } }),
    'audit-stream': () => call(createAuditStream, { body: { kind: 'https', name, settings: { url } } }),
    evidence_destination: () => call(createEvidenceDestination, { body: { kind: 'webhook', name, settings: { url } } }),
    webhook: () => call(createOutgoingWebhook, { body: { url } }),
    'identity-provider': () => call(connectSaml, { body: { label: 'Corp', metadata: { url }, groupsAttribute: null } }),
    chat: () => call(addChatChannel, { body: { service: 'teams', name, url } }),
    // The receiver is no GitLab and no Checkmarx: the test only needs the connection.
    'code-host': () => call(connectHost, { params, body: { baseURL: receiver.url, token: 'a token' } }),
    tracker: async () => {
      const { problem } = await call(testTracker, {
        params: { tracker: 'jira-data-center' },
        body: { token: 'a token', baseURL: receiver.url },
      });
      if (problem?.code === 'refused_host') throw new Error(problem.message);
    },
    scanner: async () => {
      const { problem } = await call(testScanner, {
        params: ofCheckmarx,
        body: { tenant: 'acme', apiKey: 'a.b.c', baseURL: receiver.url },
      });
      if (problem?.code === 'refused_host') throw new Error(problem.message);
    },
  };
};

const isRejected = (use: () => Promise<unknown>): Promise<boolean> =>
  use().then(
    () => false,
    (error: { refusal?: { message: string }; message: string }) =>
      /must start with https/.test(error.refusal?.message ?? error.message),
  );

test('applies an allowance to one organization and purpose, in every process, until it is revoked', async () => {
  for (const purpose of outboundPurposes) {
    const isRejectedAt = (at: TestServer) => isRejected(uses(at, acme)[purpose]);
    expect([purpose, await isRejectedAt(server), await isRejectedAt(beside)]).toEqual([purpose, true, true]);
    await set('allow', receiver.url, '--org', acme.id, '--purpose', purpose);
    expect([purpose, await isRejectedAt(server), await isRejectedAt(beside)]).toEqual([purpose, false, false]);
    expect([purpose, await isRejected(uses(server, globex)[purpose])]).toEqual([purpose, true]);
    for (const other of outboundPurposes.filter((one) => one !== purpose)) {
      expect([purpose, other, await isRejected(uses(server, acme)[other])]).toEqual([purpose, other, true]);
    }
    await set('revoke', receiver.url, '--org', acme.id, '--purpose', purpose);
    expect([purpose, await isRejectedAt(server), await isRejectedAt(beside)]).toEqual([purpose, true, true]);
  }
});

test('applies an allowance for all organizations to future ones, and to no other port', async () => {
  await set('allow', receiver.url, '--all', '--purpose', 'webhook,evidence_destination');
  const later = await server.make.organization();
  expect(await isRejected(uses(server, later).webhook)).toBe(false);
  expect(await isRejected(uses(server, later).evidence_destination)).toBe(false);
  expect(await isRejected(uses(server, later).anchor)).toBe(true);
  const call = server.as(later.owner, later.id);
  const elsewhere = call(createOutgoingWebhook, { body: { url: 'http://127.0.0.1:1/' } });
  expect(await refusalOf(elsewhere)).toMatchObject({ status: 400 });
  await set('revoke', receiver.url, '--all', '--purpose', 'webhook,evidence_destination');
  expect(await isRejected(uses(server, later).webhook)).toBe(true);
});

test('records each change once, in the operator log and in affected audit logs', async () => {
  const before = new Date();
  await set('allow', '10.1.0.0/16', '--org', acme.id, '--purpose', 'anchor');
  // A repeated allowance is not recorded.
  await set('allow', '10.1.0.0/16', '--org', acme.id, '--purpose', 'anchor');
  await set('allow', 'scanner.internal', '--all', '--purpose', 'scanner');
  await set('revoke', 'scanner.internal', '--all', '--purpose', 'scanner');
  const audit = async ({ owner, id }: TestOrganization) => {
    const { entries } = await server.as(owner, id)(listAudit, { query: { from: before.toISOString() } });
    return entries
      .toReversed()
      .filter(({ action }) => action.startsWith('destination.'))
      .map(({ action, subject, actor }) => [action, subject.id, actor.kind]);
  };
  const allOrganizations = [
    ['destination.allowed', 'scanner.internal', 'operator'],
    ['destination.revoked', 'scanner.internal', 'operator'],
  ];
  expect(await audit(acme)).toEqual([['destination.allowed', '10.1.0.0/16', 'operator'], ...allOrganizations]);
  expect(await audit(globex)).toEqual(allOrganizations);
  const { entries } = await operator().ask<{ entries: { at: string; action: string; subject: object }[] }>(
    ...['operator', 'log'],
  );
  expect(
    entries.filter(({ at }) => new Date(at) >= before).map(({ action, subject }) => ({ action, ...subject })),
  ).toEqual([
    { action: 'destination.revoked', kind: 'destination', id: 'scanner.internal' },
    { action: 'destination.allowed', kind: 'destination', id: 'scanner.internal' },
    { action: 'destination.allowed', kind: 'organization destination', id: '10.1.0.0/16' },
  ]);
});

test('lists allowances, and rejects invalid destinations', async () => {
  await set('allow', 'HTTP://Checkmarx.internal:8080', '--all', '--purpose', 'scanner');
  await set('allow', 'git.internal', '--org', acme.id, '--purpose', 'anchor,code-host');
  const { allowances } = await operator().ask<{ allowances: object[] }>('outbound', 'list', '--org', acme.id);
  const organization = { id: acme.id, name: expect.any(String) };
  expect(allowances).toEqual([
    { destination: 'http://checkmarx.internal:8080', purpose: 'scanner', organization: null },
    { destination: 'git.internal', purpose: 'anchor', organization },
    { destination: 'git.internal', purpose: 'code-host', organization },
  ]);
  const { out } = await operator().cli(['outbound', 'list']);
  expect(out).toMatch(/git\.internal\s+anchor, /);
  await set('revoke', 'http://checkmarx.internal:8080', '--all', '--purpose', 'scanner');
  const complaints = await Promise.all(
    [
      ['https://a@b.internal', '--all', '--purpose', 'anchor'],
      ['https://b.internal/path', '--all', '--purpose', 'anchor'],
      ['b.internal:8080', '--all', '--purpose', 'anchor'],
      ['b.internal', '--all', '--purpose', 'everything'],
      ['b.internal', '--purpose', 'anchor'],
      ['b.internal', '--all', '--org', acme.id, '--purpose', 'anchor'],
    ].map(async (words) => (await operator().cli(['outbound', 'allow', ...words])).complaint),
  );
  expect(complaints).toEqual([
    expect.stringContaining('user name'),
    expect.stringContaining('must be a host'),
    expect.stringContaining('must be a host'),
    expect.stringContaining('must be one of anchor'),
    expect.stringContaining('--org or --all is required'),
    expect.stringContaining('--org or --all is required'),
  ]);
});

test('offers the GitLab of GITLAB_URL and its application only to organizations that the operator allowed', async () => {
  const state = (org: TestOrganization) => server.as(org.owner, org.id)(getHostConnection, { params });
  const start = (org: TestOrganization) =>
    server.as(org.owner, org.id)(authorizeHost, { params, query: { redirectURL: '/' } });
  const offered = { defaultURL: gitlab.baseURL, oauth: true };
  const usual = { defaultURL: 'https://gitlab.com', oauth: false };
  expect(await state(acme)).toMatchObject(usual);
  await set('allow', new URL(gitlab.baseURL).origin, '--org', acme.id, '--purpose', 'code-host');
  expect(await state(acme)).toMatchObject(offered);
  expect(await state(globex)).toMatchObject(usual);
  expect((await start(acme)).authorizationURL).toContain(gitlab.baseURL);
  expect(await refusalOf(start(globex))).toMatchObject({ status: 409 });
  const call = (org: TestOrganization) =>
    server.as(org.owner, org.id)(connectHost, { params, body: { baseURL: gitlab.baseURL, token: gitlab.tokenOf() } });
  expect((await call(acme)).connection).toMatchObject({ baseURL: gitlab.baseURL });
  expect(await refusalOf(call(globex))).toMatchObject({ status: 400 });
  await set('allow', new URL(gitlab.baseURL).origin, '--all', '--purpose', 'code-host');
  expect(await state(globex)).toMatchObject(offered);
  await set('revoke', new URL(gitlab.baseURL).origin, '--all', '--purpose', 'code-host');
});

test('doctor reports a set OUTBOUND_ALLOW, and a git without pinning', async () => {
  interface Health {
    checks: { name: string; state: string; message: string }[];
  }
  const folder = await mkdtemp(join(tmpdir(), 'sightline-old-git-'));
  await writeFile(join(folder, 'git'), '#!/bin/sh\necho git version 2.36.6\n', { mode: 0o755 });
  const { checks } = await operatorCliOf(server, { OUTBOUND_ALLOW: '127.0.0.1', PATH: folder }).ask<Health>('doctor');
  await rm(folder, { recursive: true });
  expect(checks).toContainEqual(
    expect.objectContaining({
      name: 'destinations',
      state: 'warn',
      message: expect.stringContaining('OUTBOUND_ALLOW'),
    }),
  );
  expect(checks).toContainEqual(
    expect.objectContaining({ name: 'git', state: 'warn', message: 'git version 2.36.6 is too old' }),
  );
  const { checks: now } = await operator().ask<Health>('doctor');
  expect(now).toContainEqual(expect.objectContaining({ name: 'destinations', state: 'ok' }));
});
