import { listFeatureFlags, reportFlagUsage } from '@sightline/contract/identity/feature-flags.ts';
import { listRepositories } from '@sightline/contract/sources/repositories.ts';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { refusalOf, startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { findUnleash, type RealUnleash, startUnleash } from './testing/unleash.ts';

const installed = findUnleash();
if (installed === undefined) {
  console.info(
    'The test against a real Unleash is skipped: there is no unleash-server here. Install it outside this checkout ' +
      '(npm i unleash-server in an empty folder) and name the folder in UNLEASH_SERVER_DIR.',
  );
}

describe.skipIf(installed === undefined)('an Unleash server', () => {
  let unleash: RealUnleash;
  let server: TestServer;
  let open: TestOrganization;
  let shut: TestOrganization;
  beforeAll(async () => {
    // UNLEASH_TEST_DATABASE: the URL of a superuser on another PostgreSQL than that of the tests.
    unleash = await startUnleash(installed ?? '', process.env.UNLEASH_TEST_DATABASE ?? inject('cluster').url);
    server = await startTestServer({
      environment: { UNLEASH_URL: unleash.url, UNLEASH_FRONTEND_TOKEN: unleash.frontendToken },
    });
    open = await server.make.organization('Open');
    shut = await server.make.organization('Shut');
    await unleash.make('release2', { contextName: 'orgId', values: [open.id] });
    await unleash.make('jira', { contextName: 'userId', values: [open.owner.id] });
    await unleash.make('nothingOfOurs', { contextName: 'orgId', values: [open.id] });
  }, 120_000);
  afterAll(async () => {
    await server?.close();
    await unleash?.stop();
  });

  /** The cache of Unleash, and the 15 seconds for which a response is cached here. */
  const polling = { timeout: 60_000, interval: 500 };
  const on = async ({ owner, id }: TestOrganization) =>
    (await server.as(owner, id)(listFeatureFlags, {})).toggles.map(({ name }) => name).toSorted();
  const repositoriesOf = ({ owner, id }: TestOrganization) => refusalOf(server.as(owner, id)(listRepositories, {}));

  test('decides for the account and organization of the token, in pages and the API guard', async () => {
    await expect.poll(() => on(open), polling).toEqual(['jira', 'release2']);
    expect(await on(shut)).toEqual([]);
    expect(await repositoriesOf(open)).toMatchObject({ status: 200 });
    expect(await repositoriesOf(shut)).toEqual({ status: 404, code: 'not_found' });
  }, 70_000);

  test('propagates a changed flag', async () => {
    await unleash.turn('release2', 'off');
    await expect.poll(() => repositoriesOf(open), polling).toMatchObject({ status: 404 });
    await unleash.turn('release2', 'on');
    await expect.poll(() => repositoriesOf(open), polling).toMatchObject({ status: 200 });
  }, 130_000);

  test('receives the usage of flags', async () => {
    const at = new Date().toISOString();
    const toggles = { release2: { yes: 5, no: 2, variants: {} } };
    await server.as(open.owner, open.id)(reportFlagUsage, {
      body: { appName: 'web', bucket: { start: at, stop: at, toggles } },
    });
    await expect.poll(() => unleash.usage('release2'), polling).toEqual({ yes: 5, no: 2 });
  }, 70_000);
});
