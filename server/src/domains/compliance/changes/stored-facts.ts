import type { Actor } from '@sightline/evidence/controls/persons.ts';
import type { Tx } from '#database/database.ts';
import type { HostPullRequest } from '../../../providers/host-facts.ts';
import type { PushRow } from './determine-origins.ts';

/** The stored data of a merged pull request, if the host no longer returns it. Undefined if it is not merged. */
export async function findMergedPullRequest(
  tx: Tx,
  orgId: string,
  repositoryId: string,
  number: number,
): Promise<(HostPullRequest & { authorPerson: string }) | undefined> {
  const row = await tx.db
    .selectFrom('pull_request')
    .where('org_id', '=', orgId)
    .where('repository_id', '=', repositoryId)
    .where('number', '=', number)
    .where('status', '=', 'accepted')
    .selectAll()
    .executeTakeFirst();
  if (!row) return undefined;
  return {
    number,
    title: row.title,
    state: 'accepted',
    draft: row.draft,
    author: { login: row.author_login, avatarUrl: row.author_avatar, isAgent: row.author_is_agent },
    authorPerson: row.author_person,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    mergedAt: (row.merged_at ?? row.updated_at).toISOString(),
    mergedBy: null,
    closedAt: row.closed_at?.toISOString() ?? null,
    closedBy: null,
    baseRef: row.base_ref,
    headRef: row.head_ref,
    headSha: row.head_sha,
    mergeSha: row.merge_sha,
    additions: row.additions,
    deletions: row.deletions,
    changedFiles: row.changed_files,
    commits: row.commits,
    url: row.url,
    ...(row.labels && { labels: row.labels }),
  };
}

/** Returns the actor of a stored person. */
export async function actorOf(tx: Tx, orgId: string, person: string): Promise<Actor> {
  const [row] = await tx.query<{ id: string; erased: boolean; kind: 'human' | 'agent' | null }>({
    name: 'changes.actor',
    text: `select p.id, p.erased_at is not null as erased,
             case when exists (select from identity i where i.org_id = $1 and i.person_id = p.id and i.kind = 'account') then 'human'
               else (select k.kind from person_kind k where k.org_id = $1 and k.person_id in (p.id, $2) order by k.kind limit 1) end as kind
           from person p where p.org_id = $1
             and p.id = (select coalesce(w.merged_into, w.id) from person w where w.org_id = $1 and w.id = $2)`,
    values: [orgId, person],
  });
  if (!row) return { kind: 'unknown', identity: 'unresolved' };
  return { kind: row.kind ?? 'unknown', identity: row.erased ? 'erased' : 'resolved', person: row.id };
}

/** Returns the latest version of a push; undefined if it does not exist. */
export async function findPush(tx: Tx, orgId: string, id: string): Promise<PushRow | undefined> {
  const [row] = await tx.query<PushRow>({
    name: 'changes.findPush',
    text: `select id, branch, before_sha, after_sha, pushed_at, time_source, pusher, forced, completeness, commits from branch_push
           where org_id = $1 and id = $2 order by version desc limit 1`,
    values: [orgId, id],
  });
  return row;
}
