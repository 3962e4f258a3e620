import { z } from 'zod';
import { HostRefused } from '#providers/code-host.ts';
import type { GithubApi } from './client.ts';

const ref = z.object({ object: z.object({ sha: z.string() }) });
const tree = z.object({ tree: z.array(z.object({ path: z.string(), type: z.string(), sha: z.string().nullable() })) });
const blob = z.object({ encoding: z.literal('base64'), content: z.string() });

// Notes of agents list files and lines; longer notes are not read.
const MAX_BYTES = 256 * 1024;

/** Reads the git notes of agents for HostEvidence. Throws the errors of CodeHost. */
export async function readNotes(ask: GithubApi, shas: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
  const head = await ask('GET /repos/{owner}/{repo}/git/ref/{ref}', { ref: 'notes/ai' }).catch((error: unknown) => {
    if (error instanceof HostRefused && error.status === 404) return undefined;
    throw error;
  });
  if (!head || shas.length === 0) return new Map();
  const { data } = await ask('GET /repos/{owner}/{repo}/git/trees/{sha}', {
    sha: ref.parse(head.data).object.sha,
    recursive: '1',
  });
  const requested = new Set(shas);
  // With many notes, git splits the commit ID into folders.
  const found = tree.parse(data).tree.flatMap(({ path, type, sha }) => {
    const commit = path.replaceAll('/', '');
    return type === 'blob' && sha !== null && requested.has(commit) ? [{ commit, sha }] : [];
  });
  const notes = new Map<string, string | null>();
  for (const { commit, sha } of found) {
    const answer = await ask('GET /repos/{owner}/{repo}/git/blobs/{sha}', { sha });
    const note = Buffer.from(blob.parse(answer.data).content, 'base64');
    notes.set(commit, note.byteLength > MAX_BYTES ? null : note.toString('utf8'));
  }
  return notes;
}
