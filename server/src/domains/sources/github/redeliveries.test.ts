import { getGithubStatus } from '@sightline/contract/sources/github.ts';
import { listIntegrations } from '@sightline/contract/sources/integrations.ts';
import { suspend, uninstall, unsuspend } from '@sightline/sandbox/github/installations.ts';
import { createStory } from '@sightline/sandbox/testing/repository.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SandboxGithub, startSandboxGithub } from '#providers/github/sandbox.fixture.ts';
import { startTestServer, superuserUrl, type TestOrganization, type TestServer } from '#testing/server.ts';
import { webhookHelpers } from '../webhooks/deliveries.fixture.ts';
import { refreshInstallationState } from './installation-state.ts';
import { requestRedeliveries } from './redeliveries.ts';

let story: Awaited<ReturnType<typeof createStory>>;
let sandbox: SandboxGithub;
let server: TestServer;
let acme: TestOrganization;
let id: number;

const { bind, inOrg } = webhookHelpers(() => server);

beforeAll(async () => {
  story = await createStory();
  sandbox = await startSandboxGithub([story.path]);
  server = await startTestServer({ environment: sandbox.environment });
  acme = await server.make.organization();
  id = sandbox.install().id;
  await bind(acme, String(id));
});
afterAll(async () => {
  await server.close();
  await sandbox.close();
  await story.remove();
});

const installation = () => {
  const found = sandbox.sandbox.host.installations.get(id);
  if (!found) throw new Error('not installed');
  return found;
};
const received = () =>
  inOrg(acme.id, ({ db }) =>
    db.selectFrom('webhook_delivery').where('org_id', '=', acme.id).select(['event', 'delivery_id']).execute(),
  );
const check = async () => {
  await refreshInstallationState(server.services, acme.id, String(id));
  return (await server.as(acme.owner, acme.id)(getGithubStatus, {})).state;
};

test('requests redelivery of a failed GitHub webhook once and reports it on the page', async () => {
  const { host } = sandbox.sandbox;
  const { webhooks } = host;
  sandbox.sandbox.deliverTo(`${server.url}/nowhere`);
  const ada = sandbox.user('ada');
  suspend(host, installation(), ada);
  unsuspend(host, installation(), ada);
  await webhooks.settled();
  expect(await received()).toEqual([]);
  sandbox.sandbox.deliverTo(`${server.url}/api/webhooks/github`);
  await requestRedeliveries(server.services);
  await webhooks.settled();
  expect((await received()).map(({ event }) => event)).toEqual(['installation', 'installation']);
  const [card] = (await server.as(acme.owner, acme.id)(listIntegrations, {})).filter(({ name }) => name === 'github');
  expect(card?.notes).toEqual(['2 webhooks did not arrive in the last week and were redelivered.']);
  const sent = webhooks.log.length;
  await requestRedeliveries(server.services);
  await webhooks.settled();
  expect(webhooks.log).toHaveLength(sent);
});

test('requests no redelivery of webhooks that arrived meanwhile or have no organization', async () => {
  const { host } = sandbox.sandbox;
  const { webhooks } = host;
  sandbox.sandbox.deliverTo(`${server.url}/nowhere`);
  suspend(host, installation(), sandbox.user('ada'));
  await webhooks.settled();
  const failed = webhooks.log.at(-1);
  await inOrg(acme.id, ({ db }) =>
    db
      .insertInto('webhook_delivery')
      .values({
        org_id: acme.id,
        provider: 'github',
        delivery_id: failed?.guid ?? '',
        event: 'installation',
        body: '{}',
      })
      .execute(),
  );
  // A webhook of an installation that no organization is connected to.
  await webhooks.send({ event: 'installation', installationId: 999, repositoryId: null, payload: {} });
  await webhooks.settled();
  const sent = webhooks.log.length;
  await requestRedeliveries(server.services);
  await webhooks.settled();
  expect(webhooks.log).toHaveLength(sent);
  unsuspend(host, installation(), sandbox.user('ada'));
});

test('redelivers webhooks for other organizations when redelivery fails for one', async () => {
  const { host } = sandbox.sandbox;
  const beta = await server.make.organization();
  const other = 4711;
  await bind(beta, String(other));
  const superuser = new pg.Client({ connectionString: superuserUrl(server.databaseUrl) });
  await superuser.connect();
  await superuser.query(`create function refuse_organization() returns trigger language plpgsql as $$ begin
      if new.org_id = '${acme.id}' then raise exception 'this organization fails'; end if;
      return new;
    end $$;
    create trigger refuse_organization before update on installation for each row execute function refuse_organization()`);
  sandbox.sandbox.deliverTo(`${server.url}/nowhere`);
  const ada = sandbox.user('ada');
  const payload = { action: 'suspend', installation: { id: other } };
  await host.webhooks.send({ event: 'installation', installationId: other, repositoryId: null, payload });
  // GitHub lists the latest delivery first.
  suspend(host, installation(), ada);
  await host.webhooks.settled();
  sandbox.sandbox.deliverTo(`${server.url}/api/webhooks/github`);
  await expect(requestRedeliveries(server.services)).rejects.toThrow('this organization fails');
  await host.webhooks.settled();
  const rows = await inOrg(beta.id, ({ db }) =>
    db.selectFrom('webhook_delivery').where('org_id', '=', beta.id).select('event').execute(),
  );
  expect(rows).toEqual([{ event: 'installation' }]);
  await superuser.query('drop trigger refuse_organization on installation');
  await superuser.end();
  unsuspend(host, installation(), ada);
});

test('detects the state of an installation without a webhook', async () => {
  const { host } = sandbox.sandbox;
  const ada = sandbox.user('ada');
  expect(await check()).toBe('active');
  suspend(host, installation(), ada);
  expect(await check()).toBe('suspended');
  unsuspend(host, installation(), ada);
  expect(await check()).toBe('active');
  uninstall(host, installation(), ada);
  expect(await check()).toBe('not_connected');
});
