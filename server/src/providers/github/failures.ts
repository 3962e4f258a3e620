import { RequestError } from 'octokit';
import { HostFailed, HostLimited, HostRefused } from '#providers/code-host.ts';

/** The longest wait within a request in seconds. For longer ones, the caller postpones its work. */
export const LONGEST_WAIT_SECONDS = 5;

// 409: an empty repository; 422: an unknown commit.
const refusing = [401, 403, 404, 409, 410, 422, 451];

/**
 * Converts the error of a request to GitHub. The error of Octokit is not passed on, because it contains the request
 * with its credentials.
 */
export function githubFailureFrom(error: unknown): unknown {
  if (!(error instanceof RequestError)) return error;
  const { status, response, message } = error;
  if (status === 403 || status === 429) {
    const until = limitedUntil(status, message, response?.headers ?? {});
    if (until) return new HostLimited(until);
  }
  // Only our own message about a redirect is passed on: network errors may contain internal addresses.
  if (!response)
    return new HostFailed(message.startsWith('GitHub redirected to ') ? message : 'GitHub could not be reached');
  // The message of a server error may contain internals, such as file paths.
  return refusing.includes(status)
    ? new HostRefused(status, `GitHub answered ${status}: ${message}`)
    : new HostFailed(`GitHub answered ${status}`);
}

type Headers = Readonly<Record<string, string | number | undefined>>;

// In the order that GitHub recommends: retry-after, then the reset time, then one minute.
function limitedUntil(status: number, message: string, headers: Headers): Date | undefined {
  const after = Number(headers['retry-after']);
  if (after > 0) return new Date(Date.now() + after * 1000);
  const reset = Number(headers['x-ratelimit-reset']);
  if (String(headers['x-ratelimit-remaining']) === '0' && reset > 0) return new Date(reset * 1000);
  return status === 429 || /\b(secondary )?rate limit\b/i.test(message) ? new Date(Date.now() + 60_000) : undefined;
}
