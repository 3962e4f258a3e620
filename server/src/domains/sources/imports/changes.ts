import { type CodeHost, HostRefused } from '#providers/code-host.ts';
import type { HostCommit, HostRef } from '../../../providers/host-facts.ts';

/** What a commit changed; undefined for one that the host no longer knows since a branch was rewritten. */
export const changesOf = (host: CodeHost, ref: HostRef, sha: string): Promise<HostCommit['changes']> =>
  host.getCommit(ref, sha).then(
    (commit) => commit.changes,
    (error: unknown) => {
      if (error instanceof HostRefused && (error.status === 404 || error.status === 422)) return undefined;
      throw error;
    },
  );
