import { createHmac, randomUUID } from 'node:crypto';
import examples from '@octokit/webhooks-examples' with { type: 'json' };
import { createStory } from '@sightline/sandbox/testing/repository.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SandboxGithub, startSandboxGithub, webhookSecret } from '#providers/github/sandbox.fixture.ts';
import { startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { propertyRuns } from '../../../../../scripts/properties.ts';
import { webhookHelpers } from './deliveries.fixture.ts';

type FuzzedJson = null | boolean | number | string | FuzzedJson[] | { [key: string]: FuzzedJson };

let story: Awaited<ReturnType<typeof createStory>>;
let sandbox: SandboxGithub;
let server: TestServer;
let org: TestOrganization;
let about: { installation: { id: number }; repository: { [key: string]: FuzzedJson } };

beforeAll(async () => {
  story = await createStory();
  sandbox = await startSandboxGithub([story.path]);
  server = await startTestServer({ environment: sandbox.environment, jobs: true });
  org = await server.make.organization();
  await enableOnly(org, sandbox);
  const row = await inOrg(org.id, ({ db }) => db.selectFrom('repository').selectAll().executeTakeFirstOrThrow());
  about = {
    installation: { id: Number(row.installation_id) },
    repository: { id: Number(row.provider_repo_id), name: row.name, full_name: row.full_name, private: true },
  };
});
afterAll(async () => {
  await server.close();
  await sandbox.close();
  await story.remove();
});

const { inOrg, enableOnly, waitUntilProcessed } = webhookHelpers(() => server);

const published = (examples as unknown as { name: string; examples: { [key: string]: FuzzedJson }[] }[])
  .filter(({ name }) => name !== 'installation')
  .flatMap(({ name, examples: payloads }) => payloads.map((payload) => ({ name, payload })));

const hostile: readonly FuzzedJson[] = [
  ...[null, true, -1, 0.5, 1e300, 2 ** 53, '', 'a\0b', '\ud800', '275760-09-13T00:00:00Z', '\u202e', [], {}, [[]]],
  ...['9'.repeat(400), '__proto__', "'; drop table event --", 'refs/heads/', '../../etc/passwd', 'x'.repeat(70_000)],
];
/** Replaces the value at `position` in document order with a hostile one; null removes it. */
const mutation = fc.record({ position: fc.nat(400), value: fc.option(fc.nat(hostile.length - 1)) });

/** The payload with one of its values replaced or removed. */
function mutate(payload: FuzzedJson, { position, value }: { position: number; value: number | null }): FuzzedJson {
  const fields: { holder: { [key: string]: FuzzedJson }; key: string }[] = [];
  const copy = structuredClone(payload);
  const walk = (one: FuzzedJson) => {
    if (typeof one !== 'object' || one === null) return;
    for (const [key, each] of Object.entries(one)) {
      fields.push({ holder: one as { [key: string]: FuzzedJson }, key });
      walk(each);
    }
  };
  walk(copy);
  const found = fields[position % Math.max(1, fields.length)];
  if (!found) return copy;
  if (value === null) delete found.holder[found.key];
  else found.holder[found.key] = hostile[value] ?? null;
  return copy;
}

const signatureOf = (body: string) => `sha256=${createHmac('sha256', webhookSecret).update(body).digest('hex')}`;
const send = async (event: string, body: string, signature: string) =>
  fetch(`${server.url}/api/webhooks/github`, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'x-github-event': event,
      'x-github-delivery': randomUUID(),
      'x-hub-signature-256': signature,
    },
  });

test('answers and processes any malformed payload without an internal error', {
  tags: 'full',
  timeout: 600_000,
}, async () => {
  const anyDelivery = fc.record({
    example: fc.nat(published.length - 1),
    mutations: fc.array(mutation, { minLength: 1, maxLength: 6 }),
  });
  await fc.assert(
    fc.asyncProperty(anyDelivery, async ({ example, mutations }) => {
      const { name, payload } = published[example] ?? { name: 'push', payload: {} };
      const body = JSON.stringify(mutations.reduce<FuzzedJson>(mutate, { ...payload, ...about }));
      const answer = await send(name, body, signatureOf(body));
      expect(answer.status, await answer.text()).toBeLessThan(500);
    }),
    { numRuns: propertyRuns(50) },
  );
  const rows = await waitUntilProcessed(org.id, 300_000);
  // An invalid delivery fails with the name of the field, and not with an internal error.
  const internal = rows.filter(({ error }) => error !== null && !/^✖ /.test(error));
  expect(internal.map(({ event, error, body }) => ({ event, error, body: body?.slice(0, 2000) }))).toEqual([]);
});

test('rejects and does not store a body that was changed after it was signed', {
  tags: 'full',
  timeout: 600_000,
}, async () => {
  const count = () => inOrg(org.id, ({ db }) => db.selectFrom('webhook_delivery').select('delivery_id').execute());
  const before = (await count()).length;
  await fc.assert(
    fc.asyncProperty(fc.nat(published.length - 1), mutation, async (example, change) => {
      const { name, payload } = published[example] ?? { name: 'push', payload: {} };
      const signed = JSON.stringify({ ...payload, ...about });
      const sent = JSON.stringify(mutate({ ...payload, ...about }, change));
      fc.pre(sent !== signed);
      expect((await send(name, sent, signatureOf(signed))).status).toBe(401);
    }),
    { numRuns: propertyRuns(20) },
  );
  expect(await count()).toHaveLength(before);
});
