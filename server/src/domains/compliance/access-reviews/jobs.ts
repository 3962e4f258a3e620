import { isArchived } from '#core/archived.ts';
import type { JobDefinition } from '#core/jobs.ts';
import { forEachOrganization } from '#core/organizations.ts';
import type { Services } from '#core/services.ts';
import { organizationsWithLedger } from '../../ledger/ledger/queries.ts';
import { openReview } from './open-review.ts';
import { quarterUnderReview } from './quarters.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'access-reviews.open': Record<string, never>;
  }
}

// Hourly, because members may join until the end of the quarter.
export const accessReviewJobs = (services: Services): JobDefinition[] => [
  { name: 'access-reviews.open', handle: () => openAll(services, new Date()), cron: '7 * * * *' },
];

/** Opens or extends the review of every organization that is not archived. */
async function openAll(services: Services, now: Date): Promise<void> {
  if (!quarterUnderReview(now)) return;
  await forEachOrganization(services, { job: 'access-reviews.open', ...organizationsWithLedger }, (id) =>
    services.database.withOrg(id, async (tx) => {
      if (!(await isArchived(tx, id))) await openReview(services, tx, id, now);
    }),
  );
}
