interface CodeLocation {
  html_url: string;
  provider: string;
  commit_sha: string;
  path: string;
  line: number | null;
}

/** Where the code host shows a line as it was at a commit; null for an address that is none of the web. */
export function codeUrlOf({ html_url, provider, commit_sha, path, line }: CodeLocation): string | null {
  if (!html_url.startsWith('https://') && !html_url.startsWith('http://')) return null;
  const file = path.split('/').map(encodeURIComponent).join('/');
  const at = encodeURIComponent(commit_sha);
  if (provider === 'bitbucket') return `${html_url}/src/${at}/${file}${line === null ? '' : `#lines-${line}`}`;
  const blob = provider === 'gitlab' ? '/-/blob' : '/blob';
  return `${html_url}${blob}/${at}/${file}${line === null ? '' : `#L${line}`}`;
}
