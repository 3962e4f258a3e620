import type { Provider } from '@sightline/contract/core/providers.ts';
import type {
  AgentChangeRow,
  ChangeRow,
  ChecksRow,
  HostActivity,
  MergeRow,
  PathMatch,
  TicketRow,
} from '@sightline/evidence/controls/change-rows.ts';
import type { Fact } from '@sightline/evidence/controls/facts.ts';
import { matchesPattern } from '@sightline/evidence/controls/scope.ts';
import { entryJoinSql } from '#core/recorded-facts.ts';
import type { Tx } from '#database/database.ts';
import type { PopulationQuery } from '../controls/populations/population.ts';
import type { ChangeParts } from './parts.ts';

/** A version of a change record for a population. `leaf`: the index of its entry; null in a closed epoch. */
export interface RecordRow {
  [column: string]: unknown;
  id: string;
  repository_id: string;
  branch: string;
  is_default_branch: boolean;
  mergeMethod: 'pull_request' | 'merge_queue' | 'direct_push' | 'unknown';
  merged_at: Date;
  parts: ChangeParts;
  /** The snapshot of the branch protection at the merge. */
  protection_id: string | null;
  leaf: number | null;
}

const reportingHosts: readonly string[] = ['github', 'bitbucket-data-center'] satisfies Provider[];

/** Whether the activity list of a code host tells merges of pull requests from direct pushes. */
export const reportsActivity = (provider: string): boolean => reportingHosts.includes(provider);

/** The fact about the activity of a push, as stored: null if it was not read, or the host does not report it. */
export function hostActivityFrom(provider: string, stored: string | null): ChangeRow['hostActivity'] {
  if (stored !== null) return { state: 'complete', value: stored as HostActivity };
  return reportsActivity(provider) ? { state: 'missing' } : { state: 'complete', value: 'not_reported' };
}

const BATCH_SIZE = 2_000;

/**
 * The changes of a period, each in its latest version at the ledger size, in batches ordered by merge time. Excludes
 * direct pushes that belong to a pull request.
 */
export async function* changeRecordsAt(tx: Tx, { orgId, period, asOf }: PopulationQuery): AsyncGenerator<RecordRow[]> {
  const entrySql = entryJoinSql('entry', { fact: 'c', epoch: '$4', size: '$5' });
  for (let after = [period.from, '00000000-0000-0000-0000-000000000000']; ; ) {
    const rows = await tx.query<RecordRow & { push_id: string | null; number: number | null; at: string }>({
      name: 'changes.asOf',
      text: `select distinct on (c.merged_at, c.id) c.id, c.repository_id, c.branch, c.is_default_branch, c.merge_method as "mergeMethod", c.merged_at,
               c.merged_at::text as at, c.parts, c.protection_id, c.push_id, c.number, entry.leaf::int
             from change_record c ${entrySql}
             where c.org_id = $1 and c.merged_at >= $2::timestamptz and c.merged_at < $3::timestamptz
               and (c.merged_at, c.id) > ($6::timestamptz, $7::uuid)
             order by c.merged_at, c.id, c.version desc limit ${BATCH_SIZE}`,
      values: [orgId, period.from, period.to, asOf.epoch, asOf.size, ...after],
    });
    const last = rows.at(-1);
    if (!last) return;
    after = [last.at, last.id];
    yield rows.filter(({ push_id: push, number }) => push === null || number === null);
    if (rows.length < BATCH_SIZE) return;
  }
}

/** The common columns of all change controls. */
const baseOf = (row: RecordRow) => ({
  subject: `change:${row.id}`,
  repository: row.repository_id,
  leaf: row.leaf,
  leaves: row.leaf === null ? [] : [row.leaf],
  waivers: [],
  branch: row.branch,
  isDefaultBranch: row.is_default_branch,
  mergedAt: row.merged_at.toISOString(),
});

const mergeMethodOf = (mergeMethod: RecordRow['mergeMethod']): ChangeRow['mergeMethod'] =>
  mergeMethod === 'unknown' ? { state: 'missing' } : { state: 'complete', value: mergeMethod };

/** CHG-01. */
export const changeRow = (row: RecordRow): ChangeRow => ({
  ...baseOf(row),
  mergeMethod: mergeMethodOf(row.mergeMethod),
  hostActivity: row.parts.hostActivity,
  headSha: row.parts.headSha,
  authors: row.parts.authors,
  lastPusher: row.parts.lastPusher,
  earlierPushers: row.parts.earlierPushers,
  unattestedCommits: row.parts.unattestedCommits,
  lastPushAt: row.parts.lastPushAt,
  sessionOwners: row.parts.sessionOwners,
  reviews: row.parts.reviews,
  unreviewedFiles: row.parts.unreviewedFiles,
});

/** CHG-03. */
export const mergeRow = (row: RecordRow): MergeRow => ({
  ...changeRow(row),
  mergedBy: row.parts.mergedBy,
  mergeRequestedBy: row.parts.mergeRequestedBy,
});

/** CHG-05, with facts of the branch protection that the record does not contain. */
export const checksRow = (
  row: RecordRow,
  protection: Pick<ChecksRow, 'requiredApps' | 'disabledChecks'>,
): ChecksRow => ({
  ...baseOf(row),
  ...protection,
  headSha: row.parts.headSha,
  requiredChecks: row.parts.requiredChecks,
  checks: row.parts.checks,
});

/** CHG-06. */
export const ticketRow = (row: RecordRow): TicketRow => ({
  ...baseOf(row),
  sourceBranch: row.parts.sourceBranch,
  labels: row.parts.labels,
  tickets: row.parts.tickets,
  linkedIssues: row.parts.linkedIssues,
});

/** AI-01. */
export const agentChangeRow = (row: RecordRow): AgentChangeRow => ({
  ...changeRow(row),
  attributions: row.parts.ai,
  agents: row.parts.agents,
  // Records of earlier versions lack them.
  pathMatches: row.parts.pathMatches ?? missing,
  changedLines: row.parts.changedLines ?? missing,
  configuredServers: row.parts.configuredServers ?? missing,
});

const missing: { readonly state: 'missing' } = { state: 'missing' };

/** A row for the assessment of approval, before the record exists. */
export const approvalRow = (parts: ChangeParts, mergeMethod: RecordRow['mergeMethod'], mergedAt: string): ChangeRow =>
  changeRow({
    id: '',
    repository_id: '',
    branch: '',
    is_default_branch: true,
    protection_id: null,
    leaf: null,
    parts,
    mergeMethod,
    merged_at: new Date(mergedAt),
  });

/** The paths of changed files, of a renamed file both. */
export interface ChangedPaths {
  paths: readonly string[];
  isWhole: boolean;
}

/** Compares patterns with changed files. Of incomplete files only matches are certain. */
export function matchPaths(patterns: readonly string[], { paths, isWhole }: ChangedPaths): Fact<readonly PathMatch[]> {
  const matches = patterns.map((pattern) => ({
    pattern,
    isTouched: paths.some((path) => matchesPattern(pattern, path)),
  }));
  return isWhole
    ? { state: 'complete', value: matches }
    : { state: 'partial', value: matches.filter(({ isTouched }) => isTouched) };
}
