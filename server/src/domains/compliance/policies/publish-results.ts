import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { OWN_STATUS_CONTEXT } from '#providers/code-host.ts';
import { readOpenPullRequest } from '../changes/commands.ts';
import { hasPolicyComment, updateComment } from './comment.ts';
import { hasStatusCheckRequest, sendStatusCheckResults } from './gitlab-status-checks.ts';
import { type PullRequestKey, publishToHost } from './publish-status.ts';
import { activePolicies, enforcedVersions } from './queries.ts';
import { statusOf, verdictsOf } from './verdicts.ts';

/**
 * Publishes the policy results of an open pull request: enforced policies as a status and to GitLab status checks,
 * policies in warn and enforce mode as a comment. If no policy applies any more, the status passes and the comment
 * states it: a failing status would remain, and a required one never arrive. Throws HostLimited.
 */
export async function publishResults(services: Services, subject: PullRequestKey): Promise<void> {
  const { orgId, repositoryId, number } = subject;
  const { active, everEnforced, hasCheckRequest, hasComment } = await services.database.withOrg(orgId, async (tx) => ({
    active: (await activePolicies(tx, orgId)).filter(({ mode }) => mode !== 'observe'),
    everEnforced: await enforcedVersions(tx, orgId),
    hasCheckRequest: await hasStatusCheckRequest(tx, subject),
    hasComment: await hasPolicyComment(tx, subject),
  }));
  const enforced = active.filter(({ mode }) => mode === 'enforce');
  if (active.length === 0 && everEnforced.length === 0 && !hasCheckRequest && !hasComment) return;
  const open = await readOpenPullRequest(services, orgId, { repositoryId, number, own: OWN_STATUS_CONTEXT });
  if (!open) return;
  const verdicts = verdictsOf(open, repositoryId, enforced);
  const commentVerdicts = verdictsOf(open, repositoryId, active);
  const url = new URL('/policies', services.config.PUBLIC_URL).href;
  const { setStatus, comments } = open.hostOperations;
  if (setStatus && (verdicts.length > 0 || verdictsOf(open, repositoryId, everEnforced).length > 0)) {
    await publishToHost(services, subject, 'status', () =>
      setStatus(open.ref, open.headSha, { ...statusOf(verdicts), context: OWN_STATUS_CONTEXT, url }),
    );
  }
  if (hasCheckRequest) await sendStatusCheckResults(services, subject, open, verdicts);
  if (comments) {
    await publishToHost(services, subject, 'comment', () =>
      updateComment(services, subject, open, { comments, verdicts: commentVerdicts, url }),
    );
  }
}

/** The most recently updated open pull requests. */
export async function openPullRequestsOf(tx: Tx, orgId: string): Promise<{ repositoryId: string; number: number }[]> {
  const rows = await tx.db
    .selectFrom('pull_request as p')
    .innerJoin('repository as r', (join) =>
      join.onRef('r.org_id', '=', 'p.org_id').onRef('r.id', '=', 'p.repository_id'),
    )
    .where('p.org_id', '=', orgId)
    .where('r.tracked', '=', true)
    .where('p.status', '=', 'in-progress')
    .select(['p.repository_id', 'p.number'])
    .orderBy('p.updated_at', 'desc')
    .limit(500)
    .execute();
  return rows.map((row) => ({ repositoryId: row.repository_id, number: row.number }));
}

/** Whether any active policy publishes results. */
export const hasPublishingPolicy = async (tx: Tx, orgId: string): Promise<boolean> =>
  (await selectPublishing(tx, orgId).where('valid_until', 'is', null).executeTakeFirst()) !== undefined;

/** Whether any policy publishes or published results, so that a status or comment may exist. */
export const hasPublished = async (tx: Tx, orgId: string): Promise<boolean> =>
  (await selectPublishing(tx, orgId).executeTakeFirst()) !== undefined;

const selectPublishing = ({ db }: Tx, orgId: string) =>
  db.selectFrom('policy').select('id').where('org_id', '=', orgId).where('mode', 'in', ['enforce', 'warn']).limit(1);
