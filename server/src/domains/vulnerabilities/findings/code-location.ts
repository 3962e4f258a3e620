import type { Provider } from '@sightline/contract/core/providers.ts';
import { sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import { NotFound } from '#core/errors.ts';
import type { Tx } from '#database/database.ts';
import type { FileOffset } from '#providers/scanner.ts';
import type { HostRef } from '../../../providers/host-facts.ts';
import { mergedIntoId } from '../triage/queries.ts';
import { requireVisibleFinding } from './queries.ts';

/** The location of the code of a finding. */
export interface FindingCodeLocation {
  repositoryId: string;
  provider: Provider;
  /** Whether Sightline still has access to the repository. */
  isAccessible: boolean;
  host: HostRef;
  ref: string;
  commit: string | null;
  path: string | null;
  line: number | null;
  endLine: number | null;
  /** Set if the scanner reports characters or bytes instead of lines. */
  offset: FileOffset | null;
  category: string;
  /** The name of the dependency, if the finding is about one. */
  packageName: string | null;
  /** Lines of the file in which a secret was found. */
  secretLines: readonly { from: number; to: number }[];
}

/** Returns the code location of a finding. Throws 404 for a finding outside the actor's scope. */
export async function findCodeLocation(tx: Tx, actor: Actor, requestedId: string): Promise<FindingCodeLocation> {
  const { orgId } = actor;
  const id = (await mergedIntoId(tx, orgId, requestedId)) ?? requestedId;
  await requireVisibleFinding(tx, actor, id);
  const { rows } = await sql<SnippetRow>`
    select f.repository_id, f.ref, f.commit_sha, f.path, f.line, f.end_line, f.category, s.package,
      d.detail::jsonb #> '{evidence,region,offset}' as offset,
      r.provider, r.installation_id, r.owner, r.name, r.removed_at is null and exists (
        select from installation i where i.org_id = r.org_id and i.provider = r.provider
          and i.installation_id = r.installation_id and i.deleted_at is null and i.suspended_at is null) as shown
    from finding f
    join repository r on r.org_id = f.org_id and r.id = f.repository_id
    left join finding_source s on s.org_id = f.org_id and s.repository_id = f.repository_id and s.fingerprint = f.fingerprint
    left join finding_detail d on d.org_id = f.org_id and d.repository_id = f.repository_id and d.fingerprint = f.fingerprint
    where f.org_id = ${orgId} and f.id = ${id}::uuid`.execute(tx.db);
  const [row] = rows;
  if (!row) throw NotFound('Vulnerability');
  return {
    repositoryId: row.repository_id,
    provider: row.provider,
    isAccessible: row.shown,
    host: { installationId: row.installation_id, owner: row.owner, name: row.name },
    ref: row.ref,
    commit: row.commit_sha,
    path: row.path,
    line: row.line,
    endLine: row.end_line,
    offset: row.offset,
    category: row.category,
    packageName: row.package,
    secretLines: row.path === null ? [] : await secretLinesOf(tx, orgId, row.repository_id, row.path),
  };
}

interface SnippetRow {
  repository_id: string;
  ref: string;
  commit_sha: string | null;
  path: string | null;
  line: number | null;
  end_line: number | null;
  offset: FileOffset | null;
  category: string;
  package: string | null;
  provider: Provider;
  installation_id: string;
  owner: string;
  name: string;
  shown: boolean;
}

const secretLinesOf = (tx: Tx, orgId: string, repositoryId: string, path: string) =>
  tx.query<{ from: number; to: number }>({
    name: 'findings.secrets',
    text: `select distinct i.line as from, greatest(i.end_line, i.line) as to
           from finding_instance i join finding f on f.org_id = $1 and f.id = i.finding_id
           where i.org_id = $1 and i.repository_id = $2 and i.path = $3 and i.line is not null and i.state <> 'fixed'
             and f.category = 'secret'`,
    values: [orgId, repositoryId, path],
  });
