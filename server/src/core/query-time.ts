import type { AccountActor } from './actor.ts';
import { type LimitState, Refusal } from './errors.ts';
import type { Services } from './services.ts';

/**
 * Returns the services with a database whose bounded statements draw from the budget of database time of an account. They throw 429
 * once it is used up. A statement that is running then still ends, so an account can exceed the budget by what it runs at once.
 */
export function withQueryTime<Given extends Pick<Services, 'database' | 'rateLimiter'>>(
  services: Given,
  { accountId }: Pick<AccountActor, 'accountId'>,
): Given {
  const { database, rateLimiter } = services;
  return {
    ...services,
    database: {
      ...database,
      async boundedWithOrg(orgId, statement) {
        const before = await rateLimiter.count('queryTime', accountId, 0);
        if (before.remaining <= 0) throw QueryTimeExceeded(before);
        let used = 0;
        try {
          return await database.boundedWithOrg(orgId, statement, (milliseconds) => {
            used = Math.ceil(milliseconds);
          });
        } finally {
          await rateLimiter.count('queryTime', accountId, used);
        }
      },
    },
  };
}

const QueryTimeExceeded = ({ name, most, windowSeconds, remaining, resetSeconds }: LimitState) =>
  new Refusal(
    'rate_limited',
    `Your queries used ${most / 1000} seconds of database time within a minute, which is the limit. Try again in ${resetSeconds} seconds.`,
    { cause: 'Queries of a shorter time, such as after:-7d, or of one kind, repository or person, use less.' },
    { retryAfter: resetSeconds, limit: { name, most, windowSeconds, remaining, resetSeconds } },
  );
