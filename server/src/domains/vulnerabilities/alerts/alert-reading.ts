import type { Services } from '#core/services.ts';
import type { HostRefused } from '#providers/code-host.ts';
import type { HostAlert } from '../../../providers/host-facts.ts';

/** `more`: adds to the number of alerts already recorded. */
type Reading =
  | { state: 'read'; alerts: number; more?: boolean }
  | { state: 'off' | 'forbidden' | 'failed'; message: string };

/** Records the result of importing one kind of alerts, and sends change notices. */
export const recordAlertReading = (
  services: Services,
  orgId: string,
  { repositoryId, source, reading }: { repositoryId: string; source: HostAlert['kind']; reading: Reading },
): Promise<void> =>
  services.database.withOrg(orgId, async (tx) => {
    const row = {
      state: reading.state,
      message: reading.state === 'read' ? null : reading.message.slice(0, 500),
      alerts: reading.state === 'read' ? reading.alerts : 0,
      read_at: new Date(),
    };
    const isMore = reading.state === 'read' && reading.more === true;
    await tx.db
      .insertInto('alert_reading')
      .values({ org_id: orgId, repository_id: repositoryId, source, ...row })
      .onConflict((conflict) =>
        conflict
          .columns(['org_id', 'repository_id', 'source'])
          .doUpdateSet(({ eb }) => (isMore ? { ...row, alerts: eb('alert_reading.alerts', '+', row.alerts) } : row)),
      )
      .execute();
    tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgIntegrations', { provider: 'github' }));
  });

/** Converts an error of GitHub: it returns 403 or 404 both for a missing permission and for a disabled scanner. */
export function alertReadingOfError(error: HostRefused): Reading {
  const { status, message } = error;
  if (status === 403 && /not accessible by integration/i.test(message)) return { state: 'forbidden', message };
  return status === 403 || status === 404 ? { state: 'off', message } : { state: 'failed', message };
}
