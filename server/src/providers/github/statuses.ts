import type { CodeHost } from '#providers/code-host.ts';
import type { GithubApi } from './client.ts';
import { inRepositoryOf } from './reads.ts';

/** Commit statuses, which branch protection can require before a merge. */
export const createStatuses = (asInstallation: (id: string) => GithubApi): Required<Pick<CodeHost, 'setStatus'>> => ({
  async setStatus(ref, sha, { state, context, description, url }) {
    const parameters = { sha, state, context, description, target_url: url };
    await inRepositoryOf(asInstallation)(ref)('POST /repos/{owner}/{repo}/statuses/{sha}', parameters);
  },
});
