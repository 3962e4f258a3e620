import { z } from 'zod';
import { hmacCheck, type SignatureCheck } from '#core/signatures.ts';
import { ScannerProblem, type ScannerWebhook } from '../scanner-connector.ts';
import type { CheckmarxClient } from './client.ts';

const events = ['scan_completed_successfully', 'scan_partial', 'scan_failed', 'project_created'];
const createdWebhook = z.object({ id: z.union([z.string().min(1), z.number().transform(String)]) });

/** Creates a webhook for the scans of all projects of the tenant. Returns its ID. */
export async function registerWebhook(session: CheckmarxClient, { url, secret }: ScannerWebhook): Promise<string> {
  const answer = await session.send('POST', '/api/webhooks/tenant', {
    name: 'Sightline',
    active: true,
    enabledEvents: events,
    config: { url, secret, contentType: 'json', insecureSsl: false },
  });
  return createdWebhook.parse(answer).id;
}

/** Deletes the webhook. Succeeds if it is already deleted. */
export async function deleteWebhook(session: CheckmarxClient, id: string): Promise<void> {
  await session.send('DELETE', `/api/webhooks/${encodeURIComponent(id)}`).catch((error: unknown) => {
    if (!(error instanceof ScannerProblem && error.code === 'wrong_host')) throw error;
  });
}

/** Parses a signature header: `sha256=` with the HMAC in hexadecimal or Base64. */
export function checkmarxSignatureOf(secret: string, header: string): SignatureCheck | undefined {
  const text = header.replace(/^sha256=/i, '');
  return hmacCheck(secret, [Buffer.from(text, /^[0-9a-f]{64}$/i.test(text) ? 'hex' : 'base64')]);
}
