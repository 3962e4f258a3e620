import { z } from 'zod';
import { hmacCheck, type SignatureCheck } from '#core/signatures.ts';
import type { CheckmarxClient } from './client.ts';
import { CheckmarxProblem } from './problems.ts';

export interface Webhook {
  url: string;
  secret: string;
}

const events = ['scan_completed_successfully', 'scan_partial', 'scan_failed', 'project_created'];
const made = z.object({ id: z.union([z.string().min(1), z.number().transform(String)]) });

/** Has every project of the tenant tell of its scans; answers the webhook's id there. */
export async function registerWebhook(session: CheckmarxClient, { url, secret }: Webhook): Promise<string> {
  const answer = await session.send('POST', '/api/webhooks/tenant', {
    name: 'Sightline',
    active: true,
    enabledEvents: events,
    config: { url, secret, contentType: 'json', insecureSsl: false },
  });
  return made.parse(answer).id;
}

/** Takes the webhook away; one that is gone already is as good. */
export async function deleteWebhook(session: CheckmarxClient, id: string): Promise<void> {
  await session.send('DELETE', `/api/webhooks/${encodeURIComponent(id)}`).catch((error: unknown) => {
    if (!(error instanceof CheckmarxProblem && error.code === 'wrong_host')) throw error;
  });
}

/** Checks `sha256=` and the HMAC in hex or base64. */
export function checkmarxSignatureOf(secret: string, header: string): SignatureCheck | undefined {
  const text = header.replace(/^sha256=/i, '');
  return hmacCheck(secret, [Buffer.from(text, /^[0-9a-f]{64}$/i.test(text) ? 'hex' : 'base64')]);
}
