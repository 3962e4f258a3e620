import { hex } from './encoding.ts';
import { clipboardKindOf } from './kind.ts';

/** Identifiers of a copy, without its text. */
export interface ClipboardFacts {
  /** UTF-16 units, as editors count. */
  length: string;
  /** HMAC-SHA-256 with the installation's salt; absent for text that looks like a secret, or is too short. */
  sha256?: string;
  kind: ReturnType<typeof clipboardKindOf>;
}

const shortest = 8;

/**
 * The recorded facts of a copied text. The salt stays on this machine, so that others cannot guess texts from the hash.
 */
export async function clipboardFacts(text: string, salt: Uint8Array<ArrayBuffer>): Promise<ClipboardFacts> {
  const kind = clipboardKindOf(text);
  const facts = { length: String(text.length), kind };
  if (kind === 'secret-like' || text.length < shortest) return facts;
  const key = await crypto.subtle.importKey('raw', salt, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const digest = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text));
  return { ...facts, sha256: hex(new Uint8Array(digest)) };
}

/** A new salt. Created once per installation and stored with its queue. */
export const newSalt = (): Uint8Array<ArrayBuffer> => crypto.getRandomValues(new Uint8Array(32));

/**
 * Host and path of a git remote, without user, password, port, query and `.git`: `github.com/acme/api`. Undefined for a
 * local folder and an invalid URL.
 */
export function redactRemote(remote: string): string | undefined {
  const parts = /^[a-z][a-z0-9+.-]*:\/\//i.test(remote) ? partsOfUrl(remote) : partsOfScp(remote);
  if (!parts) return undefined;
  const path = parts.path
    .split(/[?#]/, 1)
    .join('')
    .replace(/\.git\/?$/, '')
    .split('/')
    .filter((part) => part !== '')
    .join('/');
  const host = parts.host.toLowerCase();
  return path === '' ? undefined : `${sshHosts[host] ?? host}/${path}`;
}

/** Hosts for SSH over the HTTPS port. */
const sshHosts: Record<string, string> = {
  'ssh.github.com': 'github.com',
  'altssh.gitlab.com': 'gitlab.com',
  'altssh.bitbucket.org': 'bitbucket.org',
};

function partsOfUrl(remote: string) {
  if (!URL.canParse(remote)) return undefined;
  const { protocol, host, hostname, pathname } = new URL(remote);
  // URL keeps the port in `host` for unknown schemes, which may have no `hostname`.
  const name = hostname || host.replace(/:\d+$/, '');
  return protocol === 'file:' || name === '' ? undefined : { host: name, path: safelyDecoded(pathname) };
}

/** `git@host:owner/repo.git`. A Windows path has a single letter before its colon. */
function partsOfScp(remote: string) {
  const [, host, path] = /^(?:[^@/\\]+@)?([a-z0-9][a-z0-9.-]+):(?!\\)(.+)$/i.exec(remote) ?? [];
  return host === undefined || path === undefined ? undefined : { host, path };
}

function safelyDecoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
