import { z } from 'zod';
import { hostTime } from '#providers/host-data.ts';
import type { HostRepository, HostUser } from '../host-facts.ts';

// Only the fields that are read, and loosely: instances of many versions are out there. What is left must be right, or
// the ZodError says which field is not.

/** Times with any offset, or as webhooks write them (`2017-12-10 17:01:11 UTC`), to UTC. */
export const time = z
  .string()
  .transform((value) => value.replace(/^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC$/, '$1T$2Z'))
  .pipe(hostTime);

export const hostId = z.number().int().transform(String);

const account = z.object({ id: hostId.nullish(), username: z.string(), avatar_url: z.string().nullish() });

/** An account; null where it is missing. */
export const maybeUser = account.nullish().transform((found): HostUser | null => (found ? userFrom(found) : null));

/** An account; the one GitLab moves the work of deleted people to where it is missing. */
export const user = maybeUser.transform(
  (found): HostUser => found ?? { login: 'ghost', avatarUrl: null, isAgent: false },
);

// Bots of tokens are named `project_12_bot_3f…`; others by custom.
const agent = /^(?:project|group)_\d+_bot|(?:^|[-_.])bot$|\[bot\]$/i;

const userFrom = ({ id, username, avatar_url }: z.output<typeof account>): HostUser => ({
  login: username,
  ...(id && { hostId: id }),
  avatarUrl: avatar_url || null,
  isAgent: agent.test(username),
});

const project = z.object({
  id: hostId,
  path_with_namespace: z.string().regex(/^[^/\s][^\s]*\/[^/\s]+$/),
  default_branch: z.string().nullish(),
  visibility: z.string().nullish(),
  // Webhooks: 0 private, 10 internal, 20 public.
  visibility_level: z.number().nullish(),
  web_url: z.url(),
  last_activity_at: time.nullish(),
});

/**
 * A project of the API or of a webhook; its owner is the whole path of groups above it. Instances count their projects each
 * for itself: beside the id of one that is not gitlab.com stands which it is of. Throws ZodError for anything else.
 */
export function repositoryFrom(json: unknown): HostRepository {
  const found = project.parse(json);
  const fullName = found.path_with_namespace;
  const { host } = new URL(found.web_url);
  const cut = fullName.lastIndexOf('/');
  return {
    id: host === 'gitlab.com' ? found.id : `${found.id}@${host}`,
    owner: fullName.slice(0, cut),
    name: fullName.slice(cut + 1),
    fullName,
    defaultBranch: found.default_branch || 'main',
    isPrivate: found.visibility ? found.visibility !== 'public' : found.visibility_level !== 20,
    url: found.web_url,
    pushedAt: found.last_activity_at ?? null,
  };
}
