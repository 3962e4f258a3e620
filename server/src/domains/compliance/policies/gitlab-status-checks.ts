import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { OpenPullRequest } from '../changes/commands.ts';
import { type PullRequestKey, publishToHost } from './publish-status.ts';
import { type PullRequestVerdict, statusOf } from './verdicts.ts';

/** Whether a GitLab status check exists for a merge request. */
export async function hasStatusCheckRequest(
  { db }: Tx,
  { orgId, repositoryId, number }: PullRequestKey,
): Promise<boolean> {
  const found = await db
    .selectFrom('status_check_request')
    .select('check_id')
    .where('org_id', '=', orgId)
    .where('repository_id', '=', repositoryId)
    .where('number', '=', number)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/**
 * Sends the result to every status check of a merge request. Without an enforced policy the check passes, because
 * GitLab may wait for a result.
 */
export async function sendStatusCheckResults(
  services: Services,
  subject: PullRequestKey,
  { ref, headSha, hostOperations: { answerCheck } }: OpenPullRequest,
  verdicts: readonly PullRequestVerdict[],
): Promise<void> {
  if (!answerCheck) return;
  const { orgId, repositoryId, number } = subject;
  const { state } = statusOf(verdicts);
  const requests = await services.database.withOrg(orgId, ({ db }) =>
    db
      .selectFrom('status_check_request')
      .where('org_id', '=', orgId)
      .where('repository_id', '=', repositoryId)
      .where('number', '=', number)
      .select('check_id')
      .orderBy('check_id')
      .execute(),
  );
  for (const { check_id: checkId } of requests) {
    await publishToHost(services, subject, 'check', () => answerCheck(ref, number, { sha: headSha, checkId, state }));
  }
}
