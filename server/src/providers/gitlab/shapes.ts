import { z } from 'zod';
import { hostTime } from '#providers/host-data.ts';
import type { HostRepository, HostUser } from '../host-facts.ts';

// Only the fields that are read, with optional ones where possible, because instances have many versions. A ZodError
// names an invalid field.

/** Converts times with any offset, also in the format of webhooks (`2017-12-10 17:01:11 UTC`), to UTC. */
export const time = z
  .string()
  .transform((value) => value.replace(/^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC$/, '$1T$2Z'))
  .pipe(hostTime);

export const hostId = z.number().int().transform(String);

const account = z.object({ id: hostId.nullish(), username: z.string(), avatar_url: z.string().nullish() });

/** An account; null if absent. */
export const maybeUser = account.nullish().transform((found): HostUser | null => (found ? userFrom(found) : null));

/** An account, or the placeholder of GitLab for a deleted one. */
export const user = maybeUser.transform(
  (found): HostUser => found ?? { login: 'ghost', avatarUrl: null, isAgent: false },
);

// Bot users of tokens are named `project_12_bot_3f…`, other bots by convention.
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
  // In webhooks: 0 is private, 10 internal, 20 public.
  visibility_level: z.number().nullish(),
  web_url: z.url(),
  last_activity_at: time.nullish(),
});

/**
 * Parses a project of the API or of a webhook. Its owner is the full path of its groups. Project IDs are only unique
 * per instance: except for gitlab.com, the ID contains the host. Throws ZodError for anything else.
 */
export function repositoryFrom(json: unknown): HostRepository {
  const found = project.parse(json);
  const fullName = found.path_with_namespace;
  const { host } = new URL(found.web_url);
  const separator = fullName.lastIndexOf('/');
  return {
    id: host === 'gitlab.com' ? found.id : `${found.id}@${host}`,
    owner: fullName.slice(0, separator),
    name: fullName.slice(separator + 1),
    fullName,
    defaultBranch: found.default_branch || 'main',
    isPrivate: found.visibility ? found.visibility !== 'public' : found.visibility_level !== 20,
    url: found.web_url,
    pushedAt: found.last_activity_at ?? null,
  };
}
