import { sql } from 'kysely';
import { recordAuditEntry } from '#core/audit.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { type RepositoryFilter, recordListedRepositories, repositoriesOf } from '../repositories/commands.ts';

/**
 * Runs `work`, which updates repositories from a code host, and records in the audit log how it changed enabled repositories: name, default branch, visibility,
 * removal. Of repositories that are not enabled, the ledger records only that the host lists them, and under which name.
 */
export async function auditRepositoryChanges(
  { people }: Services,
  tx: Tx,
  orgId: string,
  { which, work }: { which: RepositoryFilter; work: () => Promise<unknown> },
): Promise<void> {
  const before = await lockEnabled(tx, orgId, which);
  await recordListedRepositories(tx, orgId, { which, work });
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
        actor: { integration: which.provider },
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

const lockEnabled = (tx: Tx, orgId: string, which: RepositoryFilter) =>
  repositoriesOf(tx, orgId, which)
    .where('tracked', '=', true)
    .select(['id', 'provider_repo_id', 'full_name', 'default_branch', 'is_private'])
    .select(sql<boolean>`removed_at is not null`.as('removed'))
    .orderBy('provider_repo_id')
    .forUpdate()
    .execute();
