import type { Tx } from '#database/database.ts';
import { HostRefused } from '#providers/code-host.ts';
import type { HostBlame, HostPerson } from '../../../../providers/host-facts.ts';
import type { RepositoryScan, ScanKey } from './scene.ts';

/** By which commit a line came into a file, as far as known. */
export interface LineOrigin {
  commit: string;
  author: HostPerson | null;
  at: Date;
  confidence: 'observed' | 'inferred';
}

const atOnce = 10;

/** Asks the host who brought the lines of some files; without the files it cannot say it of. */
export async function blameOf(
  { host, ref }: RepositoryScan,
  commit: string,
  paths: readonly string[],
): Promise<Map<string, HostBlame[]>> {
  const found = new Map<string, HostBlame[]>();
  if (!host.blame) return found;
  for (let at = 0; at < paths.length; at += atOnce) {
    try {
      for (const [path, blame] of await host.blame(ref, commit, paths.slice(at, at + atOnce))) found.set(path, blame);
    } catch (error) {
      // The app may not read it, or the commit is gone: then our own history has to do.
      if (!(error instanceof HostRefused)) throw error;
    }
  }
  return found;
}

/** Of a line its commit; of a file as a whole the oldest that is still in it, which may not have made it. */
export function originIn(blame: readonly HostBlame[] | undefined, line: number | null): LineOrigin | undefined {
  if (line !== null) {
    const there = blame?.find(({ from, to }) => from <= line && line <= to);
    return there && originOf(there, 'observed');
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

/** The last commit known to have changed each file. */
export async function originsByHistory(
  tx: Tx,
  { orgId, repositoryId }: ScanKey,
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
