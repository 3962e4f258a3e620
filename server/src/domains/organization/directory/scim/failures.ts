import type { Services } from '#core/services.ts';

/**
 * Records the last rejected request of a directory for its card, except refusals that belong to the protocol: a missing
 * resource, a user that exists already. Not awaited by the response.
 */
export function recordDirectoryFailure(
  { database, log, realtime }: Services,
  orgId: string,
  known: { status: number; body: object } | undefined,
): void {
  const status = known?.status ?? 500;
  if ([401, 404, 409, 501].includes(status)) return;
  const { detail = 'The server failed.' } = (known?.body ?? {}) as { detail?: string };
  void database
    .withOrg(orgId, (tx) =>
      tx.query({
        name: 'directory.failed',
        text: 'update directory set failure = $2, failed_at = now() where org_id = $1',
        values: [orgId, detail.slice(0, 500)],
      }),
    )
    .then(() => realtime.notifyOrganization(orgId, 'orgIntegrations', { provider: 'directory' }))
    .catch((error: unknown) => log.warn({ err: error, orgId }, 'a failure of a directory could not be recorded'));
}
