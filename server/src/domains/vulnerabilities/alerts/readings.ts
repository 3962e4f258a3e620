import type { Services } from '#core/services.ts';
import type { HostRefused } from '#providers/code-host.ts';
import type { HostAlert } from '../../../providers/host-facts.ts';

/** `more`: these alerts are counted to those before. */
type Reading =
  | { state: 'read'; alerts: number; more?: boolean }
  | { state: 'off' | 'forbidden' | 'failed'; message: string };

/** Notes how reading one kind of alerts went, and tells the pages that show it. */
export const noteReading = (
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
    tx.afterCommit(() => services.realtime.tell(orgId, 'orgIntegrations', { provider: 'github' }));
  });

/** What a refusal means: GitHub says 403 or 404 both for a missing permission and for a scanner that is switched off. */
export function readingOf(error: HostRefused): Reading {
  const { status, message } = error;
  if (status === 403 && /not accessible by integration/i.test(message)) return { state: 'forbidden', message };
  return status === 403 || status === 404 ? { state: 'off', message } : { state: 'failed', message };
}
