import { sql } from 'kysely';
import type { Services } from '#core/services.ts';
import { HostLimited, type HostRef, HostRefused, type HostRepository } from '#providers/code-host.ts';
import { repositoryFrom } from '#providers/github/shapes.ts';
import type { Work } from './delivery.ts';

/** A tracked repository a delivery speaks of. */
export interface Subject {
  repositoryId: string;
  ref: HostRef;
}

/** The tracked repository of a payload, or undefined for one we do not know, track or see. */
export async function maybeSubject({ services, orgId, payload }: Work): Promise<Subject | undefined> {
  const told = repositoryFrom(payload.repository);
  const row = await services.database.withOrg(orgId, ({ db }) =>
    db
      .selectFrom('repository')
      .where('org_id', '=', orgId)
      .where('provider', '=', 'github')
      .where('provider_repo_id', '=', told.id)
      .where('tracked', '=', true)
      .where('removed_at', 'is', null)
      .select(['id', 'installation_id', 'owner', 'name'])
      .executeTakeFirst(),
  );
  if (!row) return undefined;
  return { repositoryId: row.id, ref: { installationId: row.installation_id, owner: row.owner, name: row.name } };
}

/** Notes when a repository was last pushed to, tracked or not. */
export async function notePush({ database }: Services, orgId: string, told: HostRepository): Promise<void> {
  if (told.pushedAt === null) return;
  const { id, pushedAt } = told;
  await database.withOrg(orgId, ({ db }) =>
    db
      .updateTable('repository')
      .set({ pushed_at: sql<Date>`greatest(pushed_at, ${pushedAt}::timestamptz)` })
      .where('org_id', '=', orgId)
      .where('provider', '=', 'github')
      .where('provider_repo_id', '=', id)
      .execute(),
  );
}

/**
 * What the host says, or what the payload says where the host refuses, and on the last try where it does not answer.
 * `second` is told which of the two it was. HostLimited passes: the host will say it later.
 */
export async function firstOr<Result>(
  { services, isLastTry }: Work,
  first: () => Promise<Result>,
  second: (isRefused: boolean) => Result,
): Promise<Result> {
  try {
    return await first();
  } catch (error) {
    const isRefused = error instanceof HostRefused;
    if (error instanceof HostLimited || !(isRefused || isLastTry)) throw error;
    services.log.warn({ error: (error as Error).message }, 'a webhook is used as it came, the host did not say more');
    return second(isRefused);
  }
}
