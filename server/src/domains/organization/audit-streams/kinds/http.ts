import type { AuditStreamFailure } from '@sightline/contract/organization/audit-streams.ts';
import { Refusal } from '#core/errors.ts';
import { type Outbound, retryAfterSeconds } from '#core/outbound.ts';
import { DeliveryFailed } from '../kind.ts';

interface Request {
  method: 'POST' | 'PUT';
  url: string;
  headers: Record<string, string>;
  body: string;
}

// No text of a response is shown to users.
const limits = { timeout: 30_000, size: 1024, cut: true };

/** Sends a request that must be answered with success. Throws `DeliveryFailed` otherwise. */
export async function sendRequest(outbound: Outbound, { url, headers, ...request }: Request): Promise<void> {
  const answer = await outbound
    .fetch('settings.url', url, { ...request, headers: { 'user-agent': 'Sightline-Audit/1', ...headers } }, limits)
    .catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
      throw new DeliveryFailed(error.code === 'upstream_failed' ? 'unreachable' : 'address_refused');
    });
  const reason = reasonOf(answer.status);
  if (reason) throw new DeliveryFailed(reason, retryAfterSeconds(answer.headers));
}

function reasonOf(status: number): AuditStreamFailure | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status >= 300 && status < 400) return 'redirected';
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 404 || status === 410) return 'not_found';
  if (status === 408) return 'timed_out';
  if (status === 429) return 'rate_limited';
  return status >= 500 ? 'server_error' : 'rejected';
}
