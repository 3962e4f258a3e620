import type { Provider } from '@sightline/contract/core/providers.ts';
import { listedKind, unlistedKind } from '@sightline/evidence/bundle/repositories.ts';
import { sql } from 'kysely';
import { recordAuditEntry } from '#core/audit.ts';
import { newId } from '#core/ids.ts';
import { appendEntries, createLedgerEntry } from '#core/ledger.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';

/** The repositories of a host that may change: some, or all of an installation. */
type RepositoryFilter = { provider: Provider } & ({ hostIds: readonly string[] } | { installationId: string });

/**
 * Runs `work` and records in the audit log how it changed enabled repositories: name, default branch, visibility,
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

type NamesById = ReadonlyMap<string, string>;

/** Repositories per ledger entry, which has a limited size. */
const REPOSITORIES_PER_ENTRY = 100;

/**
 * Runs `work` and records in the ledger which repositories the host now lists or names differently, and which it no
 * longer lists.
 */
export async function recordListedRepositories(
  tx: Tx,
  orgId: string,
  { which, work }: { which: RepositoryFilter; work: () => Promise<unknown> },
): Promise<void> {
  const listedBefore = await listedNames(tx, orgId, which);
  await work();
  const listed = await listedNames(tx, orgId, which);
  const appeared = [...listed].filter(([id, name]) => listedBefore.get(id) !== name);
  const disappeared = [...listedBefore].filter(([id]) => !listed.has(id));
  const now = new Date().toISOString();
  const entries = [
    { kind: listedKind, repositories: appeared },
    { kind: unlistedKind, repositories: disappeared },
  ].flatMap(({ kind, repositories }) =>
    Array.from({ length: Math.ceil(repositories.length / REPOSITORIES_PER_ENTRY) }, (_, index) => {
      const some = repositories.slice(index * REPOSITORIES_PER_ENTRY, (index + 1) * REPOSITORIES_PER_ENTRY);
      const fact = {
        id: newId(),
        org: orgId,
        kind,
        asOf: now,
        receivedAt: now,
        person: null,
        source: which.provider,
        subject: { repositories: some.map(([id, name]) => ({ id, name })) },
        personal: {},
      };
      return createLedgerEntry(fact, undefined);
    }),
  );
  await appendEntries(tx, orgId, entries);
}

/** The names of the repositories that the host lists, by ID. */
async function listedNames(tx: Tx, orgId: string, which: RepositoryFilter): Promise<NamesById> {
  const rows = await repositoriesOf(tx, orgId, which)
    .where('removed_at', 'is', null)
    .select(['id', 'full_name'])
    .orderBy('id')
    .execute();
  return new Map(rows.map(({ id, full_name }) => [id, full_name]));
}

const repositoriesOf = ({ db }: Tx, orgId: string, which: RepositoryFilter) =>
  db
    .selectFrom('repository')
    .where('org_id', '=', orgId)
    .where('provider', '=', which.provider)
    .$if('hostIds' in which, (query) =>
      query.where(sql<boolean>`provider_repo_id = any(${'hostIds' in which ? which.hostIds : []}::text[])`),
    )
    .$if('installationId' in which, (query) =>
      query.where('installation_id', '=', 'installationId' in which ? which.installationId : ''),
    );

const lockEnabled = (tx: Tx, orgId: string, which: RepositoryFilter) =>
  repositoriesOf(tx, orgId, which)
    .where('tracked', '=', true)
    .select(['id', 'provider_repo_id', 'full_name', 'default_branch', 'is_private'])
    .select(sql<boolean>`removed_at is not null`.as('removed'))
    .orderBy('provider_repo_id')
    .forUpdate()
    .execute();
