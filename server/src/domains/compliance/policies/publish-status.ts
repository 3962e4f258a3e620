import type { Services } from '#core/services.ts';
import { HostLimited, HostRefused } from '#providers/code-host.ts';

/** The pull request of a publication. */
export interface PullRequestKey {
  orgId: string;
  repositoryId: string;
  number: number;
}

export type PublicationKind = 'status' | 'comment' | 'check';

/**
 * Publishes to a code host, and records whether the host refused: retries are useless until permissions change, and the
 * integrations page reports it. Throws HostLimited and temporary errors.
 */
export async function publishToHost(
  services: Services,
  { orgId, repositoryId }: PullRequestKey,
  what: PublicationKind,
  publish: () => Promise<void>,
) {
  const of = { org_id: orgId, repository_id: repositoryId, what };
  try {
    await publish();
  } catch (error) {
    if (error instanceof HostLimited || !(error instanceof HostRefused)) throw error;
    const { status } = error;
    services.log.warn({ orgId, repositoryId, status, what }, 'a code host rejected a policy status');
    await services.database.withOrg(orgId, ({ db }) =>
      db
        .insertInto('policy_refusal')
        .values({ ...of, status })
        .onConflict((oc) =>
          oc.columns(['org_id', 'repository_id', 'what']).doUpdateSet({ status, refused_at: new Date() }),
        )
        .execute(),
    );
    return;
  }
  await services.database.withOrg(orgId, ({ db }) =>
    db
      .deleteFrom('policy_refusal')
      .where('org_id', '=', orgId)
      .where('repository_id', '=', repositoryId)
      .where('what', '=', what)
      .execute(),
  );
}
