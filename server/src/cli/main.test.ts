import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ApiCall, createClient } from '@sightline/contract/core/client.ts';
import { getAccount } from '@sightline/contract/identity/accounts.ts';
import { getOrganization } from '@sightline/contract/organization/organizations.ts';
import { recordEvents } from '@sightline/contract/timeline/events.ts';
import { createRepository } from '@sightline/sandbox/testing/repository.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#core/ids.ts';
import { refusalOf } from '#testing/server.ts';
import { createInstallation, type Installation } from './testing/installation.ts';

const story = createRepository();
let installation: Installation;
beforeAll(async () => {
  await story.start();
  await story.commit('First steps', { 'README.md': '# Widgets\n' });
  installation = await createInstallation({
    SANDBOX: 'on',
    SANDBOX_REPOSITORIES: story.path,
    LOG_LEVEL: 'debug',
  });
});
afterAll(async () => {
  await installation.close();
  await story.remove();
});

interface User {
  user: { id: string; email: string; verified: boolean; password?: string };
}
interface Organization {
  organization: { id: string; slug: string };
}
interface TokenOutput {
  token: string;
}
interface Health {
  healthy: boolean;
  checks: { name: string; state: string }[];
}

const as = ({ token }: TokenOutput): ApiCall =>
  createClient({ baseUrl: `${installation.url}/api`, token: () => token });

test('writes results to standard output and errors to standard error', { tags: 'full' }, () => {
  const program = fileURLToPath(new URL('main.ts', import.meta.url));
  const [answer, refused] = [['--help'], ['nonsense']].map((args) =>
    spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' }),
  );
  expect(answer).toMatchObject({ status: 0, stderr: '', stdout: expect.stringContaining('COMMAND') });
  expect(refused).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('There is no command') });
});

test('doctor reports an invalid configuration and an installation that never started', async () => {
  const wrong = await installation.cli(['doctor', '--json'], { PORT: 'many' });
  expect(wrong.code).toBe(1);
  expect(JSON.parse(wrong.out)).toMatchObject({ healthy: false, checks: [{ name: 'configuration', state: 'fail' }] });
  const empty = await installation.ask<Health>('doctor');
  expect(empty.checks.find(({ name }) => name === 'database')).toMatchObject({ state: 'warn' });
});

test('seed refuses production', async () => {
  const { code, complaint } = await installation.cli(['seed'], { NODE_ENV: 'production', SANDBOX: 'off' });
  expect(code).toBe(1);
  expect(complaint).toContain('production');
});

