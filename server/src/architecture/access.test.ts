import type { Endpoint } from '@sightline/contract/core/endpoint.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '#testing/server.ts';
import { endpoints } from '../domains/platform/documentation/endpoints.ts';
import { type AccessOutcome, type Principal, principals } from './access.ts';
import { accessMatrix } from './access-matrix.ts';
import { recordTableChanges, type TableChangeRecorder } from './change-recorder.ts';
import type { RequestNames } from './endpoint-case.ts';
import { endpointCases } from './endpoint-cases.ts';
import { githubEnvironment } from './github-environment.ts';
import { credentialsOf } from './principals.ts';
import { callEndpoint, endpointKeyOf, requestNamesOf, unknownRequestNames } from './requests.ts';
import { createSceneSnapshots, type SceneSnapshots } from './scene-snapshots.ts';
import { seedOrganization } from './seed.ts';
import type { Seed } from './seeded.ts';

let server: TestServer;
let changes: TableChangeRecorder;
let scenes: SceneSnapshots;
let ours: Seed;
let theirs: Seed;
let tokens: Record<Principal, string | undefined>;
beforeAll(async () => {
  server = await startTestServer({ environment: githubEnvironment });
  ours = await seedOrganization(server, 'quokka');
  theirs = await seedOrganization(server, 'wombat');
  tokens = await credentialsOf(server, ours, theirs);
  changes = await recordTableChanges(server);
  scenes = createSceneSnapshots(server, changes, [ours, theirs]);
});
beforeEach(() => scenes.ensure(ours));
afterAll(async () => {
  await changes?.close();
  await server?.close();
});

const call = (endpoint: Endpoint, principal: Principal, names: RequestNames) =>
  callEndpoint(server, endpoint, tokens[principal], names);

const outcomeOf = (endpoint: Endpoint, status: number): AccessOutcome =>
  status === (endpoint.status ?? 200) ? 'ok' : `${status}`;

test('has one case for every endpoint, and no others', () => {
  const described = endpointCases.map(({ endpoint }) => endpointKeyOf(endpoint));
  expect(described.toSorted()).toEqual(endpoints.map(endpointKeyOf).toSorted());
});

const codes: Partial<Record<number, string>> = {
  400: 'validation_failed',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  502: 'upstream_failed',
};

describe.each(endpoints.map((endpoint) => ({ name: endpointKeyOf(endpoint), endpoint })))(
  '$name',
  ({ name, endpoint }) => {
    const row = accessMatrix[name];

    test('responds according to the access matrix, and a refusal changes nothing', async () => {
      const found: Partial<Record<Principal, AccessOutcome>> = {};
      await scenes.ensure(ours, endpoint);
      await changes.take();
      const refused = principals.filter((principal) => row?.[principal] !== 'ok');
      await Promise.all(
        refused.map(async (principal) => {
          const { status, body } = await call(endpoint, principal, requestNamesOf(ours));
          found[principal] = outcomeOf(endpoint, status);
          if (found[principal] === 'ok') return;
          expect(JSON.parse(body)).toMatchObject({
            code: codes[status],
            message: expect.any(String),
            requestId: expect.any(String),
          });
          if (status === 403 && endpoint.permission)
            expect([principal, body]).toEqual([principal, expect.not.stringContaining('quokka')]);
        }),
      );
      expect(await changes.take()).toEqual([]);
      for (const principal of principals.filter((one) => !refused.includes(one))) {
        await scenes.ensure(ours, endpoint);
        found[principal] = outcomeOf(endpoint, (await call(endpoint, principal, requestNamesOf(ours))).status);
      }
      expect(found).toEqual(row);
    });

    test('reveals nothing of this organization to the owner of another organization', async () => {
      const answers = [
        await call(endpoint, 'otherOwner', requestNamesOf(ours)),
        await call(endpoint, 'otherOwner', requestNamesOf(theirs)),
        await call(endpoint, 'intruder', requestNamesOf(ours)),
      ];
      const secrets = [
        'quokka',
        ours.org.id,
        ours.org.owner.email,
        ours.contributor.email,
        ours.repositoryId,
        ours.contextId,
        ours.ownerEventId,
        ours.contributorEventId,
      ];
      for (const { status, body } of answers) {
        // A refusal may repeat an ID of the request.
        if (status >= 400) continue;
        for (const secret of secrets) expect(body).not.toContain(secret);
      }
    });

    test('responds to a foreign id exactly as to an unknown id', async () => {
      const foreign = requestNamesOf(ours);
      const random = unknownRequestNames(ours);
      const [one, other] = [await call(endpoint, 'otherOwner', foreign), await call(endpoint, 'otherOwner', random)];
      if (one.status < 400) return;
      expect([one.status, withoutNames(one.body, foreign)]).toEqual([other.status, withoutNames(other.body, random)]);
      expect(Object.keys(one.headers).toSorted()).toEqual(Object.keys(other.headers).toSorted());
    });
  },
);

/** Removes the request ID of a refusal, and the names that the caller sent. */
function withoutNames(body: string, names: RequestNames): string {
  const { requestId: _, ...refused } = JSON.parse(body) as Record<string, unknown>;
  return Object.values(names)
    .filter((name) => typeof name === 'string')
    .reduce((text, name) => text.replaceAll(name, '…'), JSON.stringify(refused));
}
