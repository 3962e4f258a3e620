import { z } from 'zod';
import { HostRefused } from '#providers/code-host.ts';
import type { Ask } from './client.ts';

const ref = z.object({ object: z.object({ sha: z.string() }) });
const tree = z.object({ tree: z.array(z.object({ path: z.string(), type: z.string(), sha: z.string().nullable() })) });
const blob = z.object({ encoding: z.literal('base64'), content: z.string() });

/**
 * Which agent wrote for some commits, as the notes of git-ai on them say. Empty where nobody writes such notes. Throws as
 * CodeHost says.
 */
export async function readNotes(ask: Ask, shas: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const head = await ask('GET /repos/{owner}/{repo}/git/ref/{ref}', { ref: 'notes/ai' }).catch((error: unknown) => {
    if (error instanceof HostRefused && error.status === 404) return undefined;
    throw error;
  });
  if (!head || shas.length === 0) return new Map();
  const { data } = await ask('GET /repos/{owner}/{repo}/git/trees/{sha}', {
    sha: ref.parse(head.data).object.sha,
    recursive: '1',
  });
  const wanted = new Set(shas);
  // Git cuts the name of a commit into folders once there are many notes.
  const found = tree.parse(data).tree.flatMap(({ path, type, sha }) => {
    const commit = path.replaceAll('/', '');
    return type === 'blob' && sha !== null && wanted.has(commit) ? [{ commit, sha }] : [];
  });
  const notes = new Map<string, string>();
  for (const { commit, sha } of found) {
    const answer = await ask('GET /repos/{owner}/{repo}/git/blobs/{sha}', { sha });
    const agent = agentIn(Buffer.from(blob.parse(answer.data).content, 'base64').toString('utf8'));
    if (agent !== null) notes.set(commit, agent);
  }
  return notes;
}

const prompts = z.looseObject({
  prompts: z.record(z.string(), z.looseObject({ agent_id: z.looseObject({ tool: z.string() }).nullish() })).default({}),
});

/** A note names lines by session, then `---`, then the sessions as JSON. Null for one that names no agent. */
function agentIn(note: string): string | null {
  const at = note.indexOf('\n---\n');
  const json = (at < 0 ? note : note.slice(at + 5)).trim();
  try {
    const sessions = Object.values(prompts.parse(JSON.parse(json)).prompts);
    return sessions.find(({ agent_id: agent }) => agent)?.agent_id?.tool ?? null;
  } catch {
    return null;
  }
}
