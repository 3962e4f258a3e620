import { globSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Flag } from '@sightline/contract/core/flags.ts';
import { type Integration, listIntegrations } from '@sightline/contract/sources/integrations.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '#core/ids.ts';
import { startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { insertExtension } from '../../../architecture/extension.ts';
import { githubEnvironment } from '../../../architecture/github-environment.ts';
import { setFlag } from '../../identity/flags/commands.ts';
import { loadManifests } from './manifests.ts';

let server: TestServer;
let acme: TestOrganization;
beforeAll(async () => {
  server = await startTestServer({ environment: githubEnvironment });
});
afterAll(() => server.close());
beforeEach(async () => {
  acme = await server.make.organization();
});

const list = (org = acme) => server.as(org.owner, org.id)(listIntegrations, {});
const find = async (name: string, org = acme): Promise<Integration | undefined> =>
  (await list(org)).find((integration) => integration.name === name);
const withOrg: TestServer['services']['database']['withOrg'] = (orgId, work) =>
  server.services.database.withOrg(orgId, work);

let installations = 0;
const personal = 'https://github.example/settings/installations/1';
const install = (permissions: Record<string, string>, suspended = false, org = acme, url = personal) =>
  withOrg(org.id, ({ db }) =>
    db
      .insertInto('installation')
      .values({
        org_id: org.id,
        provider: 'github',
        installation_id: String(9000 + installations++),
        account_login: 'acme',
        html_url: url,
        permissions: JSON.stringify(permissions),
        created_by: org.owner.id,
        suspended_at: suspended ? new Date() : null,
      })
      .execute(),
  );

async function repository(tracked: boolean, importState?: 'done' | 'failed', org = acme): Promise<string> {
  const id = newId();
  await withOrg(org.id, async ({ db }) => {
    await db
      .insertInto('repository')
      .values({
        org_id: org.id,
        id,
        provider: 'github',
        provider_repo_id: id,
        installation_id: '1',
        owner: 'acme',
        name: id,
        full_name: `acme/${id}`,
        default_branch: 'main',
        is_private: true,
        html_url: 'https://github.example/acme',
        tracked,
      })
      .execute();
    if (importState === undefined) return;
    await db
      .insertInto('repository_import')
      .values({
        org_id: org.id,
        repository_id: id,
        state: importState,
        phase: 'files',
        finished_at: importState === 'done' ? new Date('2026-03-01T12:00:00Z') : null,
      })
      .execute();
  });
  return id;
}

const scan = (repositoryId: string, source: 'sarif' | 'dependabot' | 'code_scanning', state: string, at: string) =>
  withOrg(acme.id, ({ db }) =>
    db
      .insertInto('scan')
      .values({
        org_id: acme.id,
        id: newId(),
        repository_id: repositoryId,
        source,
        tool: 'tool',
        tool_name: 'Tool',
        category: '',
        ref: 'refs/heads/main',
        analysis: newId(),
        complete: true,
        state,
        actor_kind: 'account',
        actor_id: acme.owner.id,
        received_at: new Date(at),
        finished_at: new Date(at),
      })
      .execute(),
  );

const evidence = { administration: 'read', checks: 'read', statuses: 'read' };
const all = {
  contents: 'read',
  pull_requests: 'read',
  security_events: 'read',
  secret_scanning_alerts: 'read',
  ...evidence,
};

test('defines one integration per file of the folder, named like the file', async () => {
  const files = globSync('*/*/manifest/*.ts', { cwd: new URL('../../', import.meta.url) }).map((path) =>
    basename(path),
  );
  const names = (await loadManifests()).map(({ name }) => `${name}.ts`);
  expect(names.toSorted()).toEqual(files.toSorted());
});

test('sorts by category and title, with nothing active in an organization without connections', async () => {
  const integrations = await list();
  expect(integrations.filter(({ status }) => status !== 'inactive')).toEqual([]);
  expect([...new Set(integrations.map(({ category }) => category))]).toEqual([
    ...['source-code-management', 'browser-extensions', 'ide-extensions', 'security-scanners'],
    ...['chat', 'directories', 'issue-trackers'],
  ]);
  const browsers = integrations.filter(({ category }) => category === 'browser-extensions');
  expect(browsers.map(({ title }) => title)).toEqual(['Brave', 'Chrome', 'Edge', 'Firefox', 'Opera']);
  expect(await find('code-scanning')).toMatchObject({
    missing: ['GitHub is not connected.'],
    links: [{ href: '/integrations/source-code-management' }],
  });
});

test('hides scanners without the vulnerabilities flag, and Dependabot without its own', async () => {
  const scanners = async (org: TestOrganization) =>
    (await list(org)).filter(({ category }) => category === 'security-scanners').map(({ name }) => name);
  const set = (org: TestOrganization, name: Flag, enabled: boolean) =>
    setFlag(server.services, { orgId: org.id }, { name, enabled, operator: 'olga' });
  const [shut, alerts] = [await server.make.organization(), await server.make.organization()];
  await set(shut, 'vulnerabilities', false);
  await set(shut, 'dependabotInIntegrations', true);
  await set(alerts, 'dependabotInIntegrations', true);
  expect(await scanners(acme)).toContain('sarif');
  expect(await scanners(acme)).not.toContain('dependabot');
  // Flag settings are cached for 5 seconds.
  const soon = { timeout: 12_000, interval: 250 };
  await expect.poll(() => scanners(shut), soon).toEqual([]);
  await expect.poll(() => scanners(alerts), soon).toContain('dependabot');
});

test('shows the imported data, the last sync and missing data of GitHub', async () => {
  await install({ contents: 'read', metadata: 'read', ...evidence });
  expect(await find('github')).toMatchObject({
    status: 'active',
    detail: '0 repositories',
    missing: [
      expect.stringContaining('The app has no access to “Pull requests” of acme'),
      'The app has access to no repository. Add repositories in its settings on GitHub.',
    ],
  });
  await repository(false);
  expect((await find('github'))?.missing).toContain('None of 1 repository is enabled yet.');
  await repository(true, 'done');
  expect(await find('github')).toMatchObject({ detail: '1 repository', lastSyncAt: '2026-03-01T12:00:00.000Z' });
  await repository(true, 'failed');
  expect(await find('github')).toMatchObject({
    status: 'error',
    detail: '2 repositories',
    problem: { code: 'import_failed', message: expect.stringContaining('1 repository') },
  });
});

test('works without permissions that only evidence needs, and lists them as missing', async () => {
  await install({ contents: 'read', pull_requests: 'read' });
  const card = await find('github');
  expect(card?.status).toBe('active');
  expect(card?.missing.slice(0, 3)).toEqual(
    ['Administration', 'Checks', 'Commit statuses'].map((name) => expect.stringContaining(`“${name}”`)),
  );
});

test('names the permissions that access facts need, of organizations only', async () => {
  await install(all);
  expect(JSON.stringify((await find('github'))?.missing)).not.toContain('Members');
  await withOrg(acme.id, ({ db }) => db.updateTable('installation').set({ deleted_at: new Date() }).execute());
  const url = 'https://github.example/organizations/acme/settings/installations/2';
  const { administration: _, ...others } = all;
  await install(others, false, acme, url);
  const card = await find('github');
  const access = 'who and what has access to repositories';
  expect(card?.missing.slice(0, 3)).toEqual([
    expect.stringContaining(`“Administration” of acme, which it needs to read branch protection and ${access}`),
    expect.stringContaining(`“Members” of acme, which it needs to read ${access}`),
    expect.stringContaining(`“Administration of the organization” of acme, which it needs to read ${access}`),
  ]);
  expect(card?.links).toContainEqual({ label: 'Review permissions of acme', href: `${url}/permissions/update` });
});

test('reports a suspended app as an error with the next step', async () => {
  await install(all, true);
  expect(await find('github')).toMatchObject({
    status: 'error',
    problem: { code: 'suspended', message: expect.stringContaining('Resume it') },
    links: [{ href: 'https://github.example/settings/installations/1' }],
  });
  expect(await find('code-scanning')).toMatchObject({ status: 'inactive', missing: ['GitHub is not connected.'] });
});

test('names an account with a suspended or uninstalled app', async () => {
  await install(all);
  await install(all, true);
  expect(await find('github')).toMatchObject({
    status: 'active',
    missing: [expect.stringContaining('suspended on acme'), expect.any(String)],
  });
  await withOrg(acme.id, ({ db }) => db.updateTable('installation').set({ deleted_at: new Date() }).execute());
  expect(await find('github')).toMatchObject({
    status: 'inactive',
    missing: [expect.stringContaining('no longer installed on acme')],
  });
});

test('activates alerts by app permission and reports a missing one without an error', async () => {
  await install({ contents: 'read', pull_requests: 'read' });
  expect(await find('code-scanning')).toMatchObject({
    status: 'inactive',
    problem: null,
    missing: [expect.stringContaining('“Code scanning alerts”')],
    links: [
      {
        label: 'Review permissions of acme',
        href: 'https://github.example/settings/installations/1/permissions/update',
      },
    ],
  });
  const other = await server.make.organization('Other');
  await install(all, false, other);
  expect(await find('code-scanning', other)).toMatchObject({ status: 'active', missing: [expect.any(String)] });
});

test('counts repositories with readable, disabled and unreachable alerts', async () => {
  await install(all);
  const read = (repositoryId: string, state: string) =>
    withOrg(acme.id, ({ db }) =>
      db
        .insertInto('alert_reading')
        .values({
          org_id: acme.id,
          repository_id: repositoryId,
          source: 'code_scanning',
          state,
          read_at: new Date('2026-03-01T12:00:00Z'),
        })
        .execute(),
    );
  await read(await repository(true), 'off');
  expect(await find('code-scanning')).toMatchObject({
    status: 'inactive',
    detail: null,
    missing: ['1 repository has it disabled on GitHub.'],
    problem: null,
  });
  await read(await repository(true), 'read');
  await read(await repository(true), 'off');
  await read(await repository(true), 'forbidden');
  await read(await repository(false), 'failed');
  expect(await find('code-scanning')).toMatchObject({
    status: 'active',
    detail: '1 repository',
    lastSyncAt: '2026-03-01T12:00:00.000Z',
    problem: null,
    missing: ['GitHub denies access to the alerts of 1 repository.', '2 repositories have it disabled on GitHub.'],
  });
  await read(await repository(true), 'failed');
  expect(await find('code-scanning')).toMatchObject({ status: 'error', problem: { code: 'read_failed' } });
});

test('counts uploads by repository, with the state of the newest scan of each', async () => {
  const one = await repository(true);
  const two = await repository(true);
  const disabled = await repository(false);
  expect(await find('sarif')).toMatchObject({ status: 'inactive', missing: ['No uploads.'] });
  await scan(one, 'sarif', 'failed', '2026-03-01T10:00:00Z');
  await scan(disabled, 'sarif', 'failed', '2026-03-01T10:00:00Z');
  expect(await find('sarif')).toMatchObject({ status: 'error', detail: '1 repository' });
  await scan(one, 'sarif', 'done', '2026-03-01T11:00:00Z');
  await scan(two, 'sarif', 'done', '2026-03-01T12:00:00Z');
  await scan(two, 'code_scanning', 'failed', '2026-03-01T13:00:00Z');
  expect(await find('sarif')).toMatchObject({
    status: 'active',
    detail: '2 repositories',
    lastSyncAt: '2026-03-01T12:00:00.000Z',
    problem: null,
    missing: [],
    notes: [],
  });
});

test('hides scans and installations of another organization', async () => {
  await install(all);
  await scan(await repository(true, 'done'), 'sarif', 'done', '2026-03-01T12:00:00Z');
  const other = await server.make.organization('Other');
  expect((await list(other)).filter(({ status }) => status !== 'inactive')).toEqual([]);
});

test('offers an extension once the operator has added its file', async () => {
  expect(await find('edge')).toMatchObject({ status: 'inactive', missing: ['This server offers no build of it.'] });
  const folder = join(server.config.dataDir, 'downloads');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'sightline-edge-1.0.0.zip'), 'a file');
  expect(await find('edge')).toMatchObject({
    status: 'inactive',
    missing: ['No connections.'],
    links: [{ label: 'Get extension', href: '/account#downloads' }],
  });
});

