import type { Provider } from '@sightline/contract/core/providers.ts';
import { isInScope } from '@sightline/evidence/controls/scope.ts';
import { isArchived } from '#core/archived.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { CodeHost } from '#providers/code-host.ts';
import type { HostRef } from '../../../providers/host-facts.ts';

/** The origin of a change in the ledger. Names may pass to another repository or host, these values cannot. */
export type RecordOrigin = {
  /** Host name, with the port if it has one. */
  host: string;
  /** The ledger entry that recorded who connected the host. */
  connection: string | null;
  /** The id that the host gave the repository. */
  repository: string;
};

/** A repository whose changes are recorded, with its host while connected. */
export interface RecordedRepository {
  orgId: string;
  repositoryId: string;
  provider: Provider;
  defaultBranch: string;
  origin: RecordOrigin;
  ref: HostRef;
  host: CodeHost | undefined;
}

/** Finds a recorded repository; undefined if it is not enabled or the organization is archived. */
export async function findRecordedRepository(
  services: Services,
  orgId: string,
  repositoryId: string,
): Promise<RecordedRepository | undefined> {
  const row = await services.database.withOrg(orgId, async (tx) => {
    if (await isArchived(tx, orgId)) return undefined;
    return tx.db
      .selectFrom('repository as r')
      .leftJoin('installation as i', (join) =>
        join
          .onRef('i.org_id', '=', 'r.org_id')
          .onRef('i.provider', '=', 'r.provider')
          .onRef('i.installation_id', '=', 'r.installation_id'),
      )
      .leftJoin('code_host_grant as g', (join) =>
        join.onRef('g.org_id', '=', 'i.org_id').onRef('g.id', '=', 'i.grant_id'),
      )
      .where('r.org_id', '=', orgId)
      .where('r.id', '=', repositoryId)
      .where('r.tracked', '=', true)
      .select([
        'r.provider',
        'r.provider_repo_id',
        'r.installation_id',
        'r.owner',
        'r.name',
        'r.default_branch',
        'r.removed_at',
      ])
      .select((eb) => ['g.base_url', eb.fn.coalesce('g.connection_entry', 'i.connection_entry').as('connection')])
      .executeTakeFirst();
  });
  if (!row) return undefined;
  const { installation_id: installationId, owner, name, default_branch: defaultBranch } = row;
  const provider = row.provider as Provider;
  const host = row.removed_at ? undefined : await services.codeHosts.maybe(orgId, provider, installationId);
  const { github, githubUrls: githubPlace } = services.config;
  const origin = {
    host: new URL(row.base_url ?? github?.url ?? githubPlace.url).host,
    connection: row.connection,
    repository: row.provider_repo_id,
  };
  return { orgId, repositoryId, provider, defaultBranch, origin, ref: { installationId, owner, name }, host };
}

/**
 * Whether changes of a branch are recorded: the default branch always, others if the setting of a control ever named
 * them.
 */
export async function isRecordedBranch(tx: Tx, orgId: string, branch: string, defaultBranch: string): Promise<boolean> {
  const isDefaultBranch = branch === defaultBranch;
  return isDefaultBranch || isInScope({ branch, isDefaultBranch }, await branchPatternsOf(tx, orgId));
}

/** Branch patterns that settings of controls named at any time. */
export async function branchPatternsOf(tx: Tx, orgId: string): Promise<string[]> {
  const rows = await tx.query<{ pattern: string }>({
    name: 'changes.patterns',
    text: `select distinct p as pattern from control_setting s
           cross join lateral jsonb_array_elements_text(case jsonb_typeof(s.setting -> 'branches')
             when 'array' then s.setting -> 'branches' else '[]' end) as p
           where s.org_id = $1`,
    values: [orgId],
  });
  return rows.map(({ pattern }) => pattern);
}
