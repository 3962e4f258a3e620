import { type CodeHost, HostLimited, type HostRef, HostRefused } from '#providers/code-host.ts';
import { repositoryFrom } from '#providers/github/shapes.ts';
import type { Work } from './delivery.ts';

/** A tracked repository a delivery speaks of. */
export interface Subject {
  repositoryId: string;
  ref: HostRef;
  defaultBranch: string;
}

/**
 * The tracked repository of a payload, or undefined for one we do not know, track or see.
 * `pushedAt` is noted as the time of the last push, tracked or not.
 */
export async function maybeSubject(
  { services, orgId, payload }: Work,
  pushedAt: string | null = null,
): Promise<Subject | undefined> {
  const { id } = repositoryFrom(payload.repository);
  const [row] =
    pushedAt === null
      ? await services.database.onceWithOrg<Row>(orgId, { name: 'webhooks.subject', text: subjectSql, values: [id] })
      : await services.database.withOrg(orgId, (tx) =>
          tx.query<Row>({ name: 'webhooks.pushed', text: pushedSql, values: [orgId, id, pushedAt] }),
        );
  if (!row?.tracked) return undefined;
  const { installation_id: installationId, owner, name, default_branch: defaultBranch } = row;
  return { repositoryId: row.id, ref: { installationId, owner, name }, defaultBranch };
}

interface Row {
  [column: string]: unknown;
  id: string;
  installation_id: string;
  owner: string;
  name: string;
  default_branch: string;
  tracked: boolean;
}

const columns = 'id, installation_id, owner, name, default_branch, tracked and removed_at is null as tracked';
const theRepository = (org: string) => `where org_id = ${org} and provider = 'github' and provider_repo_id = $2`;
const subjectSql = `
  select r.* from tenant cross join lateral (
    select ${columns} from repository ${theRepository('tenant.org')} offset 0) r`;
const pushedSql = `
  update repository set pushed_at = greatest(pushed_at, $3::timestamptz) ${theRepository('$1')} returning ${columns}`;

/** The host a repository is on. Throws HostRefused where it is not connected any more. */
export const hostOf = ({ services, orgId }: Work, { ref }: Subject): Promise<CodeHost> =>
  services.codeHosts.of(orgId, 'github', ref.installationId);

/**
 * What the host says, or what the payload says where the host refuses, and on the last try where it does not answer.
 * `second` is told which of the two it was. HostLimited passes: the host will say it later.
 */
export async function firstOr<Result>(
  { services, isLastTry }: Work,
  first: () => Promise<Result>,
  second: (isRefused: boolean) => Result,
): Promise<Result> {
  try {
    return await first();
  } catch (error) {
    const isRefused = error instanceof HostRefused;
    if (error instanceof HostLimited || !(isRefused || isLastTry)) throw error;
    services.log.warn({ error: (error as Error).message }, 'a webhook is used as it came, the host did not say more');
    return second(isRefused);
  }
}
