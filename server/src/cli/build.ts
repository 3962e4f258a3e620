import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Invalid } from '#core/errors.ts';
import type { RemoteServer } from '#providers/sightline.ts';

const run = promisify(execFile);

/** The server that a build sends to. Throws `Invalid` for a missing or invalid address, or a missing key. */
export function remoteOf(url: string | undefined, key: string | undefined): RemoteServer {
  if (url === undefined) throw Invalid('--url', 'is missing, and SIGHTLINE_URL is not set');
  if (key === undefined) throw Invalid('--key', 'is missing, and SIGHTLINE_KEY is not set');
  if (!URL.canParse(url) || !/^https?:/.test(url)) throw Invalid('--url', 'must be an http(s) address');
  return { url: url.replace(/\/+$/, ''), key };
}

/** Returns the output of git in the working directory; undefined outside a checkout or a branch. */
export const git = (...args: string[]): Promise<string | undefined> =>
  run('git', args).then(
    ({ stdout }) => stdout.trim() || undefined,
    () => undefined,
  );
