import { isChange } from '@sightline/contract/core/endpoint.ts';
import { archiveOrganization } from '@sightline/contract/organization/organizations.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '#testing/server.ts';
import { endpoints } from '../domains/platform/documentation/endpoints.ts';
import { statusForOwner } from './access-matrix.ts';
import { githubEnvironment } from './github-environment.ts';
import { callEndpoint, endpointKeyOf, requestNamesOf } from './requests.ts';
import { seedOrganization } from './seed.ts';
import type { Seed } from './seeded.ts';

let server: TestServer;
let seed: Seed;
let owner: string;
beforeAll(async () => {
  server = await startTestServer({ environment: githubEnvironment });
  seed = await seedOrganization(server, 'quokka');
  await server.as(seed.org.owner, seed.org.id)(archiveOrganization, {});
  owner = await server.token(seed.org.owner, seed.org.id);
});
afterAll(() => server.close());

const ofOrganization = endpoints
  .filter(({ scope }) => scope === 'organization')
  .map((endpoint) => ({ name: endpointKeyOf(endpoint), endpoint }));
const changes = ofOrganization.filter(({ endpoint }) => isChange(endpoint) && !endpoint.whileArchived);
const questions = ofOrganization.filter(({ endpoint }) => !isChange(endpoint));

test('allows only restoring and leaving an archived organization, deleting a demo, and heartbeats of its owners', () => {
  const others = ofOrganization.filter((one) => !changes.includes(one) && !questions.includes(one));
  expect(others.map(({ name }) => name).toSorted()).toEqual([
    'DELETE /v2/auth0mgm/user/organizations',
    'DELETE /v2/demo',
    'POST /v2/user/heartbeat',
    'PUT /v2/auth0mgm/org/restore',
  ]);
});

describe('an archived organization rejects', () => {
  test.each(changes)('$name', async ({ endpoint }) => {
    const { status, body } = await callEndpoint(server, endpoint, owner, requestNamesOf(seed));
    expect([status, JSON.parse(body)]).toEqual([
      409,
      {
        code: 'conflict',
        message: expect.stringContaining('archived'),
        cause: expect.stringContaining('restore'),
        requestId: expect.any(String),
      },
    ]);
  });
});

describe('an archived organization responds to its owner on', () => {
  test.each(questions)('$name', async ({ endpoint }) => {
    const { status } = await callEndpoint(server, endpoint, owner, requestNamesOf(seed));
    expect(status).toBe(statusForOwner(endpoint));
  });
});

test('denies access to all members except owners', async () => {
  for (const member of [seed.contributor, seed.reviewer, seed.auditor]) {
    const token = await server.token(member, seed.org.id);
    for (const { endpoint } of questions) {
      expect((await callEndpoint(server, endpoint, token, requestNamesOf(seed))).status).toBe(403);
    }
  }
});
