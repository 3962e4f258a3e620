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
 * Says at an open pull request how it keeps the policies, where any is about it: those that are enforced by a status and to the
 * checks of a GitLab that ask, those that are enforced or warn by a comment. Where policies no longer apply, the status passes and
 * the comment says so: a failing one would stay, and one that a host requires would never arrive. Throws HostLimited.
 */
export async function enforce(services: Services, subject: PullRequestKey): Promise<void> {
  const { orgId, repositoryId, number } = subject;
  const { held, everEnforced, asks, hasComment } = await services.database.withOrg(orgId, async (tx) => ({
    held: (await heldPolicies(tx, orgId)).filter(({ mode }) => mode !== 'observe'),
    everEnforced: await enforcedVersions(tx, orgId),
    asks: await hasAsked(tx, subject),
    hasComment: await isCommented(tx, subject),
  }));
  const enforced = held.filter(({ mode }) => mode === 'enforce');
  if (held.length === 0 && everEnforced.length === 0 && !asks && !hasComment) return;
  const open = await readOpenChange(services, orgId, { repositoryId, number, own: ownStatus });
  if (!open) return;
  const [evaluated, warned] = [verdictsOf(open, repositoryId, enforced), verdictsOf(open, repositoryId, held)];
  const url = new URL('/policies', services.config.PUBLIC_URL).href;
  const { setStatus, comments } = open.words;
  if (setStatus && (evaluated.length > 0 || verdictsOf(open, repositoryId, everEnforced).length > 0)) {
    await say(services, subject, 'status', () =>
      setStatus(open.ref, open.headSha, { ...statusOf(evaluated), context: ownStatus, url }),
    );
  }
  if (asks) await answerChecks(services, subject, open, evaluated);
  if (comments) {
    await say(services, subject, 'comment', () =>
      sayComment(services, subject, open, { comments, evaluated: warned, url }),
    );
  }
}

/** Open pull requests that were touched lately. */
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

/** Whether any policy is enforced or warns. */
export const speaks = async (tx: Tx, orgId: string): Promise<boolean> =>
  (await selectSpeaking(tx, orgId).where('valid_until', 'is', null).executeTakeFirst()) !== undefined;

/** Whether any policy is or was enforced or warned, so that there may be a status or a comment of it. */
export const hasSpoken = async (tx: Tx, orgId: string): Promise<boolean> =>
  (await selectSpeaking(tx, orgId).executeTakeFirst()) !== undefined;

const selectSpeaking = ({ db }: Tx, orgId: string) =>
  db.selectFrom('policy').select('id').where('org_id', '=', orgId).where('mode', 'in', ['enforce', 'warn']).limit(1);
