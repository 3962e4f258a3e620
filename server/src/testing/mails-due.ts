import { forEachOrganization } from '#core/organizations.ts';
import { withServices } from '../cli/command-resources.ts';
import { sendDueDigests } from '../domains/delivery/notifications/digests.ts';
import { organizationsWithLedger } from '../domains/ledger/ledger/queries.ts';

/** Makes emails with notifications due now and sends them. */
export const makeMailsDue = (): Promise<void> =>
  withServices((services) =>
    forEachOrganization(services, { job: 'notifications.send', ...organizationsWithLedger }, async (orgId) => {
      await services.database.withOrg(orgId, (tx) =>
        tx.query({
          name: '',
          text: `update notification_digest set due_at = now() where org_id = $1`,
          values: [orgId],
        }),
      );
      await sendDueDigests(services, orgId);
    }),
  );
