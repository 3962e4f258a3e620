import { ApiError, urlOf } from '@sightline/contract/core/client.ts';
import type { CallInput, Endpoint } from '@sightline/contract/core/endpoint.ts';
import { accessToken, restartSession } from './session.ts';
import { withStepUp } from './step-up.ts';

interface DownloadOptions {
  /** Cancels the download without saving. */
  signal?: AbortSignal;
  /** Called as lines arrive; `total` is the number that the server announced, 0 if unknown. */
  onLines?: (lines: number, total: number) => void;
}

type FileEndpoint = Endpoint & { file: readonly string[] };

/**
 * Downloads a file of any size and saves it with the browser, completely or not at all. Throws ApiError as requests do,
 * also for an interrupted connection. Asks for a sign-in if the endpoint needs a recent one. Returns the number of lines.
 */
export const download = <E extends FileEndpoint>(
  endpoint: E,
  input: CallInput<E>,
  options: DownloadOptions = {},
): Promise<number> => withStepUp(() => downloadOnce(endpoint, input, options));

async function downloadOnce<E extends FileEndpoint>(
  endpoint: E,
  input: CallInput<E>,
  { signal, onLines = () => undefined }: DownloadOptions,
): Promise<number> {
  const url = urlOf('/api', endpoint, input);
  const token = await accessToken();
  const lost = (reason: unknown) => {
    if (signal?.aborted) throw reason;
    throw new ApiError(url, 0, {
      message: 'The connection was lost. Nothing was saved.',
      cause: String(reason),
    });
  };
  const { body } = input as { body?: object };
  const answer = await window
    .fetch(url, {
      ...(signal && { signal }),
      method: endpoint.method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    .catch(lost);
  if (answer.status === 401) restartSession();
  if (!answer.ok) throw new ApiError(url, answer.status, await answer.json().catch(() => undefined));
  const total = Number(answer.headers.get('x-total-count') ?? 0);
  const { blob, lines } = await gather(answer, (count) => onLines(count, total)).catch(lost);
  saveFile(blob, nameOf(answer));
  return lines;
}

async function gather(answer: Response, onLines: (lines: number) => void): Promise<{ blob: Blob; lines: number }> {
  const type = answer.headers.get('content-type') ?? 'application/octet-stream';
  // Joined as they arrive: browsers store a large blob on disk, but a list of many pieces in memory.
  let blob = new Blob([], { type });
  let pieces: Uint8Array<ArrayBuffer>[] = [];
  let [pendingBytes, lines] = [0, 0];
  const reader = answer.body?.getReader();
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    pieces.push(next.value);
    pendingBytes += next.value.length;
    lines += next.value.reduce((sum, byte) => (byte === newline ? sum + 1 : sum), 0);
    onLines(lines);
    if (pendingBytes < pieceSize) continue;
    blob = new Blob([blob, ...pieces], { type });
    [pieces, pendingBytes] = [[], 0];
  }
  return { blob: new Blob([blob, ...pieces], { type }), lines };
}

const newline = 10;
const pieceSize = 8 * 1024 * 1024;

const nameOf = (answer: Response) =>
  /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1] ?? 'download';

/** Saves an existing blob with the browser. */
export function saveFile(blob: Blob, name: string): void {
  const href = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = href;
  link.download = name;
  link.click();
  // Deferred, since the browser may still be reading.
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}
