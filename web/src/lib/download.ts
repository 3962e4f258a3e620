import { ApiError, urlOf } from '@sightline/contract/core/client.ts';
import type { CallInput, Endpoint } from '@sightline/contract/core/endpoint.ts';
import { accessToken, loseSession } from './session.ts';

interface DownloadOptions {
  /** Stops it; nothing is saved then. */
  signal: AbortSignal;
  /** Called as lines arrive; `total` is what the server expects, 0 where it does not say. */
  onLines: (lines: number, total: number) => void;
}

/**
 * Takes a file of any size and hands it to the browser to save, whole or not at all. Throws ApiError as calls do, also
 * for a connection that broke on the way. Answers how many lines came.
 */
export async function download<E extends Endpoint & { file: readonly string[] }>(
  endpoint: E,
  input: CallInput<E>,
  { signal, onLines }: DownloadOptions,
): Promise<number> {
  const url = urlOf('/api', endpoint, input);
  const token = await accessToken();
  const lost = (reason: unknown) => {
    if (signal.aborted) throw reason;
    throw new ApiError(url, 0, {
      message: 'The connection was lost. Nothing was saved.',
      cause: String(reason),
    });
  };
  const { body } = input as { body?: object };
  const answer = await window
    .fetch(url, {
      signal,
      method: endpoint.method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    .catch(lost);
  if (answer.status === 401) loseSession();
  if (!answer.ok) throw new ApiError(url, answer.status, await answer.json().catch(() => undefined));
  const total = Number(answer.headers.get('x-total-count') ?? 0);
  const { blob, lines } = await gather(answer, (count) => onLines(count, total)).catch(lost);
  saveFile(blob, nameOf(answer));
  return lines;
}

async function gather(answer: Response, onLines: (lines: number) => void): Promise<{ blob: Blob; lines: number }> {
  const type = answer.headers.get('content-type') ?? 'application/octet-stream';
  // A browser keeps a large blob on disk, but a list of many pieces in memory: join them as they come.
  let blob = new Blob([], { type });
  let pieces: Uint8Array<ArrayBuffer>[] = [];
  let [held, lines] = [0, 0];
  const reader = answer.body?.getReader();
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    pieces.push(next.value);
    held += next.value.length;
    lines += next.value.reduce((sum, byte) => (byte === newline ? sum + 1 : sum), 0);
    onLines(lines);
    if (held < pieceSize) continue;
    blob = new Blob([blob, ...pieces], { type });
    [pieces, held] = [[], 0];
  }
  return { blob: new Blob([blob, ...pieces], { type }), lines };
}

const newline = 10;
const pieceSize = 8 * 1024 * 1024;

const nameOf = (answer: Response) =>
  /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1] ?? 'download';

/** Has the browser save what is there already. */
export function saveFile(blob: Blob, name: string): void {
  const href = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = href;
  link.download = name;
  link.click();
  // Not at once: the browser may still be reading.
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}
