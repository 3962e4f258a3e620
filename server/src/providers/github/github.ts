import type { GithubConfig } from '#config.ts';
import type { CodeHost } from '#providers/code-host.ts';

/** GitHub as an app sees it: reads of a code host, plus what belongs to installations. */
export interface Github extends CodeHost {
  config: GithubConfig;
}

export function createGithub(_config: GithubConfig): Github {
  throw new Error('not built yet');
}
