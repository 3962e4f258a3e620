import { forEachOrganization } from '#core/organizations.ts';
import { withServices } from '../cli/command-resources.ts';
import { openReview } from '../domains/compliance/access-reviews/open-review.ts';
import { quarterAt } from '../domains/compliance/access-reviews/quarters.ts';
import { createDigests } from '../domains/compliance/digests/create-digests.ts';
import { lastWeek } from '../domains/compliance/digests/jobs.ts';
import { organizationsWithLedger } from '../domains/ledger/ledger/queries.ts';

/** Runs the jobs for the end of this week and this quarter. */
export async function endPeriods(): Promise<void> {
  const now = new Date();
  const nextWeek = new Date(now.getTime() + 7 * 86_400_000);
  const lastDay = new Date(quarterAt(now).end.getTime() - 1);
  await withServices((services) =>
    forEachOrganization(services, { job: 'digests.queue', ...organizationsWithLedger }, async (orgId) => {
      await createDigests(services, orgId, lastWeek(nextWeek));
      await services.database.withOrg(orgId, (tx) => openReview(services, tx, orgId, lastDay));
    }),
  );
}
