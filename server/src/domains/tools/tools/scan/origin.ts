import type { Tx } from '#database/database.ts';
import { HostRefused } from '#providers/code-host.ts';
import type { HostBlame, HostPerson } from '../../../../providers/host-facts.ts';
import type { RepositoryScan, ToolScanKey } from './scene.ts';

/** The commit that added a line to a file, as far as known. */
export interface LineOrigin {
  commit: string;
  author: HostPerson | null;
  at: Date;
  confidence: 'observed' | 'inferred';
}

const FILES_PER_REQUEST = 10;

/** Requests the blame of files from the host; omits files that it cannot blame. */
export async function blameFiles(
  { host, ref }: RepositoryScan,
  commit: string,
  paths: readonly string[],
): Promise<Map<string, HostBlame[]>> {
  const found = new Map<string, HostBlame[]>();
  if (!host.blame) return found;
  for (let at = 0; at < paths.length; at += FILES_PER_REQUEST) {
    try {
      for (const [path, blame] of await host.blame(ref, commit, paths.slice(at, at + FILES_PER_REQUEST)))
        found.set(path, blame);
    } catch (error) {
      // The app has no permission, or the commit no longer exists: the imported history is used instead.
      if (!(error instanceof HostRefused)) throw error;
    }
  }
  return found;
}

/** Returns the commit of a line; for an entire file, the oldest commit in its blame, which may not have created it. */
export function lineOriginInBlame(
  blame: readonly HostBlame[] | undefined,
  line: number | null,
): LineOrigin | undefined {
  if (line !== null) {
    const blamed = blame?.find(({ from, to }) => from <= line && line <= to);
    return blamed && originOf(blamed, 'observed');
  }
  const oldest = blame?.reduce<HostBlame | undefined>(
    (one, other) => (one && one.commit.authoredAt <= other.commit.authoredAt ? one : other),
    undefined,
  );
  return oldest && originOf(oldest, 'inferred');
}

const originOf = ({ commit }: HostBlame, confidence: LineOrigin['confidence']): LineOrigin => ({
  commit: commit.sha,
  author: commit.author,
  at: new Date(commit.authoredAt),
  confidence,
});

interface CommitRow {
  [column: string]: unknown;
  path: string;
  sha: string;
  name: string;
  email: string;
  login: string | null;
  at: Date;
}

/** Returns the last known commit that changed each file. */
export async function lineOriginsFromHistory(
  tx: Tx,
  { orgId, repositoryId }: ToolScanKey,
  paths: readonly string[],
): Promise<Map<string, LineOrigin>> {
  if (paths.length === 0) return new Map();
  const rows = await tx.query<CommitRow>({
    name: 'tools.history',
    text: `select distinct on (path) f.file ->> 'path' as path, c.sha, c.author_name as name, c.author_email as email,
             c.author_login as login, c.authored_at as at
           from commit c cross join lateral jsonb_array_elements(case jsonb_typeof(c.files) when 'array' then c.files else '[]' end) as f(file)
           where c.org_id = $1 and c.repository_id = $2 and f.file ->> 'path' = any($3::text[])
           order by path, c.committed_at desc, c.sha`,
    values: [orgId, repositoryId, [...paths]],
  });
  return new Map(
    rows.map(({ path, sha, name, email, login, at }) => [
      path,
      { commit: sha, author: { name, email, login, avatarUrl: null }, at, confidence: 'inferred' as const },
    ]),
  );
}
