import { randomBytes } from 'node:crypto';
import { memberActor } from '#core/actor.ts';
import { Forbidden } from '#core/errors.ts';
import { idOf } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import { readConfig } from '../config.ts';
import { createIntake } from '../features/events/intake.ts';
import { takeIn } from '../features/events/record.ts';
import { createRemotes } from '../features/events/remotes.ts';
import { listOrganizationsOf } from '../features/organizations/queries.ts';
import { type Account, addAccount, maybeByEmail } from './accounts.ts';
import { command } from './command.ts';
import { withServices } from './open.ts';
import { operatorFor } from './operator.ts';
import { addOrganization } from './organizations.ts';
import { demoEvents } from './seed-events.ts';

const email = 'demo@example.org';
const organizationName = 'Demo';

export const seed = command({
  name: 'seed',
  says: 'Makes a user, an organisation and some events to try things with. Not in production.',
  options: {},
  run: async () => {
    if (readConfig().production) throw Forbidden('Made-up data has no place in production.');
    return withServices(async (services) => {
      const { jobsOf } = await import('../app.ts');
      // Taking events in queues a job, which the server works off.
      await services.jobs.start(jobsOf(services), false);
      const { account, password } = await ensureUser(services);
      const orgId = await ensureOrganization(services, account);
      const { accepted } = await sendEvents(services, account, orgId);
      const { PUBLIC_URL } = services.config;
      return {
        json: {
          user: { id: account.id, email, ...(password !== undefined && { password }) },
          organization: orgId,
          events: accepted,
        },
        lines: [
          ...(password === undefined
            ? [`${email} was there already.`]
            : [`Created ${email}. Password, shown this once: ${password}`]),
          `Organisation ${organizationName}, ${accepted} new events. Sign in at ${PUBLIC_URL}`,
        ],
      };
    });
  },
});

async function ensureUser(services: Services): Promise<{ account: Account; password?: string }> {
  const known = await maybeByEmail(services, email);
  if (known) return { account: known };
  const password = randomBytes(15).toString('base64url');
  return { account: await addAccount(services, { email, name: 'Demo User', password, verified: true }), password };
}

async function ensureOrganization(services: Services, account: Account): Promise<string> {
  const joined = await listOrganizationsOf(services, account, false);
  const known = joined.find(({ name }) => name === organizationName);
  return known?.id ?? (await addOrganization(services, organizationName, account)).id;
}

/** Sent again they are the same events: their ids follow from the organisation. */
async function sendEvents(services: Services, { id: accountId, email }: Account, orgId: string) {
  const claims = { accountId, email, orgId, expiresAt: 0 };
  const { requestId } = operatorFor({ id: accountId, email, name: '', verified: true });
  const actor = await memberActor(services.memberships, claims, { id: requestId, ip: '127.0.0.1' }, 'read:org');
  return takeIn(
    { intake: createIntake(services), findRemotes: createRemotes(services), noteViews: async () => undefined },
    actor,
    demoEvents(new Date()).map((event, index) => ({ ...event, message_id: idOf('seed', orgId, index) })),
  );
}