test('shows an extension as active while a member has it connected', async () => {
  await server.services.database.withOrg(acme.id, (tx) => insertExtension(tx, acme.id, acme.owner.id));
  expect(await find('vscode')).toMatchObject({ status: 'active', detail: 'connected by one person', missing: [] });
  expect(await find('chrome')).toMatchObject({ status: 'inactive' });
});

test('shows the tenant, the problem and the number of unmatched projects of Checkmarx One', async () => {
  expect(await find('checkmarx')).toMatchObject({
    status: 'inactive',
    lastSyncAt: null,
    defaultURL: 'https://ast.checkmarx.net',
    links: [],
  });
  const settings = { tenant: 'kestrel', baseURL: 'https://ast.checkmarx.net', typedURL: null, keyEnd: '9f3c' };
  const setIntegration = (change: object) =>
    withOrg(acme.id, ({ db }) => db.updateTable('integration').set(change).where('org_id', '=', acme.id).execute());
  await withOrg(acme.id, async ({ db }) => {
    await db
      .insertInto('integration')
      .values({
        org_id: acme.id,
        name: 'checkmarx',
        status: 'active',
        settings: JSON.stringify(settings),
        hook: newId(),
        created_by: acme.owner.id,
      })
      .execute();
  });
  expect(await find('checkmarx')).toMatchObject({ status: 'active', detail: 'tenant kestrel', missing: [] });
  await setIntegration({ last_sync_at: new Date('2026-03-01T12:00:00Z') });
  expect((await find('checkmarx'))?.missing).toEqual(['The key has access to no project of this tenant.']);
  const repositoryId = await repository(true);
  await withOrg(acme.id, ({ db }) =>
    db
      .insertInto('scanner_project')
      .values(
        [null, null, repositoryId].map((repository_id, index) => ({
          org_id: acme.id,
          integration: 'checkmarx',
          external_id: `p-${index}`,
          name: `project ${index}`,
          repository_id,
          matched_by: repository_id && 'url',
        })),
      )
      .execute(),
  );
  expect(await find('checkmarx')).toMatchObject({
    lastSyncAt: '2026-03-01T12:00:00.000Z',
    missing: ['2 projects match no repository. Their findings are not shown.'],
    links: [{ href: '/integrations/security-scanners/checkmarx' }],
  });
  await setIntegration({
    status: 'error',
    problem: JSON.stringify({ code: 'expired_key', message: 'This API key has expired.' }),
  });
  const contributor = await server.make.member(acme.id, 'rol_contributor');
  const visible = await server.as(contributor, acme.id)(listIntegrations, {});
  expect(visible.find(({ name }) => name === 'checkmarx')).toMatchObject({
    status: 'error',
    problem: { code: 'expired_key' },
    links: [],
  });
  await setIntegration({ status: 'inactive', problem: null });
  expect(await find('checkmarx')).toMatchObject({
    status: 'inactive',
    detail: null,
    lastSyncAt: '2026-03-01T12:00:00.000Z',
  });
});
