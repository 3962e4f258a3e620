import { urlOf } from '@sightline/contract/core/client.ts';
import type { ErrorBody } from '@sightline/contract/core/errors.ts';
import { type Scan, uploadSarif } from '@sightline/contract/vulnerabilities/scans.ts';
import type { TestServer } from '#testing/server.ts';

export interface UploadOptions {
  token: string;
  /** `owner/name`. */
  repository: string;
  query?: { ref?: string; commit?: string; category?: string };
  headers?: Record<string, string>;
}

export interface UploadResponse {
  status: number;
  scans: Scan[];
  refusal: ErrorBody;
}

/** Uploads a file over HTTP, as a build does. */
export async function sendUpload(
  { url }: TestServer,
  file: string | Uint8Array | ReadableStream,
  { token, repository, query = {}, headers = {} }: UploadOptions,
): Promise<UploadResponse> {
  const params = { provider: 'github', repoPath: repository } as const;
  const response = await fetch(urlOf(`${url}/api`, uploadSarif, { params, query }), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/sarif+json', ...headers },
    body: file,
    ...(file instanceof ReadableStream && { duplex: 'half' }),
  } as RequestInit);
  const body = (await response.json()) as never;
  return { status: response.status, scans: response.ok ? body : [], refusal: body };
}
