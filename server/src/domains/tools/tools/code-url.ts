import { codeAddressOf } from '#core/code-address.ts';

interface CodeLocation {
  html_url: string;
  provider: string;
  commit_sha: string;
  path: string;
  line: number | null;
}

/** Returns the URL of a line at a commit on the code host; null if the repository URL is not HTTP(S). */
export const detectionUrl = ({ html_url, provider, commit_sha, path, line }: CodeLocation): string | null =>
  codeAddressOf(provider, html_url, { at: commit_sha, path, line });