describe('without a running server and alongside one', { timeout: 240_000 }, () => {
  test('manages users, organizations, members and their tokens', { tags: 'full' }, async () => {
    const ada = await installation.ask<User>(
      'user',
      'create',
      '--email',
      'Ada@example.org',
      '--name',
      'Ada',
      '--verified',
    );
    expect(ada.user).toMatchObject({ email: 'ada@example.org', verified: true });
    expect(ada.user.password?.length).toBeGreaterThan(12);
    expect(await installation.cli(['doctor'])).toMatchObject({ code: 0 });

    const server = await installation.start();
    const again = await installation.cli(['user', 'create', '--email', 'ada@example.org', '--name', 'Ada']);
    expect(again).toMatchObject({ code: 1, out: '' });
    expect(again.complaint).toContain('already has an account');
    const made = await installation.ask<Organization>('org', 'create', '--name', 'Acme', '--owner', 'ada@example.org');
    expect(made.organization.slug).toBe('acme');
    const { id } = made.organization;

    const own = as(await installation.ask<TokenOutput>('token', '--email', 'ada@example.org', '--org', 'acme'));
    expect(await own(getOrganization, {})).toMatchObject({ id, role: 'rol_owner', owners: [ada.user.id] });
    const event = {
      plugin_id: 'editor',
      event_type: 'other',
      message_id: newId(),
      original_timestamp: new Date().toISOString(),
    };
    expect(await own(recordEvents, { body: [event] })).toMatchObject({ accepted: 1 });
    const alone = as(await installation.ask<TokenOutput>('token', '--email', 'ada@example.org'));
    expect(await alone(getAccount, {})).toMatchObject({ nid: ada.user.id });
    expect(await refusalOf(alone(getOrganization, {}))).toMatchObject({ status: 403 });

    const password = ['--password', 'correct horse battery'];
    const bob = await installation.ask<User>(
      'user',
      'create',
      '--email',
      'bob@example.org',
      '--name',
      'Bob',
      ...password,
    );
    expect(bob.user).not.toHaveProperty('password');
    const early = await installation.cli(['token', '--email', 'bob@example.org']);
    expect(early).toMatchObject({ code: 1 });
    expect(early.complaint).toContain('has not confirmed');
    await installation.ask('user', 'create', '--email', 'eve@example.org', '--name', 'Eve', '--verified', ...password);
    const nonMember = await installation.cli(['token', '--email', 'eve@example.org', '--org', id]);
    expect(nonMember).toMatchObject({ code: 1 });
    const add = (role: string) => ['member', 'add', '--org', 'acme', '--email', 'eve@example.org', '--role', role];
    expect(await installation.ask(...add('auditor'))).toMatchObject({ member: { organization: id, added: true } });
    expect(await installation.ask(...add('auditor'))).toMatchObject({ member: { added: false } });
    expect(await installation.cli(add('owner'))).toMatchObject({ code: 1 });
    const eve = as(await installation.ask<TokenOutput>('token', '--email', 'eve@example.org', '--org', id));
    expect(await eve(getOrganization, {})).toMatchObject({ role: 'rol_auditor' });

    const before = [
      'operator organization.created',
      'operator login.token_issued',
      'operator member.added',
      'operator login.token_issued',
    ];
    expect(await actions(id)).toEqual(before);

    expect(await installation.ask('flags', 'set', 'dashboards', 'on')).toEqual({
      flag: { name: 'dashboards', on: true, by: 'set globally' },
    });
    expect(await installation.ask('flags', 'set', 'jira', 'on', '--org', 'acme')).toMatchObject({
      flag: { on: true, by: 'set for the organization' },
    });
    expect(await installation.ask('flags', 'unset', 'jira', '--org', 'acme')).toMatchObject({
      flag: { on: false, by: 'by default' },
    });
    expect(await actions(id)).toEqual([
      ...before,
      'operator flag.changed',
      'operator flag.changed',
      'operator flag.changed',
    ]);
    expect(await installation.ask('user', 'employee', 'eve@example.org', 'on')).toMatchObject({
      user: { isEmployee: true },
    });
    expect(await installation.ask('user', 'operator', 'eve@example.org', 'on')).toMatchObject({
      user: { isOperator: true },
    });
    expect(await installation.ask('jobs', 'list', '--state', 'failed')).toEqual({ jobs: [] });
    expect(await installation.ask('user', 'reset-factors', 'eve@example.org')).toMatchObject({
      user: { removed: false },
    });
    expect(await installation.ask('operator', 'log')).toMatchObject({
      entries: [
        { action: 'account.operator_changed', data: { before: { isOperator: false }, after: { isOperator: true } } },
        { action: 'account.employee_changed', data: { before: { isEmployee: false }, after: { isEmployee: true } } },
        { action: 'flag.changed', subject: { id: 'dashboards' } },
      ],
    });
    expect(await installation.ask('flags', 'usage')).toMatchObject({ days: 7 });
    const { flags } = await installation.ask<{ flags: { name: string; on: boolean }[] }>('flags', 'list');
    expect(flags.find(({ name }) => name === 'dashboards')).toMatchObject({ on: true });
    expect(await installation.ask('migrate')).toEqual({ applied: [] });

    const first = await installation.ask<Seeded>('seed');
    expect(first).toMatchObject({ events: 40, user: { password: expect.any(String) } });
    expect(first.colleagues).toHaveLength(3);
    expect(first.detections).toBeGreaterThan(20);
    const second = await installation.ask<Seeded>('seed');
    expect(second).toMatchObject({ events: 0, detections: first.detections });
    expect(second.user).not.toHaveProperty('password');

    const health = await installation.ask<Health>('doctor');
    expect(health.checks.filter(({ state }) => state !== 'ok')).toEqual([
      expect.objectContaining({ name: 'backup', state: 'warn' }),
    ]);
    const nowhere = { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/nothing' };
    expect(await failing(nowhere)).toEqual(['database']);
    expect(await failing({ MASTER_KEY: Buffer.alloc(32).toString('base64') })).toEqual(['signing key']);
    const unleash = { UNLEASH_URL: 'http://127.0.0.1:1', UNLEASH_FRONTEND_TOKEN: 'default:development.x' };
    expect(await failing(unleash)).toEqual(['feature flags']);
    expect(await failing({ PUBLIC_URL: 'https://example.org/sightline' })).toEqual(['PUBLIC_URL']);

    const folder = join(installation.dataDir, 'backup');
    expect(await installation.cli(['backup', folder])).toMatchObject({ code: 0, complaint: '' });
    const occupied = await installation.cli(['restore', folder]);
    expect(occupied).toMatchObject({ code: 1, complaint: expect.stringContaining('Stop it first') });
    // A statement of several lines, which PostgreSQL logs unchanged.
    const client = new pg.Client({ connectionString: await installation.databaseUrl() });
    await client.connect();
    await expect(client.query('select 1,\n\tnothing_of_the_kind\nfrom member')).rejects.toThrow('does not exist');
    await client.end();
    expect(await server.end('SIGTERM')).toBe(0);
    const lines = server.standardOutput().trim().split('\n');
    expect(lines.join('\n')).toContain('nothing_of_the_kind');
    for (const line of lines) expect(JSON.parse(line), line).toMatchObject({ level: expect.anything() });
    expect(await installation.cli(['flags', 'list'])).toMatchObject({ code: 0 });
  });
});

type Seeded = User & { events: number; colleagues: string[]; detections: number };

/** Returns the names of the checks that fail in another environment. */
async function failing(environment: Record<string, string>): Promise<string[]> {
  const { code, out } = await installation.cli(['doctor', '--json'], environment);
  expect(code).toBe(1);
  const { checks } = JSON.parse(out) as Health;
  return checks.filter(({ state }) => state === 'fail').map(({ name }) => name);
}

/** Returns the actions in the audit log of an organization, each with its ledger entry. */
async function actions(orgId: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: await installation.databaseUrl() });
  await client.connect();
  const { rows } = await client.query<{ entry: string }>(
    `select a.actor_kind || ' ' || a.action as entry from audit_event a
     join ledger_known l on l.org_id = a.org_id and l.entry_id = a.id and l.entry like '%"source":"operator"%'
     where a.org_id = $1 order by a.at, a.id`,
    [orgId],
  );
  await client.end();
  return rows.map(({ entry }) => entry);
}
