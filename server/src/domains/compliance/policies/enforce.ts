import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { ownStatus } from '#providers/code-host.ts';
import { readOpenChange } from '../changes/commands.ts';
import { answerChecks, hasAsked } from './checks.ts';
import { isCommented, sayComment } from './comment.ts';
import { type PullRequestKey, say } from './publish-status.ts';
import { enforcedVersions, heldPolicies } from './queries.ts';
import { statusOf, verdictsOf } from './verdicts.ts';

/**
 * Publishes the policy results of an open pull request: enforced policies as a status and to GitLab status checks,
 * policies in warn and enforce mode as a comment. If no policy applies any more, the status passes and the comment
 * states it: a failing status would remain, and a required one never arrive. Throws HostLimited.
 */
export async function enforce(services: Services, subject: PullRequestKey): Promise<void> {
  const { orgId, repositoryId, number } = subject;
  const { active, everEnforced, hasCheck, hasComment } = await services.database.withOrg(orgId, async (tx) => ({
    active: (await heldPolicies(tx, orgId)).filter(({ mode }) => mode !== 'observe'),
    everEnforced: await enforcedVersions(tx, orgId),
    hasCheck: await hasAsked(tx, subject),
    hasComment: await isCommented(tx, subject),
  }));
  const enforced = active.filter(({ mode }) => mode === 'enforce');
  if (active.length === 0 && everEnforced.length === 0 && !hasCheck && !hasComment) return;
  const open = await readOpenChange(services, orgId, { repositoryId, number, own: ownStatus });
  if (!open) return;
  const evaluated = verdictsOf(open, repositoryId, enforced);
  const commentVerdicts = verdictsOf(open, repositoryId, active);
  const url = new URL('/policies', services.config.PUBLIC_URL).href;
  const { setStatus, comments } = open.words;
  if (setStatus && (evaluated.length > 0 || verdictsOf(open, repositoryId, everEnforced).length > 0)) {
    await say(services, subject, 'status', () =>
      setStatus(open.ref, open.headSha, { ...statusOf(evaluated), context: ownStatus, url }),
    );
  }
  if (hasCheck) await answerChecks(services, subject, open, evaluated);
  if (comments) {
    await say(services, subject, 'comment', () =>
      sayComment(services, subject, open, { comments, evaluated: commentVerdicts, url }),
    );
  }
}

/** The most recently updated open pull requests. */
export async function openOf(tx: Tx, orgId: string): Promise<{ repositoryId: string; number: number }[]> {
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
export const speaks = async (tx: Tx, orgId: string): Promise<boolean> =>
  (await selectPublishing(tx, orgId).where('valid_until', 'is', null).executeTakeFirst()) !== undefined;

/** Whether any policy publishes or published results, so that a status or comment may exist. */
export const hasSpoken = async (tx: Tx, orgId: string): Promise<boolean> =>
  (await selectPublishing(tx, orgId).executeTakeFirst()) !== undefined;

const selectPublishing = ({ db }: Tx, orgId: string) =>
  db.selectFrom('policy').select('id').where('org_id', '=', orgId).where('mode', 'in', ['enforce', 'warn']).limit(1);
