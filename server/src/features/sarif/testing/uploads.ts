import { urlOf } from '@sightline/contract/client.ts';
import type { ErrorBody } from '@sightline/contract/errors.ts';
import { type Scan, uploadSarif } from '@sightline/contract/scans.ts';
import { newId } from '#core/ids.ts';
import type { TestOrganization, TestServer } from '#testing/server.ts';

export interface UploadOptions {
  token: string;
  /** `owner/name`. */
  repository: string;
  query?: { ref?: string; commit?: string; category?: string };
  headers?: Record<string, string>;
}

export interface UploadAnswer {
  status: number;
  scans: Scan[];
  refusal: ErrorBody;
}

/** Sends a file as a build does, over HTTP. */
export async function send(
  { url }: TestServer,
  file: string | Uint8Array | ReadableStream,
  { token, repository, query = {}, headers = {} }: UploadOptions,
): Promise<UploadAnswer> {
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

/** An enabled repository whose default branch is `main`. */
export async function makeRepository(server: TestServer, org: TestOrganization, fullName: string): Promise<string> {
  const id = newId();
  const [owner = '', name = ''] = fullName.split('/');
  await server.services.database.withOrg(org.id, async ({ db }) => {
    await db
      .insertInto('installation')
      .values({
        org_id: org.id,
        provider: 'github',
        installation_id: org.id,
        account_login: owner,
        html_url: `https://code.example/${owner}`,
        created_by: org.owner.id,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await db
      .insertInto('repository')
      .values({
        org_id: org.id,
        id,
        provider: 'github',
        provider_repo_id: id,
        installation_id: org.id,
        owner,
        name,
        full_name: fullName,
        default_branch: 'main',
        is_private: true,
        html_url: `https://code.example/${fullName}`,
        tracked: true,
      })
      .execute();
  });
  return id;
}
