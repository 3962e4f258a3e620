interface CodeLocation {
  html_url: string;
  provider: string;
  commit_sha: string;
  path: string;
  line: number | null;
}

/** Returns the URL of a line at a commit on the code host; null if the repository URL is not HTTP(S). */
export function detectionUrl({ html_url, provider, commit_sha, path, line }: CodeLocation): string | null {
  if (!html_url.startsWith('https://') && !html_url.startsWith('http://')) return null;
  const file = path.split('/').map(encodeURIComponent).join('/');
  const at = encodeURIComponent(commit_sha);
  if (provider === 'bitbucket') return `${html_url}/src/${at}/${file}${line === null ? '' : `#lines-${line}`}`;
  const blob = provider === 'gitlab' ? '/-/blob' : '/blob';
  return `${html_url}${blob}/${at}/${file}${line === null ? '' : `#L${line}`}`;
}
