import { z } from 'zod';
import type { CodeHost } from '#providers/code-host.ts';
import type { ReviewedPullRequest } from '../host-facts.ts';
import type { GithubClients } from './client.ts';
import { createGraphqlQuery, queryInChunks, repositoryFieldsOf } from './graphql.ts';
import { closedByFromIssue, pullRequestFrom, reviewFrom } from './pull-request-shapes.ts';

// Each has up to 100 reviews and 100 labels, and GitHub cancels a query after ten seconds.
const PER_QUERY = 20;

/**
 * Reads many pull requests with reviews by GraphQL, because REST needs up to three requests for each. Omits those that
 * REST returns in more detail: with a deleted account, or with more than 100 reviews or labels.
 */
export function createPullRequestLists(
  apiUrl: string,
  { asInstallationOften }: GithubClients,
): NonNullable<CodeHost['getPullRequests']> {
  const question = createGraphqlQuery(apiUrl);
  return async ({ installationId, owner, name }, numbers) => {
    const ask = asInstallationOften(installationId);
    const found = new Map<number, ReviewedPullRequest>();
    await queryInChunks(numbers, PER_QUERY, async (chunk) => {
      const variables = Object.fromEntries(chunk.map((number, index) => [`n${index}`, number]));
      const answered = await repositoryFieldsOf(question(ask, queryOf(chunk.length), { owner, name, ...variables }));
      chunk.forEach((number, index) => {
        const read = pullRequestOf(answered[`p${index}`]);
        if (read) found.set(number, read);
      });
    });
    return found;
  };
}

const fragment = `fragment account on Actor { __typename login avatarUrl ... on User { databaseId } ... on Bot { databaseId } }
fragment wanted on PullRequest {
  number title state isDraft createdAt updatedAt mergedAt closedAt url body isCrossRepository
  baseRefName headRefName headRefOid mergeCommit { oid } additions deletions changedFiles commits { totalCount }
  author { ...account } mergedBy { ...account }
  labels(first: 100) { nodes { name } pageInfo { hasNextPage } }
  reviews(first: 100) { nodes { fullDatabaseId state submittedAt commit { oid } author { ...account } } pageInfo { hasNextPage } }
  timelineItems(last: 1, itemTypes: [CLOSED_EVENT]) { nodes { ... on ClosedEvent { actor { ...account } } } }
}`;

const queryOf = (count: number): string => {
  const all = Array.from({ length: count }, (_, index) => index);
  return `query ($owner: String!, $name: String!, ${all.map((at) => `$n${at}: Int!`).join(', ')}) {
  repository(owner: $owner, name: $name) {
    ${all.map((at) => `p${at}: pullRequest(number: $n${at}) { ...wanted }`).join('\n    ')}
  }
}
${fragment}`;
};

/** Converts an account to the format of REST. A deleted account is null here and a placeholder account in REST. */
const account = z
  .object({
    __typename: z.enum(['User', 'Bot']),
    login: z.string(),
    avatarUrl: z.string(),
    databaseId: z.number().int(),
  })
  .transform(({ __typename: type, login, avatarUrl, databaseId }) => ({
    id: databaseId,
    login: type === 'Bot' ? `${login}[bot]` : login,
    avatar_url: avatarUrl,
    type,
  }));
const allOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ nodes: z.array(item), pageInfo: z.object({ hasNextPage: z.literal(false) }) });
const oid = z.object({ oid: z.string() }).nullable();

const listed = z.object({
  number: z.number(),
  title: z.string(),
  body: z.string(),
  url: z.string(),
  isCrossRepository: z.boolean(),
  isDraft: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
  mergedAt: z.string().nullable(),
  closedAt: z.string().nullable(),
  mergeCommit: oid,
  baseRefName: z.string(),
  headRefName: z.string(),
  headRefOid: z.string(),
  additions: z.number(),
  deletions: z.number(),
  changedFiles: z.number(),
  commits: z.object({ totalCount: z.number() }),
  author: account,
  mergedBy: account.nullable(),
  state: z.enum(['OPEN', 'CLOSED', 'MERGED']),
  labels: allOf(z.object({ name: z.string() })),
  reviews: allOf(
    z.object({
      fullDatabaseId: z.string().regex(/^[0-9]+$/),
      state: z.string(),
      submittedAt: z.string().nullable(),
      commit: oid,
      author: account,
    }),
  ),
  timelineItems: z.object({ nodes: z.array(z.object({ actor: account.nullable() })) }),
});

/** Undefined for a pull request that must be read by REST. */
function pullRequestOf(json: unknown): ReviewedPullRequest | undefined {
  const found = listed.safeParse(json).data;
  if (!found) return undefined;
  const { state, mergedBy, timelineItems } = found;
  const closedBy = timelineItems.nodes[0]?.actor ?? null;
  if ((state === 'MERGED' && !mergedBy) || (state === 'CLOSED' && !closedBy)) return undefined;
  const restPullRequest = {
    number: found.number,
    title: found.title,
    body: found.body,
    html_url: found.url,
    draft: found.isDraft,
    state: state === 'OPEN' ? 'open' : 'closed',
    user: found.author,
    merged_by: mergedBy,
    created_at: found.createdAt,
    updated_at: found.updatedAt,
    merged_at: found.mergedAt,
    closed_at: found.closedAt,
    merge_commit_sha: found.mergeCommit?.oid,
    labels: found.labels.nodes,
    base: { ref: found.baseRefName },
    head: { ref: found.headRefName, sha: found.headRefOid },
    additions: found.additions,
    deletions: found.deletions,
    changed_files: found.changedFiles,
    commits: found.commits.totalCount,
  };
  const reviews = found.reviews.nodes.flatMap(
    ({ fullDatabaseId, author, state, submittedAt, commit }) =>
      reviewFrom({
        id: BigInt(fullDatabaseId),
        user: author,
        state,
        submitted_at: submittedAt,
        commit_id: commit?.oid,
      }) ?? [],
  );
  const pullRequest = pullRequestFrom(restPullRequest, closedByFromIssue({ closed_by: closedBy }));
  return { pullRequest: { ...pullRequest, isFromFork: found.isCrossRepository }, reviews };
}
