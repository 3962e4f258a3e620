import { explainReason } from '@sightline/evidence/controls/reasons.ts';
import { sha256 } from '#core/hmac.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { type HostComments, HostRefused } from '#providers/code-host.ts';
import type { OpenChange } from '../changes/commands.ts';
import { definitionOf } from '../controls/catalog.ts';
import type { PullRequestKey } from './publish-status.ts';
import type { OpenVerdict } from './verdicts.ts';

/** Minutes after which a first writing that left no trace counts as dead. */
const claim = 5;

interface Words {
  comments: HostComments;
  evaluated: readonly OpenVerdict[];
  /** Where policies are explained. */
  url: string;
}

/**
 * Keeps our one comment at a pull request to what policies say of it. It begins when one is broken, and says later that all are
 * kept. Throws HostRefused, HostLimited, and an Error while another process writes it.
 */
export async function sayComment(
  services: Services,
  subject: PullRequestKey,
  open: OpenChange,
  words: Words,
): Promise<void> {
  const { comments, evaluated } = words;
  const isBroken = evaluated.some(({ verdict }) => verdict === 'fail');
  const row = await rowOf(services, subject, isBroken);
  if (!row) return;
  const body = bodyOf(open.headSha, row.mark, words);
  const sum = sha256(body);
  if (row.body_sha256?.equals(sum)) return;
  const id = await write(services, subject, row, { comments, ref: open.ref, body });
  await update(services, subject, { comment_id: id, body_sha256: sum, claimed_at: null });
}

/** Whether we wrote a comment at a pull request, or were about to. */
export async function isCommented({ db }: Tx, { orgId, repositoryId, number }: PullRequestKey): Promise<boolean> {
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

/** Undefined where there is none and none is to be made. */
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

type Writing = Pick<Words, 'comments'> & Pick<OpenChange, 'ref'> & { body: string };

/** Answers the id of the comment that says it now. One that somebody deleted is written anew. */
async function write(
  services: Services,
  subject: PullRequestKey,
  row: CommentRow,
  { comments, ref, body }: Writing,
): Promise<string> {
  const { number } = subject;
  if (row.comment_id !== null) {
    const id = row.comment_id;
    const isThere = await comments.changeComment(ref, number, id, body).then(() => true, unlessGone);
    if (isThere) return id;
  }
  await claimIt(services, subject);
  const left = row.comment_id === null ? await comments.findComment(ref, number, row.mark) : undefined;
  if (left === undefined) return comments.writeComment(ref, number, body);
  await comments.changeComment(ref, number, left, body);
  return left;
}

const unlessGone = (error: unknown): false => {
  if (error instanceof HostRefused && (error.status === 404 || error.status === 410)) return false;
  throw error;
};

async function claimIt(services: Services, { orgId, repositoryId, number }: PullRequestKey): Promise<void> {
  const claimed = await services.database.withOrg(orgId, (tx) =>
    tx.query({
      name: 'policies.claim-comment',
      text: `update policy_comment set claimed_at = now() where org_id = $1 and repository_id = $2 and number = $3
             and coalesce(claimed_at < now() - make_interval(mins => ${claim}), true) returning 1`,
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

const words = { fail: 'Violation', missing_evidence: 'Missing evidence', pass: 'Compliant', waived: 'Waived' } as const;

/** Markdown that all hosts draw alike. It names nobody: what is said of people stays in Sightline. */
function bodyOf(headSha: string, mark: string, { evaluated, url }: Words): string {
  const footer = [
    `This comment is updated automatically. [Policies in Sightline](${url})`,
    // A reference that nothing refers to is drawn by no host.
    `[//]: # (sightline ${mark})`,
  ];
  if (evaluated.length === 0) return ['**Sightline:** no policy applies to this pull request.', ...footer].join('\n\n');
  const isBroken = evaluated.some(({ verdict }) => verdict === 'fail');
  const rows = evaluated.map(({ control, verdict, reasons }) => {
    const why = verdict === 'pass' ? [] : reasons.flatMap((reason) => explainReason(reason)?.text ?? []);
    return `| ${control} ${definitionOf(control).title} | **${words[verdict]}** | ${[...new Set(why)].join(' ')} |`;
  });
  return [
    `**Sightline:** ${isBroken ? 'policy violation.' : 'no known policy violations.'}`,
    `Policy results if \`${headSha.slice(0, 12)}\` were merged now:`,
    ['| Control | Result | Reason |', '|---|---|---|', ...rows].join('\n'),
    ...footer,
  ].join('\n\n');
}
