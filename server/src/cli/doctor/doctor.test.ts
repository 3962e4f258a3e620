import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { createStory } from '@sightline/sandbox/testing/repository.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGithubApps } from '#providers/github/apps.ts';
import { type SandboxGithub, startSandboxGithub } from '#providers/github/sandbox.fixture.ts';
import { startTestServer, superuserUrl, type TestOrganization, type TestServer } from '#testing/server.ts';
import { operatorCliOf } from '../testing/in-process.ts';

interface Health {
  healthy: boolean;
  checks: { name: string; state: string; message: string; advice?: string }[];
}

let story: Awaited<ReturnType<typeof createStory>>;
let github: SandboxGithub;
let server: TestServer;
let org: TestOrganization;
beforeAll(async () => {
  story = await createStory();
  github = await startSandboxGithub([story.path]);
  server = await startTestServer({ environment: github.environment });
  org = await server.make.organization();
});
afterAll(async () => {
  await server.close();
  await github.close();
  await story.remove();
});

/** Runs doctor. Returns its exit code and the check with that name. */
async function examine(name: string, environment: Record<string, string> = {}) {
  const { code, out } = await operatorCliOf(server, { ...github.environment, ...environment }).cli([
    'doctor',
    '--json',
  ]);
  return { code, check: (JSON.parse(out) as Health).checks.find((one) => one.name === name) };
}
const superuser = async (text: string, ...values: unknown[]) => {
  const client = new pg.Client({ connectionString: superuserUrl(server.databaseUrl) });
  await client.connect();
  await client.query(text, values).finally(() => client.end());
};

test('signs in to the SMTP server, and reports its refusal', async () => {
  const smtp = await startSmtp();
  const { port } = smtp.address() as AddressInfo;
  expect(await examine('mail', { SMTP_URL: `smtp://127.0.0.1:${port}` })).toMatchObject({
    code: 0,
    check: { state: 'ok', message: `127.0.0.1:${port} accepts email` },
  });
  const refused = { SMTP_URL: `smtp://user:wrong@127.0.0.1:${port}` };
  expect(await examine('mail', refused)).toMatchObject({
    code: 1,
    check: { state: 'fail', message: expect.stringContaining('535'), advice: expect.stringContaining('SMTP_URL') },
  });
  smtp.close();
  await once(smtp, 'close');
  expect(await examine('mail', { SMTP_URL: `smtp://127.0.0.1:${port}` })).toMatchObject({
    code: 1,
    check: { state: 'fail', message: expect.stringContaining('ECONNREFUSED') },
  });
});

test('authenticates to GitHub as the app, and fails without a response', async () => {
  expect(await examine('GitHub')).toMatchObject({ code: 0, check: { state: 'ok' } });
  const away = { GITHUB_URL: 'http://127.0.0.1:1', GITHUB_API_URL: 'http://127.0.0.1:1' };
  expect(await examine('GitHub', away)).toMatchObject({
    code: 1,
    check: { state: 'fail', advice: expect.stringContaining('GITHUB_') },
  });
});

test('authenticates to GitHub as the app created in the browser', async () => {
  const { database, secrets, config } = server.services;
  const without = Object.fromEntries(Object.keys(github.environment).map((name) => [name, '']));
  const base = { GITHUB_URL: github.sandbox.url, SANDBOX: 'off' };
  expect(await examine('GitHub', { ...without, ...base })).toMatchObject({ code: 0, check: { state: 'warn' } });
  const { appId, slug, privateKey, clientId, clientSecret, webhookSecret } = github.config;
  const settings = { appId, slug, privateKey, clientId, clientSecret, webhookSecret };
  await database.global((tx) => createGithubApps(undefined, config.githubUrls, database, secrets).keep(tx, settings));
  expect(await examine('GitHub', { ...without, ...base })).toMatchObject({
    code: 0,
    check: { state: 'ok', message: `app ${slug} at ${github.sandbox.url}` },
  });
  await superuser('truncate github_app');
});

test('fails while jobs are overdue', async () => {
  await server.services.database.withOrg(org.id, (tx) =>
    server.services.jobs.enqueue(tx, 'events.index', { orgId: org.id }, { key: 'overdue' }),
  );
  expect(await examine('jobs')).toMatchObject({ code: 0, check: { state: 'ok' } });
  await superuser(`update pgboss.job set start_after = now() - interval '11 minutes'`);
  expect(await examine('jobs')).toMatchObject({
    code: 1,
    check: { state: 'fail', message: expect.stringContaining('overdue by more than 10 minutes') },
  });
  await superuser('delete from pgboss.job');
});

test('fails while a ledger is halted or far behind', async () => {
  expect(await examine('ledger')).toMatchObject({ code: 0, check: { state: 'ok' } });
  await superuser(`update ledger_pending set queued_at = now() - interval '11 minutes'`);
  expect(await examine('ledger')).toMatchObject({
    code: 1,
    check: { state: 'fail', message: expect.stringMatching(/entries pending for up to 11 minutes: \d+$/) },
  });
  await superuser(`update ledger_pending set queued_at = now()`);
  await superuser(
    `insert into ledger_log (org_id, epoch, origin, root, halt_reason)
     values ($1, 99, 'x', decode(repeat('00', 32), 'hex'), 'test')`,
    org.id,
  );
  expect(await examine('ledger')).toMatchObject({
    code: 1,
    check: {
      state: 'fail',
      message: expect.stringMatching(/^halted ledgers.*: 1$/),
      advice: expect.stringContaining('docs/ledger.md'),
    },
  });
  await superuser('delete from ledger_log where epoch = 99');
});

test('fails while a code host refuses its token', async () => {
  expect(await examine('code hosts')).toMatchObject({ code: 0, check: { state: 'ok' } });
  await superuser(
    `insert into code_host_grant (org_id, id, provider, kind, login, display, base_url, secret, created_by, failure, failed_at)
     values ($1, gen_random_uuid(), 'gitlab', 'token', 'ada', 'ada', 'https://gitlab.example', '', $2, 'It ran out.', now())`,
    org.id,
    org.owner.id,
  );
  expect(await examine('code hosts')).toMatchObject({
    code: 1,
    check: { state: 'fail', message: 'connections whose token is rejected: 1' },
  });
});

/** Starts a minimal SMTP server that rejects every password. */
async function startSmtp(): Promise<Server> {
  const answers: [command: RegExp, answer: string][] = [
    [/^EHLO/i, '250-here\r\n250 AUTH PLAIN'],
    [/^AUTH/i, '535 5.7.8 Authentication failed'],
    [/^QUIT/i, '221 Bye'],
  ];
  const smtp = createServer((socket: Socket) => {
    socket.on('error', () => undefined);
    socket.write('220 here\r\n');
    socket.on('data', (data) => {
      const [, answer = '502 Not known'] = answers.find(([command]) => command.test(String(data))) ?? [];
      socket.write(`${answer}\r\n`);
    });
  }).listen(0, '127.0.0.1');
  await once(smtp, 'listening');
  return smtp;
}
