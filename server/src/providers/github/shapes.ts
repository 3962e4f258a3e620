import { z } from 'zod';
import { hostTime } from '#providers/host-data.ts';
import type { HostPerson, HostRepository, HostUser } from '../host-facts.ts';

// Only the fields that are read, with optional ones where possible: GitHub adds fields at any time, and webhooks of an
// older Enterprise Server lack some. A ZodError names an invalid field.

/** Ids above 2^53 arrive as bigint from Octokit. */
export const hostId = z.union([z.number().int(), z.bigint()]).transform(String);

/** Converts RFC 3339 with any offset to UTC. */
export const time = hostTime;

// Pushes contain the times of the repository in epoch seconds.
const timeOrEpoch = z.union([
  time,
  z
    .number()
    .int()
    .min(0)
    .max(253_402_214_400)
    .transform((seconds) => new Date(seconds * 1000).toISOString()),
]);

const account = z.object({
  id: hostId.nullish(),
  login: z.string(),
  avatar_url: z.string().nullish(),
  type: z.string().nullish(),
});

const userFrom = ({ id, login, avatar_url, type }: z.output<typeof account>): HostUser => ({
  login,
  ...(id && { hostId: id }),
  avatarUrl: avatar_url || null,
  isAgent: type === 'Bot' || login.endsWith('[bot]'),
});

/** An account; null if absent. */
export const maybeUser = account.nullish().transform((found): HostUser | null => (found ? userFrom(found) : null));

/** An account, or the placeholder of GitHub for a deleted one. */
export const user = maybeUser.transform(
  (found): HostUser => found ?? { login: 'ghost', avatarUrl: null, isAgent: false },
);

// The API returns `{}` for an author without an account.
export const maybeAccount = account.partial().nullish();

/** An author or committer with the account of the host for the email address. */
export const hostPersonOf = (
  signature: { name?: string | null | undefined; email?: string | null | undefined } | null | undefined,
  found?: { id?: string | null | undefined; login?: string | undefined; avatar_url?: string | null | undefined } | null,
): HostPerson => ({
  name: signature?.name ?? '',
  email: signature?.email ?? '',
  login: found?.login || null,
  ...(found?.login && found.id && { hostId: found.id }),
  avatarUrl: found?.avatar_url || null,
});

const repository = z.object({
  id: hostId,
  name: z.string().min(1),
  full_name: z.string().regex(/^[^/\s]+\/[^/\s]+$/),
  private: z.boolean(),
  html_url: z.string(),
  default_branch: z.string().nullish(),
  pushed_at: timeOrEpoch.nullish(),
});

/** Parses a repository of the API or of a webhook. Throws ZodError for anything else. */
export function repositoryFrom(json: unknown): HostRepository {
  const found = repository.parse(json);
  return {
    id: found.id,
    owner: found.full_name.slice(0, found.full_name.indexOf('/')),
    name: found.name,
    fullName: found.full_name,
    defaultBranch: found.default_branch ?? 'main',
    isPrivate: found.private,
    url: found.html_url,
    pushedAt: found.pushed_at ?? null,
  };
}
