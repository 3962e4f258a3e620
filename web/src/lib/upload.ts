import { ApiError, urlOf } from '@sightline/contract/core/client.ts';
import type { CallInput, CallOutput, Endpoint } from '@sightline/contract/core/endpoint.ts';
import { accessToken, restartSession } from './session.ts';
import { reportChanges } from './topics.ts';

export interface UploadOptions {
  signal: AbortSignal;
  /** The sent share from 0 to 1; 1 while the server processes it. */
  onSent: (part: number) => void;
  /** Sends the bytes as they are. */
  isStored?: boolean;
}

/**
 * Uploads a file, compressed unless it is stored: scan results shrink to a tenth. Throws ApiError as `call`
 * does; with status 0 for a lost connection.
 */
export async function upload<E extends Endpoint & { upload: object }>(
  endpoint: E,
  input: CallInput<E>,
  file: Blob,
  { signal, onSent, isStored = false }: UploadOptions,
): Promise<CallOutput<E>> {
  const url = urlOf('/api', endpoint, input);
  const body = isStored ? file : await packed(file);
  const token = await accessToken();
  signal.throwIfAborted();
  const { status, answer } = await new Promise<{ status: number; answer: unknown }>((resolve, reject) => {
    // fetch does not report upload progress.
    const request = new XMLHttpRequest();
    request.open('POST', url);
    request.setRequestHeader('content-type', 'application/octet-stream');
    if (token !== undefined) request.setRequestHeader('authorization', `Bearer ${token}`);
    request.upload.onprogress = ({ loaded, total }) => onSent(total === 0 ? 1 : loaded / total);
    request.onload = () => resolve({ status: request.status, answer: parsed(request.responseText) });
    request.onerror = () =>
      reject(new ApiError(url, 0, { message: 'The server could not be reached. Check your connection.' }));
    request.onabort = () => reject(signal.reason);
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(body);
  }).finally(() => reportChanges(endpoint));
  if (status >= 200 && status < 300) return endpoint.response.parse(answer) as CallOutput<E>;
  if (status === 401) restartSession();
  throw new ApiError(url, status, answer);
}

/** Unchanged if already compressed, which the server detects by the first bytes. */
async function packed(file: Blob): Promise<Blob> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  if (first === 0x1f && second === 0x8b) return file;
  return new Response(file.stream().pipeThrough(new CompressionStream('gzip'))).blob();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
