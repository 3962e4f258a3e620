export interface Remote {
  /** In lower case, without a port. */
  host: string;
  /** `acme/api`. */
  path: string;
}

/** Host and path of a git remote, however it is written; undefined for a folder, or for what is no address. */
export function remoteOf(address: string): Remote | undefined {
  const given = address.trim();
  const found = given.includes('://') ? byUrl(given) : (scp.exec(given) ?? plain.exec(given))?.slice(1);
  if (!found) return undefined;
  const [host = '', path = ''] = found;
  const clean = path.replace(/^\/+|\/+$/g, '').replace(/\.git$/i, '');
  if (host === '' || clean === '') return undefined;
  return { host: hosts[host.toLowerCase()] ?? host.toLowerCase(), path: clean };
}

// git@github.com:acme/api.git, and what clients send that took everything else away already: github.com/acme/api
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

/** Where hosts offer ssh through the port of https. */
const hosts: Record<string, string> = {
  'ssh.github.com': 'github.com',
  'altssh.gitlab.com': 'gitlab.com',
  'altssh.bitbucket.org': 'bitbucket.org',
};
