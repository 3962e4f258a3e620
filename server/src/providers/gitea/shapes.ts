import { z } from 'zod';
import { hostTime } from '#providers/host-data.ts';
import type { HostPerson, HostRepository, HostUser } from '../host-facts.ts';

// Only the fields that are read, with optional ones where possible, because instances have many versions.

export const time = hostTime;

/** A time; instances return the year 1 for a missing one. */
export const maybeTime = z
  .string()
  .nullish()
  .transform((value) => (value && !value.startsWith('0001-') ? value : null))
  .pipe(hostTime.nullable());

export const hostId = z.number().int().transform(String);

const account = z.object({
  id: z.number().int().nullish(),
  login: z.string().nullish(),
  username: z.string().nullish(),
  avatar_url: z.string().nullish(),
});

const ghost: HostUser = { login: 'ghost', avatarUrl: null, isAgent: false };
// Actions and tokens of bots are accounts like others; their names follow a convention.
const agent = /^(?:gitea|forgejo)-actions$|(?:^|[-_.])bot$|\[bot\]$/i;

const userFrom = ({ id, login, username, avatar_url: avatarUrl }: z.output<typeof account>): HostUser => {
  const name = login || username || '';
  // Placeholders of deleted accounts have no positive number: Ghost is -1.
  if (id != null && id <= 0 && !agent.test(name)) return ghost;
  return {
    login: name,
    ...(id != null && id > 0 && { hostId: String(id) }),
    avatarUrl: avatarUrl || null,
    isAgent: agent.test(name),
  };
};

/** An account; null if absent. */
export const maybeUser = account
  .nullish()
  .transform((found): HostUser | null => (found && (found.login || found.username) ? userFrom(found) : null));

/** An account, or the placeholder for a deleted one. */
export const user = maybeUser.transform((found): HostUser => found ?? ghost);

/** An author or committer with the account that has the email address. */
export const personOf = (
  signature: { name?: string | null | undefined; email?: string | null | undefined } | null | undefined,
  found: HostUser | null,
): HostPerson => ({
  name: signature?.name ?? '',
  email: signature?.email ?? '',
  login: found?.login || null,
  ...(found?.hostId !== undefined && { hostId: found.hostId }),
  avatarUrl: found?.avatarUrl ?? null,
});

const repository = z.object({
  id: hostId,
  name: z.string().min(1),
  full_name: z.string().regex(/^[^/\s]+\/[^/\s]+$/),
  private: z.boolean(),
  html_url: z.url(),
  default_branch: z.string().nullish(),
  updated_at: maybeTime,
});

/** IDs are only unique per instance, so that they contain its host and path. */
export const idAt = (instance: string, id: string): string => `${id}@${instance}`;

/** `https://code.example.com/git` → `code.example.com/git`. */
export function instanceOf(baseURL: string): string {
  const { host, pathname } = new URL(baseURL);
  return `${host}${pathname}`.replace(/\/+$/, '');
}

/** Parses a repository of the API or of a webhook. Throws ZodError for anything else. */
export function repositoryFrom(json: unknown): HostRepository {
  const found = repository.parse(json);
  const fullName = found.full_name;
  const separator = fullName.indexOf('/');
  return {
    id: idAt(instanceOf(found.html_url).slice(0, -fullName.length - 1), found.id),
    owner: fullName.slice(0, separator),
    name: fullName.slice(separator + 1),
    fullName,
    defaultBranch: found.default_branch || 'main',
    isPrivate: found.private,
    url: found.html_url,
    pushedAt: found.updated_at,
  };
}
