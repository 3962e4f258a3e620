import { type ApiCall, createClient, urlOf } from '@sightline/contract/core/client.ts';
import { errorBody } from '@sightline/contract/core/errors.ts';
import type { Provider } from '@sightline/contract/core/providers.ts';
import { type Scan, uploadSarif } from '@sightline/contract/vulnerabilities/scans.ts';
import { z } from 'zod';
import { Refusal } from '#core/errors.ts';

/** A Sightline server and an access key. */
export interface RemoteServer {
  /** Without a trailing slash. */
  url: string;
  key: string;
}

export interface RemoteUpload {
  provider: Provider;
  repoPath: string;
  query: { ref?: string; commit?: string; category?: string };
  /** Compressed with gzip. */
  file: Buffer;
}

/** The timeout of an upload. */
const UPLOAD_TIMEOUT_MS = 10 * 60_000;
const LOGS_TIMEOUT_MS = 30_000;

const refusedKey = 'The access key is not valid: wrong, expired, revoked, or for another use.';

/** Uploads a file to a Sightline server. Throws its Refusal, or `upstream_failed` without a valid response. */
export async function uploadSarifTo(
  { url, key }: RemoteServer,
  { provider, repoPath, query, file }: RemoteUpload,
): Promise<Scan[]> {
  const address = urlOf(`${url}/api`, uploadSarif, { params: { provider, repoPath }, query });
  const response = await fetch(address, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/gzip' },
    body: new Uint8Array(file),
    redirect: 'error',
    signal: AbortSignal.timeout(UPLOAD_TIMEOUT_MS),
  }).catch((error: unknown) => {
    throw unreachable(url, error);
  });
  const body: unknown = await response.json().catch(() => undefined);
  if (response.ok) return uploadSarif.response.parse(body);
  const refused = errorBody.safeParse(body).data;
  if (!refused) throw new Refusal('upstream_failed', `${url} answered ${response.status}: that is no Sightline.`);
  const { code, cause, details } = refused;
  // The message of the server does not mention access keys.
  const message = code === 'unauthenticated' ? refusedKey : refused.message;
  throw new Refusal(code, message, { ...(cause !== undefined && { cause }), ...(details && { details }) });
}

const exportAnswer = z.object({
  partialSuccess: z
    .object({ rejectedLogRecords: z.string().optional(), errorMessage: z.string().optional() })
    .optional(),
});

/** Sends log records of telemetry, as OTLP in JSON. Throws a Refusal, also if the server rejects a record. */
export async function sendLogsTo({ url, key }: RemoteServer, logs: unknown): Promise<void> {
  const response = await fetch(`${url}/v1/logs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(logs),
    redirect: 'error',
    signal: AbortSignal.timeout(LOGS_TIMEOUT_MS),
  }).catch((error: unknown) => {
    throw unreachable(url, error);
  });
  const body: unknown = await response.json().catch(() => undefined);
  const answer = exportAnswer.safeParse(body).data;
  if (response.status === 401) throw new Refusal('unauthenticated', refusedKey);
  if (!response.ok || !answer) throw new Refusal('upstream_failed', `${url} answered ${response.status}.`);
  const { partialSuccess: { errorMessage = '' } = {} } = answer;
  if (errorMessage !== '') throw new Refusal('validation_failed', `The server rejects the record: ${errorMessage}.`);
}

/** An API client for a Sightline server. */
export const remoteClient = ({ url, key }: RemoteServer): ApiCall =>
  createClient({ baseUrl: `${url}/api`, token: () => key });

function unreachable(url: string, error: unknown): Refusal {
  const { cause } = error as { cause?: { code?: string; message?: string } };
  const why = cause?.code ?? cause?.message ?? String(error);
  return new Refusal('upstream_failed', `${url} could not be reached (${why}).`);
}
