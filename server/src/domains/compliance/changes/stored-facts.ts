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
export const actorOf = async (tx: Tx, orgId: string, person: string): Promise<Actor> =>
  (await actorsOf(tx, orgId, [person])).get(person) ?? { kind: 'unknown', identity: 'unresolved' };

/** Returns the actors of stored persons, by the stored ID. */
export async function actorsOf(tx: Tx, orgId: string, persons: readonly string[]): Promise<ReadonlyMap<string, Actor>> {
  if (persons.length === 0) return new Map();
  const rows = await tx.query<{ stored: string; id: string; erased: boolean; kind: 'human' | 'agent' | null }>({
    name: 'changes.actors',
    text: `select w.id as stored, p.id, p.erased_at is not null as erased,
             case when exists (select from identity i where i.org_id = $1 and i.person_id = p.id and i.kind = 'account') then 'human'
               else (select k.kind from person_kind k where k.org_id = $1 and k.person_id in (p.id, w.id) order by k.kind limit 1) end as kind
           from person w join person p on p.org_id = w.org_id and p.id = coalesce(w.merged_into, w.id)
           where w.org_id = $1 and w.id = any($2::uuid[])`,
    values: [orgId, [...new Set(persons)]],
  });
  return new Map(
    rows.map(({ stored, id, erased, kind }) => [
      stored,
      { kind: kind ?? 'unknown', identity: erased ? 'erased' : 'resolved', person: id },
    ]),
  );
}

/** Returns the latest version of a push; undefined if it does not exist. */
export async function findPush(tx: Tx, orgId: string, id: string): Promise<PushRow | undefined> {
  const [row] = await tx.query<PushRow>({
    name: 'changes.findPush',
    text: `select id, branch, before_sha, after_sha, pushed_at, time_source, pusher, forced, completeness, activity, commits from branch_push
           where org_id = $1 and id = $2 order by version desc limit 1`,
    values: [orgId, id],
  });
  return row;
}
