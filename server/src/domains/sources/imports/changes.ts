import { type CodeHost, HostRefused } from '#providers/code-host.ts';
import type { HostCommit, HostRef } from '../../../providers/host-facts.ts';

/** The changes of a commit; undefined if the host no longer has it, for example after a forced push. */
export const readCommitChanges = (host: CodeHost, ref: HostRef, sha: string): Promise<HostCommit['changes']> =>
  (host.getChanges?.(ref, sha) ?? host.getCommit(ref, sha).then((commit) => commit.changes)).catch((error: unknown) => {
    if (error instanceof HostRefused && (error.status === 404 || error.status === 422)) return undefined;
    throw error;
  });
