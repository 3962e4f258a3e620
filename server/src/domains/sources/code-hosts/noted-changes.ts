import type { Provider } from '@sightline/contract/core/providers.ts';
import { sql } from 'kysely';
import { recordAuditEntry } from '#core/audit.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';

/** The repositories of a host that may change: some, or all of an installation. */
type RepositoryFilter = { provider: Provider } & ({ hostIds: readonly string[] } | { installationId: string });

/**
 * Runs `work` and records in the audit log how it changed enabled repositories: name, default branch, visibility,
 * removal. Changes to repositories that are not enabled are not recorded.
 */
export async function auditRepositoryChanges(
  { people }: Services,
  tx: Tx,
  orgId: string,
  { which, work }: { which: RepositoryFilter; work: () => Promise<unknown> },
): Promise<void> {
  const before = await lockEnabled(tx, orgId, which);
  await work();
  if (before.length === 0) return;
  const ids = before.map(({ provider_repo_id }) => provider_repo_id);
  const after = new Map(
    (await lockEnabled(tx, orgId, { provider: which.provider, hostIds: ids })).map((row) => [row.id, row]),
  );
  for (const was of before) {
    const is = after.get(was.id);
    if (!is) continue;
    const subject = { kind: 'repository', id: was.id } as const;
    const recordChange = (action: 'repository.renamed' | 'repository.removed' | 'repository.restored', sides: Sides) =>
      recordAuditEntry(tx, {
        people,
        orgId,
        doer: { integration: which.provider },
        entry: { action, subject, data: { fullName: is.full_name, ...sides } },
      });
    const sides = { before: describe(was), after: describe(is) };
    if (JSON.stringify(sides.before) !== JSON.stringify(sides.after)) await recordChange('repository.renamed', sides);
    if (!was.removed && is.removed)
      await recordChange('repository.removed', { before: { shown: true }, after: { shown: false } });
    if (was.removed && !is.removed)
      await recordChange('repository.restored', { before: { shown: false }, after: { shown: true } });
  }
}

type ChangeSide = Record<string, string | boolean | null>;
interface Sides {
  before: ChangeSide;
  after: ChangeSide;
}

interface RepositorySettingsRow {
  full_name: string;
  default_branch: string | null;
  is_private: boolean;
}

const describe = ({ full_name, default_branch, is_private }: RepositorySettingsRow): ChangeSide => ({
  fullName: full_name,
  defaultBranch: default_branch,
  private: is_private,
});

const lockEnabled = ({ db }: Tx, orgId: string, which: RepositoryFilter) =>
  db
    .selectFrom('repository')
    .select(['id', 'provider_repo_id', 'full_name', 'default_branch', 'is_private'])
    .select(sql<boolean>`removed_at is not null`.as('removed'))
    .where('org_id', '=', orgId)
    .where('provider', '=', which.provider)
    .where('tracked', '=', true)
    .$if('hostIds' in which, (query) =>
      query.where(sql<boolean>`provider_repo_id = any(${'hostIds' in which ? which.hostIds : []}::text[])`),
    )
    .$if('installationId' in which, (query) =>
      query.where('installation_id', '=', 'installationId' in which ? which.installationId : ''),
    )
    .orderBy('provider_repo_id')
    .forUpdate()
    .execute();
