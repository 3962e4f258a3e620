import { z } from 'zod';
import { hostTime } from '#providers/host-data.ts';
import type { HostPerson, HostRepository, HostUser } from '../host-facts.ts';

// Only the fields that are read, with optional ones where possible. A ZodError names an invalid field.

/** Converts RFC 3339 with any offset to UTC. */
export const time = hostTime;

const account = z.object({
  uuid: z.string().nullish(),
  nickname: z.string().nullish(),
  // For teams, and for users in an older version of the API.
  username: z.string().nullish(),
  display_name: z.string().nullish(),
  type: z.string().nullish(),
  links: z.object({ avatar: z.object({ href: z.string() }).nullish() }).nullish(),
});
type BitbucketAccount = z.output<typeof account>;

const loginOf = (found: BitbucketAccount): string =>
  found.nickname || found.username || found.display_name || 'unknown';
// Nicknames are not unique.
const idOf = ({ uuid }: BitbucketAccount): { id?: string; hostId?: string } => (uuid ? { id: uuid, hostId: uuid } : {});
const avatarOf = (found: BitbucketAccount | null | undefined): string | null => found?.links?.avatar?.href || null;

/** An account; null if absent. */
export const maybeUser = account.nullish().transform((found): HostUser | null =>
  found
    ? {
        login: loginOf(found),
        ...idOf(found),
        avatarUrl: avatarOf(found),
        isAgent: found.type === 'app_user' || loginOf(found).endsWith('[bot]'),
      }
    : null,
);

/** An account, or a placeholder for a deleted one. */
export const user = maybeUser.transform(
  (found): HostUser => found ?? { login: 'former-user', avatarUrl: null, isAgent: false },
);

/** The unique ID of an account; null for a deleted one. */
export const accountId = z
  .object({ uuid: z.string().min(1) })
  .nullish()
  .transform((found): string | null => found?.uuid ?? null);

/** The author or committer of a commit, with the account if the email address belongs to one. */
export const signature = z
  .object({ raw: z.string(), user: account.nullish() })
  .transform(({ raw, user: found }): HostPerson => {
    const [, name = raw, email = ''] = /^\s*(.*?)\s*<([^<>]*)>\s*$/s.exec(raw) ?? [];
    const account = found ? { login: loginOf(found), ...idOf(found) } : { login: null };
    return { name, email, ...account, avatarUrl: avatarOf(found) };
  });

const repository = z.object({
  uuid: z.string().min(1),
  full_name: z.string().regex(/^[^/\s]+\/[^/\s]+$/),
  is_private: z.boolean().default(true),
  links: z.object({ html: z.object({ href: z.string() }) }),
  mainbranch: z.object({ name: z.string() }).nullish(),
  updated_on: time.nullish(),
});

/** Parses a repository of the API. Bitbucket reports only the last update as time of the last push. Throws ZodError. */
export function repositoryFrom(json: unknown): HostRepository {
  const found = repository.parse(json);
  const [owner = '', name = ''] = found.full_name.split('/');
  return {
    id: found.uuid,
    owner,
    name,
    fullName: found.full_name,
    defaultBranch: found.mainbranch?.name || 'main',
    isPrivate: found.is_private,
    url: found.links.html.href,
    pushedAt: found.updated_on ?? null,
  };
}

const page = z.object({
  values: z.array(z.unknown()),
  next: z.string().nullish(),
  size: z.number().int().nullish(),
});

/** Parses a page of any list; `next` is the full URL of the next page. */
export const pageFrom = (json: unknown): { values: unknown[]; next: string | null; size: number | null } => {
  const { values, next, size } = page.parse(json);
  return { values, next: next || null, size: size ?? null };
};
