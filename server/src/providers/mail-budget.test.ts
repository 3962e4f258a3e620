import { inviteMembers } from '@sightline/contract/organization/invitations.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { mailLimits } from '#core/limits.ts';
import { startTestServer, type TestServer } from '#testing/server.ts';
import { openBrowser } from '../domains/identity/authentication/testing/browser.ts';
import { makePerson } from '../domains/identity/authentication/testing/people.ts';
import { mailboxOf } from './mail-budget.ts';

const environment = { RATE_LIMITS: '' };
const limit = mailLimits.request.most;

let server: TestServer;
let other: TestServer;
beforeAll(async () => {
  server = await startTestServer({ jobs: true, environment });
  other = await startTestServer({ beside: server, environment });
});
afterAll(async () => {
  await other.close();
  await server.close();
});

const subjectsTo = (address: string) =>
  server.services.database.global(async ({ db }) => {
    const rows = await db.selectFrom('mail').select('subject').where('recipient', '=', address).execute();
    return rows.map(({ subject }) => subject);
  });

test('limits mails of other organizations to an address, and they do not displace its password reset', async () => {
  const victim = await makePerson(server);
  const owners = await Promise.all(Array.from({ length: limit + 2 }, () => server.make.organization('Spam')));
  for (const { id, owner } of owners) {
    await server.as(owner, id)(inviteMembers, { body: { invite: { emails: [victim.email], roleID: 'rol_reviewer' } } });
  }
  const outcomes = async () => {
    const rows = await Promise.all(
      owners.map(({ id }) =>
        server.services.database.withOrg(id, ({ db }) =>
          db.selectFrom('invitation').select(['mailed_at', 'mail_failed_at']).executeTakeFirstOrThrow(),
        ),
      ),
    );
    return rows.map((row) => (row.mailed_at ? 'sent' : row.mail_failed_at ? 'failed' : 'queued'));
  };
  await vi.waitFor(async () => expect(await outcomes()).not.toContain('queued'), { timeout: 30_000, interval: 200 });
  expect((await outcomes()).filter((outcome) => outcome === 'failed')).toHaveLength(2);
  expect(await subjectsTo(victim.email)).toHaveLength(limit);

  const browser = openBrowser(server);
  await browser.submit(await browser.get('/oidc/forgot'), { email: victim.email });
  await vi.waitFor(
    async () => expect(await subjectsTo(victim.email)).toContain('Choose a new password for Sightline'),
    {
      timeout: 20_000,
      interval: 200,
    },
  );
});

test('shares the mail budget across processes', async () => {
  const to = 'both@x.example';
  const message = { to, subject: 'Join', text: '', html: '' };
  const sends = [server, other].flatMap(({ services }) =>
    Array.from({ length: limit }, () => services.mail.send('request', message)),
  );
  const results = await Promise.allSettled(sends);
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(limit);
  expect(await subjectsTo(to)).toHaveLength(limit);
});

test('refunds the budget of a mail that could not be sent', async () => {
  const offline = await startTestServer({
    beside: server,
    environment: { ...environment, SMTP_URL: 'smtp://127.0.0.1:9' },
  });
  const message = { to: 'later@x.example', subject: 'Join', text: '', html: '' };
  try {
    for (let times = 0; times <= limit; times += 1) {
      await expect(offline.services.mail.send('request', message)).rejects.toThrow('ECONNREFUSED');
    }
  } finally {
    await offline.close();
  }
  await server.services.mail.send('request', message);
});

test.each([
  ['Ada@Example.org', 'ada@example.org'],
  ['ada+news@example.org', 'ada@example.org'],
  ['ada+a+b@example.org', 'ada@example.org'],
  ['+ada@example.org', '+ada@example.org'],
])('counts %s as the mailbox %s', (address, mailbox) => {
  expect(mailboxOf(address)).toBe(mailbox);
});
