import { randomBytes } from 'node:crypto';
import { type Actor, requireMemberActor } from '#core/actor.ts';
import { Forbidden } from '#core/errors.ts';
import { factId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import { readConfig } from '../config.ts';
import { joinMember } from '../domains/organization/members/commands.ts';
import { listOrganizationsOf } from '../domains/organization/organizations/queries.ts';
import { createEventIntake } from '../domains/timeline/events/intake.ts';
import { recordExtensionEvents } from '../domains/timeline/events/record.ts';
import { createRemoteFinder } from '../domains/timeline/events/remotes.ts';
import { retentionStartOf } from '../domains/timeline/events/retention-start.ts';
import { recordToolSites } from '../domains/tools/tools/commands.ts';
import { addAccount, type CliAccount, maybeAccountByEmail } from './accounts.ts';
import { command } from './command.ts';
import { withServices } from './command-resources.ts';
import { operatorActorFor } from './operator.ts';
import { addOrganization } from './organizations.ts';
import { demoEvents } from './seed-events.ts';
import { demoPeople, insertDemoRepository, reportDemoTools } from './seed-tools.ts';

const email = 'demo@example.org';
const organizationName = 'Demo';

export const seedCommand = command({
  name: 'seed',
  description: 'Creates sample users, an organization, a repository, tools and events. Not in production.',
  options: {},
  run: async () => {
    if (readConfig().production) throw Forbidden('Sample data is not allowed in production.');
    return withServices(async (services) => {
      const { backgroundJobsOf: jobsOf } = await import('../app.ts');
      // Recording events queues a job, which the server processes.
      await services.jobs.start(jobsOf(services), false);
      const { account, password } = await ensureUser(services);
      const orgId = await ensureOrganization(services, account);
      const colleagues = await ensureColleagues(services, orgId);
      const { accepted } = await sendEvents(services, account, orgId);
      const people = [account, ...colleagues];
      const tools = await insertDemoRepository(services, orgId, people);
      for (const [index, person] of people.entries())
        await reportDemoTools(services, await actorOf(services, person, orgId), index);
      const { PUBLIC_URL } = services.config;
      return {
        json: {
          user: { id: account.id, email, ...(password !== undefined && { password }) },
          organization: orgId,
          events: accepted,
          colleagues: colleagues.map((one) => one.email),
          detections: tools,
        },
        lines: [
          ...(password === undefined
            ? [`${email} already exists.`]
            : [`Created ${email}. Password (shown once): ${password}`]),
          `Organization ${organizationName}: ${accepted} new events, ${colleagues.length} colleagues, ${tools} tool references.`,
          `Sign in at ${PUBLIC_URL}`,
        ],
      };
    });
  },
});

async function ensureUser(services: Services): Promise<{ account: CliAccount; password?: string }> {
  const known = await maybeAccountByEmail(services, email);
  if (known) return { account: known };
  const password = randomBytes(15).toString('base64url');
  return { account: await addAccount(services, { email, name: 'Demo User', password, verified: true }), password };
}

async function ensureOrganization(services: Services, account: CliAccount): Promise<string> {
  const joined = await listOrganizationsOf(services, account, false);
  const known = joined.find(({ name }) => name === organizationName);
  return known?.id ?? (await addOrganization(services, organizationName, account)).id;
}

/** Returns the other members, who have no password and never sign in. */
async function ensureColleagues(services: Services, orgId: string): Promise<CliAccount[]> {
  const colleagues: CliAccount[] = [];
  for (const { name, email: address, roleId } of demoPeople) {
    const password = randomBytes(32).toString('base64url');
    const known = await maybeAccountByEmail(services, address);
    const one = known ?? (await addAccount(services, { email: address, name, password, verified: true }));
    await services.database.withOrg(orgId, (tx) =>
      joinMember(services, tx, { account: operatorActorFor(one), orgId, roleId }),
    );
    colleagues.push(one);
  }
  return colleagues;
}

const actorOf = (services: Services, account: CliAccount, orgId: string): Promise<Actor> =>
  requireMemberActor(services.memberships, {
    claims: { accountId: account.id, email: account.email, orgId, expiresAt: 0 },
    request: { id: operatorActorFor(account).requestId, ip: '127.0.0.1' },
    permission: 'read:org',
  });

/** Sends the same events each time: their IDs derive from the organization. */
async function sendEvents(services: Services, account: CliAccount, orgId: string) {
  const actor = await actorOf(services, account, orgId);
  return recordExtensionEvents(
    {
      kept: () => retentionStartOf(services.config),
      intake: createEventIntake(services),
      findRemotes: createRemoteFinder(services),
      noteViews: (...views) => recordToolSites(services, ...views),
    },
    actor,
    demoEvents(new Date()).map((event, index) => ({ ...event, message_id: factId('seed', orgId, index) })),
  );
}
