import { isArchived } from '#core/archived.ts';
import { type AuditActor, auditActorColumns } from '#core/audit.ts';
import { Archived, NotFound } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import type { Tx } from '#database/database.ts';
import type { Analysis } from '#providers/scanner.ts';
import { analysisKey } from './fingerprint.ts';

export interface NewScans {
  /** All analyses are of one repository. */
  analyses: readonly [Analysis, ...Analysis[]];
  /** The upload of the scans; all scans of an upload are imported, or none. */
  uploadId?: string;
}

/**
 * Inserts scans in state `receiving` and returns their IDs. Throws 404 if the repository is not enabled, 409 in an
 * archived organization.
 */
export async function insertScans(tx: Tx, orgId: string, actor: AuditActor, scans: NewScans): Promise<string[]> {
  const { analyses, uploadId = null } = scans;
  const repository = await tx.db
    .selectFrom('repository')
    .where('org_id', '=', orgId)
    .where('id', '=', analyses[0].repositoryId)
    .where('tracked', '=', true)
    .select('id')
    .executeTakeFirst();
  if (!repository) throw NotFound('Repository');
  if (await isArchived(tx, orgId)) throw Archived();
  const allowed = await toolsAllowed(tx, orgId, repository.id);
  const rows = analyses.map((analysis) => ({
    org_id: orgId,
    id: newId(),
    repository_id: repository.id,
    source: analysis.source,
    tool: analysis.tool.key,
    tool_name: analysis.tool.name,
    tool_version: analysis.tool.version,
    category: analysis.category,
    ref: analysis.ref,
    commit_sha: analysis.commit,
    external_id: analysis.nativeId,
    analysis: analysisKey(analysis),
    complete: analysis.complete || isAllowed(analysis, allowed),
    incomplete: JSON.stringify(analysis.incomplete ?? []),
    state: 'receiving',
    upload_id: uploadId,
    ...auditActorColumns(actor),
  }));
  await tx.db.insertInto('scan').values(rows).execute();
  const names = new Map(analyses.map(({ tool }) => [tool.key, tool.name]));
  await tx.db
    .insertInto('finding_tool')
    .values([...names].sort().map(([tool, name]) => ({ org_id: orgId, tool, name })))
    .onConflict((conflict) =>
      conflict
        .columns(['org_id', 'tool'])
        .doUpdateSet(({ ref }) => ({ name: ref('excluded.name') }))
        .whereRef('finding_tool.name', '<>', 'excluded.name' as 'finding_tool.name'),
    )
    .execute();
  return rows.map(({ id }) => id);
}

/** Scanners for which an owner allows missing classes. */
async function toolsAllowed(tx: Tx, orgId: string, repositoryId: string): Promise<ReadonlySet<string>> {
  const rows = await tx.db
    .selectFrom('missing_classes_allowed')
    .where('org_id', '=', orgId)
    .where('repository_id', '=', repositoryId)
    .select('tool')
    .execute();
  return new Set(rows.map(({ tool }) => tool));
}

const isAllowed = ({ tool, incomplete = [] }: Analysis, allowed: ReadonlySet<string>): boolean =>
  allowed.has(tool.key) && incomplete.length > 0 && incomplete.every(({ code }) => code === 'missing_classes');
