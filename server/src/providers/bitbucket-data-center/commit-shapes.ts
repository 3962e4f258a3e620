import { z } from 'zod';
import type { HostCommit } from '../host-facts.ts';
import { person, time } from './shapes.ts';

const commit = z.object({
  id: z.string().min(7),
  message: z.string().nullish(),
  author: person,
  authorTimestamp: time,
  committer: person,
  // Older versions name only the author.
  committerTimestamp: time.nullish(),
  parents: z.array(z.object({ id: z.string() })).nullish(),
});

const named = z.looseObject({ committer: z.unknown() });

/** Parses a commit of the API or of a webhook. Neither has signatures. Throws ZodError for anything else. */
export function commitFrom(json: unknown): HostCommit {
  const found = commit.parse(json);
  return {
    sha: found.id,
    message: (found.message ?? '').trimEnd(),
    author: found.author,
    authoredAt: found.authorTimestamp,
    committer: named.parse(json).committer ? found.committer : found.author,
    committedAt: found.committerTimestamp ?? found.authorTimestamp,
    parents: found.parents?.map(({ id }) => id) ?? null,
  };
}
