import { type CodeHost, HostLimited, HostRefused } from '#providers/code-host.ts';
import type { EventRepository } from '#providers/host-events.ts';
import type { HostRef } from '../../../providers/host-facts.ts';
import type { DeliveryWork } from './delivery.ts';

/** The enabled repository of a delivery. */
export interface DeliveryRepository {
  repositoryId: string;
  ref: HostRef;
  defaultBranch: string;
}

/**
 * The enabled repository of an event; undefined if it is unknown, not enabled or removed. For one of our webhooks it is
 * the repository of that webhook, regardless of the payload. Stores the time of the last push in any case.
 */
export async function maybeDeliveryRepository(
  { services, orgId, provider, hookId }: DeliveryWork,
  { id, pushedAt }: EventRepository,
): Promise<DeliveryRepository | undefined> {
  const suffix = hookId === null ? '' : 'Hook';
  const values = [provider, hookId ?? id];
  const [row] =
    pushedAt === null
      ? await services.database.onceWithOrg<HookedRepositoryRow>(orgId, {
          name: `webhooks.subject${suffix}`,
          text: subjectSql(hookId !== null),
          values,
        })
      : await services.database.withOrg(orgId, (tx) =>
          tx.query<HookedRepositoryRow>({
            name: `webhooks.pushed${suffix}`,
            text: pushedSql(hookId !== null),
            values: [orgId, ...values, pushedAt],
          }),
        );
  if (!row?.tracked) return undefined;
  const { installation_id: installationId, owner, name, default_branch: defaultBranch } = row;
  return { repositoryId: row.id, ref: { installationId, owner, name }, defaultBranch };
}

interface HookedRepositoryRow {
  [column: string]: unknown;
  id: string;
  installation_id: string;
  owner: string;
  name: string;
  default_branch: string;
  tracked: boolean;
}

const columns = 'id, installation_id, owner, name, default_branch, tracked and removed_at is null as tracked';
const repositoryFilter = (org: string, isHook: boolean) =>
  isHook
    ? `where org_id = ${org} and provider = $2 and id = (select h.repository_id from code_host_hook h where h.org_id = ${org} and h.id = $3::uuid)`
    : `where org_id = ${org} and provider = $2 and provider_repo_id = $3`;
const subjectSql = (isHook: boolean) => `
  select r.* from tenant cross join lateral (
    select ${columns} from repository ${repositoryFilter('tenant.org', isHook)} offset 0) r`;
const pushedSql = (isHook: boolean) => `
  update repository set pushed_at = greatest(pushed_at, least($4::timestamptz, now())) ${repositoryFilter('$1', isHook)} returning ${columns}`;

/** The repository of one of our webhooks: its ID at the host, and its installation. */
export const maybeHookRepository = (
  { services, orgId }: DeliveryWork,
  hookId: string,
): Promise<{ hostId: string; installationId: string } | undefined> =>
  services.database.withOrg(orgId, ({ db }) =>
    db
      .selectFrom('code_host_hook as h')
      .innerJoin('repository as r', (join) =>
        join.onRef('r.org_id', '=', 'h.org_id').onRef('r.id', '=', 'h.repository_id'),
      )
      .where('h.org_id', '=', orgId)
      .where('h.id', '=', hookId)
      .select(['r.provider_repo_id as hostId', 'r.installation_id as installationId'])
      .executeTakeFirst(),
  );

/** The code host of a repository. Throws HostRefused if it is no longer connected. */
export const deliveryHost = (
  { services, orgId, provider }: DeliveryWork,
  { ref }: DeliveryRepository,
): Promise<CodeHost> => services.codeHosts.of(orgId, provider, ref.installationId);

/**
 * Returns the response of the host (`first`), or the payload (`second`) if the host denies access or does not respond
 * on the last attempt. Rethrows HostLimited, so that the delivery is retried later.
 */
export async function readHostOrPayload<Result>(
  { services, isLastTry }: DeliveryWork,
  first: () => Promise<Result>,
  second: (isRefused: boolean) => Result,
): Promise<Result> {
  try {
    return await first();
  } catch (error) {
    const isRefused = error instanceof HostRefused;
    if (error instanceof HostLimited || !(isRefused || isLastTry)) throw error;
    services.log.warn({ err: error }, 'webhook payload used because the code host returned no data');
    return second(isRefused);
  }
}
