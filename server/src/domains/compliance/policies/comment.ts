import { explainReason } from '@sightline/evidence/controls/reasons.ts';
import { sha256 } from '#core/hmac.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { type HostComments, HostRefused } from '#providers/code-host.ts';
import type { OpenPullRequest } from '../changes/commands.ts';
import { definitionOf } from '../controls/catalog.ts';
import type { PullRequestKey } from './publish-status.ts';
import type { PullRequestVerdict } from './verdicts.ts';

/** Minutes after which an unfinished first comment may be retried. */
const CLAIM_MINUTES = 5;

interface CommentContent {
  comments: HostComments;
  verdicts: readonly PullRequestVerdict[];
  /** The page of the policies. */
  url: string;
}

/**
 * Updates the single comment of Sightline on a pull request with the policy results. The comment is created at the
 * first violation and later reports compliance. Throws HostRefused, HostLimited, and an Error while another process
 * writes it.
 */
export async function updateComment(
  services: Services,
  subject: PullRequestKey,
  open: OpenPullRequest,
  content: CommentContent,
): Promise<void> {
  const { comments, verdicts } = content;
  const hasViolation = verdicts.some(({ verdict }) => verdict === 'fail');
  const row = await rowOf(services, subject, hasViolation);
  if (!row) return;
  const body = bodyOf(open.headSha, row.mark, content);
  const sum = sha256(body);
  if (row.body_sha256?.equals(sum)) return;
  const id = await publishComment(services, subject, row, { comments, ref: open.ref, body });
  await update(services, subject, { comment_id: id, body_sha256: sum, claimed_at: null });
}

/** Whether Sightline wrote or started a comment on a pull request. */
export async function hasPolicyComment({ db }: Tx, { orgId, repositoryId, number }: PullRequestKey): Promise<boolean> {
  const found = await db
    .selectFrom('policy_comment')
    .select('mark')
    .where('org_id', '=', orgId)
    .where('repository_id', '=', repositoryId)
    .where('number', '=', number)
    .executeTakeFirst();
  return found !== undefined;
}

interface CommentRow {
  mark: string;
  comment_id: string | null;
  body_sha256: Buffer | null;
}

/** Finds or creates the row of the comment; undefined if there is none to create. */
const rowOf = (
  services: Services,
  { orgId, repositoryId, number }: PullRequestKey,
  make: boolean,
): Promise<CommentRow | undefined> =>
  services.database.withOrg(orgId, async ({ db }) => {
    if (make) {
      await db
        .insertInto('policy_comment')
        .values({ org_id: orgId, repository_id: repositoryId, number })
        .onConflict((oc) => oc.doNothing())
        .execute();
    }
    return db
      .selectFrom('policy_comment')
      .where('org_id', '=', orgId)
      .where('repository_id', '=', repositoryId)
      .where('number', '=', number)
      .select(['mark', 'comment_id', 'body_sha256'])
      .executeTakeFirst();
  });

type CommentUpdate = Pick<CommentContent, 'comments'> & Pick<OpenPullRequest, 'ref'> & { body: string };

/** Writes the comment and returns its id. A deleted comment is recreated. */
async function publishComment(
  services: Services,
  subject: PullRequestKey,
  row: CommentRow,
  { comments, ref, body }: CommentUpdate,
): Promise<string> {
  const { number } = subject;
  if (row.comment_id !== null) {
    const id = row.comment_id;
    const isUpdated = await comments.changeComment(ref, number, id, body).then(() => true, falseIfDeleted);
    if (isUpdated) return id;
  }
  await claimComment(services, subject);
  const existing = row.comment_id === null ? await comments.findComment(ref, number, row.mark) : undefined;
  if (existing === undefined) return comments.writeComment(ref, number, body);
  await comments.changeComment(ref, number, existing, body);
  return existing;
}

const falseIfDeleted = (error: unknown): false => {
  if (error instanceof HostRefused && (error.status === 404 || error.status === 410)) return false;
  throw error;
};

async function claimComment(services: Services, { orgId, repositoryId, number }: PullRequestKey): Promise<void> {
  const claimed = await services.database.withOrg(orgId, (tx) =>
    tx.query({
      name: 'policies.claim-comment',
      text: `update policy_comment set claimed_at = now() where org_id = $1 and repository_id = $2 and number = $3
             and coalesce(claimed_at < now() - make_interval(mins => ${CLAIM_MINUTES}), true) returning 1`,
      values: [orgId, repositoryId, number],
    }),
  );
  if (claimed.length === 0) throw new Error('Another process writes this comment');
}

const update = (
  services: Services,
  { orgId, repositoryId, number }: PullRequestKey,
  values: { comment_id: string; body_sha256: Buffer; claimed_at: null },
) =>
  services.database.withOrg(orgId, ({ db }) =>
    db
      .updateTable('policy_comment')
      .set(values)
      .where('org_id', '=', orgId)
      .where('repository_id', '=', repositoryId)
      .where('number', '=', number)
      .execute(),
  );

const verdictTexts = {
  fail: 'Violation',
  missing_evidence: 'Missing evidence',
  pass: 'Compliant',
  waived: 'Waived',
} as const;

/** Markdown that all hosts render alike, without personal data. */
function bodyOf(headSha: string, mark: string, { verdicts, url }: CommentContent): string {
  const footer = [
    `This comment is updated automatically. [Policies in Sightline](${url})`,
    // Hosts do not render an unused reference.
    `[//]: # (sightline ${mark})`,
  ];
  if (verdicts.length === 0) return ['**Sightline:** no policy applies to this pull request.', ...footer].join('\n\n');
  const hasViolation = verdicts.some(({ verdict }) => verdict === 'fail');
  const rows = verdicts.map(({ control, verdict, reasons }) => {
    const why = verdict === 'pass' ? [] : reasons.flatMap((reason) => explainReason(reason)?.text ?? []);
    return `| ${control} ${definitionOf(control).title} | **${verdictTexts[verdict]}** | ${[...new Set(why)].join(' ')} |`;
  });
  return [
    `**Sightline:** ${hasViolation ? 'policy violation.' : 'no known policy violations.'}`,
    `Policy results if \`${headSha.slice(0, 12)}\` were merged now:`,
    ['| Control | Result | Reason |', '|---|---|---|', ...rows].join('\n'),
    ...footer,
  ].join('\n\n');
}
