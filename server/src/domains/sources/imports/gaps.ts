import { failureReason } from '#core/failure-reason.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { HostLimited, HostRefused } from '#providers/code-host.ts';
import type { ImportJob } from './progress.ts';

/** An item of a repository that could not be imported. */
export interface ImportGap {
  kind: 'commit' | 'pull_request' | 'files';
  /** The sha of a commit, or the number of a pull request. */
  item: string;
  reason: string;
  /** Whether the failure is permanent, so that a retry cannot succeed. */
  isLasting: boolean;
}

// Statuses of an item that the host no longer has.
const finalStatuses = [404, 410, 422, 451];

/**
 * Creates the gap of an item that could not be imported. Rethrows errors that the item did not cause: a rate limit, a
 * missing permission, an unavailable database.
 */
export function importGapFrom(
  services: Services,
  job: ImportJob,
  about: Pick<ImportGap, 'kind' | 'item'>,
  error: unknown,
): ImportGap {
  const isRefused = error instanceof HostRefused;
  if (error instanceof HostLimited || (isRefused && !finalStatuses.includes(error.status)) || isDatabaseError(error))
    throw error;
  return { ...about, reason: failureReason(services, 'the import', { ...job, ...about }, error), isLasting: isRefused };
}

const codeOf = (error: unknown): unknown => (error as { code?: unknown } | null)?.code;

/** Whether PostgreSQL rejected a value: class 22, data exception. */
export const isDataException = (error: unknown): boolean => /^22...$/.test(String(codeOf(error)));
const isDatabaseError = (error: unknown): boolean => typeof codeOf(error) === 'string' && !isDataException(error);

/** Stores gaps and deletes those of imported items. The pause grows with each attempt, up to one day. */
export async function storeGaps(
  tx: Tx,
  { orgId, repositoryId }: ImportJob,
  gaps: readonly ImportGap[],
  imported: readonly Pick<ImportGap, 'kind' | 'item'>[],
): Promise<void> {
  if (imported.length > 0) {
    await tx.query({
      name: 'imports.closeGaps',
      text: `delete from import_gap where org_id = $1 and repository_id = $2
               and (kind, item) in (select * from unnest($3::text[], $4::text[]))`,
      values: [orgId, repositoryId, imported.map(({ kind }) => kind), imported.map(({ item }) => item)],
    });
  }
  if (gaps.length === 0) return;
  await tx.query({
    name: 'imports.keepGaps',
    text: `insert into import_gap as g (org_id, repository_id, kind, item, reason, next_attempt_at)
           select $1, $2, kind, item, reason, case when not is_lasting then now() + interval '10 minutes' end
           from jsonb_to_recordset($3::jsonb) as x(kind text, item text, reason text, is_lasting boolean)
           on conflict (org_id, repository_id, kind, item) do update set reason = excluded.reason, attempts = g.attempts + 1,
             next_attempt_at = case when excluded.next_attempt_at is not null
               then now() + least(interval '10 minutes' * 3 ^ least(g.attempts, 10), interval '1 day') end`,
    values: [
      orgId,
      repositoryId,
      JSON.stringify(gaps.map(({ isLasting, ...gap }) => ({ ...gap, is_lasting: isLasting }))),
    ],
  });
}

/** The time of the next retry; undefined if no item has one. */
export async function nextGapAttempt(tx: Tx, { orgId, repositoryId }: ImportJob): Promise<Date | undefined> {
  const [row] = await tx.query<{ at: Date | null }>({
    name: 'imports.nextGapAttempt',
    text: 'select min(next_attempt_at) as at from import_gap where org_id = $1 and repository_id = $2',
    values: [orgId, repositoryId],
  });
  return row?.at ?? undefined;
}

/** The missing items whose retry is due. */
export const dueGaps = (tx: Tx, { orgId, repositoryId }: ImportJob) =>
  tx.query<{ kind: ImportGap['kind']; item: string }>({
    name: 'imports.dueGaps',
    text: `select kind, item from import_gap where org_id = $1 and repository_id = $2 and next_attempt_at <= now()
           order by next_attempt_at, kind, item limit 100`,
    values: [orgId, repositoryId],
  });
