import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { OpenChange } from '../changes/commands.ts';
import { type PullRequestKey, say } from './publish-status.ts';
import { type OpenVerdict, statusOf } from './verdicts.ts';

/** Whether a check of a GitLab asks about a merge request. */
export async function hasAsked({ db }: Tx, { orgId, repositoryId, number }: PullRequestKey): Promise<boolean> {
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

/** Answers every check that asked about a merge request. Where nothing is enforced there, nothing is broken: GitLab may wait for an answer. */
export async function answerChecks(
  services: Services,
  subject: PullRequestKey,
  { ref, headSha, words: { answerCheck } }: OpenChange,
  evaluated: readonly OpenVerdict[],
): Promise<void> {
  if (!answerCheck) return;
  const { orgId, repositoryId, number } = subject;
  const { state } = statusOf(evaluated);
  const asked = await services.database.withOrg(orgId, ({ db }) =>
    db
      .selectFrom('status_check_request')
      .where('org_id', '=', orgId)
      .where('repository_id', '=', repositoryId)
      .where('number', '=', number)
      .select('check_id')
      .orderBy('check_id')
      .execute(),
  );
  for (const { check_id: checkId } of asked) {
    await say(services, subject, 'check', () => answerCheck(ref, number, { sha: headSha, checkId, state }));
  }
}
