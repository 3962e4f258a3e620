import { type CodeHost, HostLimited, HostRefused } from '#providers/code-host.ts';
import type { NewsOf } from '#providers/host-events.ts';
import type { HostRef } from '../../../providers/host-facts.ts';
import type { DeliveryWork } from './delivery.ts';

/** A tracked repository a delivery speaks of. */
export interface DeliveryRepository {
  repositoryId: string;
  ref: HostRef;
  defaultBranch: string;
}

/**
 * The tracked repository some news is about, or undefined for one we do not know, track or see. By a webhook of ours it is
 * the one that was made for, whatever the delivery says. When it was last pushed to is noted, tracked or not.
 */
export async function maybeSubject(
  { services, orgId, provider, hookId }: DeliveryWork,
  { id, pushedAt }: NewsOf,
): Promise<DeliveryRepository | undefined> {
  const text = hookId === null ? '' : 'Hook';
  const values = [provider, hookId ?? id];
  const [row] =
    pushedAt === null
      ? await services.database.onceWithOrg<HookedRepositoryRow>(orgId, {
          name: `webhooks.subject${text}`,
          text: subjectSql(hookId !== null),
          values,
        })
      : await services.database.withOrg(orgId, (tx) =>
          tx.query<HookedRepositoryRow>({
            name: `webhooks.pushed${text}`,
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
const theRepository = (org: string, isHook: boolean) =>
  isHook
    ? `where org_id = ${org} and provider = $2 and id = (select h.repository_id from code_host_hook h where h.org_id = ${org} and h.id = $3::uuid)`
    : `where org_id = ${org} and provider = $2 and provider_repo_id = $3`;
const subjectSql = (isHook: boolean) => `
  select r.* from tenant cross join lateral (
    select ${columns} from repository ${theRepository('tenant.org', isHook)} offset 0) r`;
const pushedSql = (isHook: boolean) => `
  update repository set pushed_at = greatest(pushed_at, least($4::timestamptz, now())) ${theRepository('$1', isHook)} returning ${columns}`;

/** The repository that a webhook of ours was made for: the host's own id of it, and what it is read through. */
export const maybeHooked = (
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

/** The host a repository is on. Throws HostRefused where it is not connected any more. */
export const hostOf = ({ services, orgId, provider }: DeliveryWork, { ref }: DeliveryRepository): Promise<CodeHost> =>
  services.codeHosts.of(orgId, provider, ref.installationId);

/**
 * What the host says, or what the payload says where the host refuses, and on the last try where it does not answer.
 * `second` is told which of the two it was. HostLimited passes: the host will say it later.
 */
export async function firstOr<Result>(
  { services, isLastTry }: DeliveryWork,
  first: () => Promise<Result>,
  second: (isRefused: boolean) => Result,
): Promise<Result> {
  try {
    return await first();
  } catch (error) {
    const isRefused = error instanceof HostRefused;
    if (error instanceof HostLimited || !(isRefused || isLastTry)) throw error;
    services.log.warn({ err: error }, 'a webhook is used as it came, the host did not say more');
    return second(isRefused);
  }
}
