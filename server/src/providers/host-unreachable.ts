import { Refusal } from '#core/errors.ts';
import { HostFailed, HostRefused } from './code-host.ts';

/**
 * Returns the error of CodeHost for a request that `Outbound` threw: a URL that the outbound check rejects, or a host
 * that does not respond. `baseURL`: the URL that members entered.
 */
export function unreachable(baseURL: string, error: unknown): Error {
  if (!(error instanceof Refusal)) return error instanceof Error ? error : new Error(String(error));
  const { host } = new URL(baseURL);
  // A URL that is not allowed is a permanent refusal; other failures may be temporary.
  if (error.code !== 'validation_failed') return new HostFailed(`${host} could not be reached`);
  return new HostRefused(403, `${host} ${error.extra.details?.[0]?.message ?? 'cannot be called'}`);
}
