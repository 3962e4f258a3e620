import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import type { PopulationRow } from '@sightline/evidence/controls/rows.ts';
import type { Services } from '#core/services.ts';
import type { CodeHost } from '#providers/code-host.ts';
import type { HostRef } from '../../../providers/host-facts.ts';
import { maybeProtectionAt } from '../../sources/protection/queries.ts';
import { readAttributions } from './attribution/read.ts';
import { protectedPatternsOf } from './changed-files.ts';
import { fetchPullRequestData } from './fetch-pull-request-data.ts';
import { answerOf, impliedPart, missing } from './host-answer.ts';
import { mergeParts } from './merges.ts';
import type { ChangeParts } from './parts.ts';
import { headPushesOf, pullRequestHead } from './pull-request-heads.ts';
import { observeOpenWork } from './reconciliation/observe.ts';
import { workOf } from './reconciliation/work.ts';
import { storedReviewsOf } from './reviews.ts';
import { agentChangeRow, changeRow, checksRow, type RecordRow, ticketRow } from './rows.ts';
import { markSamePersons } from './same-persons.ts';
import { findRecordedRepository } from './scope.ts';
import { readTickets } from './tickets.ts';

/** An open pull request, as change controls would evaluate it if it were merged now. */
export interface OpenPullRequest {
  headSha: string;
  baseRef: string;
  isDefaultBranch: boolean;
  rows: Partial<Record<ControlId, PopulationRow>>;
  ref: HostRef;
  /** Operations of the host for statuses, comments and check results. */
  hostOperations: Pick<CodeHost, 'setStatus' | 'comments' | 'answerCheck'>;
}

/**
 * Reads an open pull request from the host. `own`: the name of our own status, which is excluded from the required
 * checks. Undefined if the pull request is not open or not accessible. Throws HostLimited.
 */
export async function readOpenPullRequest(
  services: Services,
  orgId: string,
  { repositoryId, number, own }: { repositoryId: string; number: number; own: string },
): Promise<OpenPullRequest | undefined> {
  const place = await findRecordedRepository(services, orgId, repositoryId);
  if (!place?.host) return undefined;
  const { host, ref, provider, defaultBranch } = place;
  const found = await fetchPullRequestData(host, ref, number, { headSha: '' });
  const hostPullRequest = answerOf(found.pullRequest)?.pullRequest;
  if (hostPullRequest?.state !== 'in-progress' || hostPullRequest.headSha === '') return undefined;
  const now = new Date();
  const pullRequest = { ...hostPullRequest, mergedAt: now.toISOString() };
  const tickets = await readTickets(services, orgId, hostPullRequest, {
    commits: found.commits,
    mergedAt: pullRequest.mergedAt,
  });
  const { parts, requiredApps } = await services.database.withOrg(orgId, async (tx) => {
    const protection = await maybeProtectionAt(tx, orgId, {
      repositoryId,
      branch: hostPullRequest.baseRef,
      at: now.toISOString(),
    });
    const checks = protection?.rules.requiredChecks ?? missing;
    const sourcedParts = await mergeParts(services, tx, orgId, {
      provider,
      found,
      pullRequest,
      recorded: {
        storedReviews: await storedReviewsOf(tx, orgId, repositoryId, number),
        headPushes: await headPushesOf(tx, orgId, repositoryId, pullRequestHead(hostPullRequest)),
        // It is not merged yet.
        unreviewedFiles: impliedPart(0, now.toISOString()),
        hostActivity: impliedPart('pull_request_merge', now.toISOString()),
        tickets,
        protectedPatterns: await protectedPatternsOf(tx, orgId, repositoryId),
        requiredChecks: {
          known:
            checks.state === 'missing' ? checks : { ...checks, value: checks.value.filter((name) => name !== own) },
          source: { state: checks.state, fetchedAt: now.toISOString(), reason: null },
        },
      },
    });
    const known = Object.fromEntries(
      Object.entries(sourcedParts).map(([name, part]) => [name, part.known]),
    ) as unknown as Omit<ChangeParts, 'agents'>;
    const commits = answerOf(found.commits)?.items ?? [];
    const work = await workOf(tx, {
      changeId: '',
      repositoryId,
      branch: hostPullRequest.headRef,
      mergedAt: now.toISOString(),
      createdAt: hostPullRequest.createdAt,
      mergeSha: null,
      commits,
      attributed: readAttributions(commits, found.sayings).attributed,
      parts: known,
    });
    const parts = { ...known, agents: await observeOpenWork(tx, orgId, work) };
    return {
      parts: await markSamePersons(tx, orgId, { repositoryId, parts }),
      requiredApps: protection?.rules.requiredApps ?? missing,
    };
  });
  const row: RecordRow = {
    id: String(number),
    repository_id: repositoryId,
    branch: hostPullRequest.baseRef,
    mergeMethod: 'pull_request',
    merged_at: now,
    is_default_branch: hostPullRequest.baseRef === defaultBranch,
    protection_id: null,
    leaf: null,
    parts,
  };
  return {
    headSha: hostPullRequest.headSha,
    baseRef: hostPullRequest.baseRef,
    isDefaultBranch: row.is_default_branch,
    rows: {
      'CHG-01': changeRow(row),
      'CHG-05': checksRow(row, { requiredApps, disabledChecks: [] }),
      'CHG-06': ticketRow(row),
      'AI-01': agentChangeRow(row),
    },
    ref,
    hostOperations: host,
  };
}
