import { forEachOrganization } from '#core/organizations.ts';
import { withServices } from '../cli/command-resources.ts';
import { archiveEventsOf } from '../domains/timeline/events/segments/archive-events.ts';

const DAY_MS = 86_400_000;

/** Archives the events that are older than thirty days, also those that were received just now. */
export async function archiveOldEvents(): Promise<void> {
  const cutoff = { occurred: new Date(Date.now() - 30 * DAY_MS), received: new Date(Date.now() + DAY_MS) };
  await withServices((services) =>
    forEachOrganization(
      services,
      { job: 'events.archive', organizations: 'select every_organization() as id' },
      async (orgId) => {
        await archiveEventsOf(services, orgId, cutoff, 1);
      },
    ),
  );
}
