export interface RemoteAddress {
  /** Lower case, without a port. */
  host: string;
  /** Path, such as `acme/api`. */
  path: string;
}

/** Parses host and path of a git remote in any notation; undefined for a folder or another text. */
export function parseGitRemote(address: string): RemoteAddress | undefined {
  const given = address.trim();
  const found = given.includes('://') ? byUrl(given) : (scp.exec(given) ?? plain.exec(given))?.slice(1);
  if (!found) return undefined;
  const [host = '', path = ''] = found;
  const clean = path.replace(/^\/+|\/+$/g, '').replace(/\.git$/i, '');
  if (host === '' || clean === '') return undefined;
  return { host: hosts[host.toLowerCase()] ?? host.toLowerCase(), path: clean };
}

// git@github.com:acme/api.git, and the reduced form of some clients: github.com/acme/api
const scp = /^(?:[^@/\s:]+@)?([\w.-]{2,}):(?!\/\/)([^\s:]+)$/;
const plain = /^([\w-]+(?:\.[\w-]+)+)(?::\d+)?(\/\S+)$/;

function byUrl(given: string): string[] | undefined {
  if (!URL.canParse(given)) return undefined;
  const { hostname, pathname } = new URL(given);
  return [hostname, decoded(pathname)];
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Hosts that provide SSH over the HTTPS port. */
const hosts: Record<string, string> = {
  'ssh.github.com': 'github.com',
  'altssh.gitlab.com': 'gitlab.com',
  'altssh.bitbucket.org': 'bitbucket.org',
};
