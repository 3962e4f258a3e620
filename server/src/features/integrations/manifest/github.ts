import { sql } from 'kysely';
import { githubStatus } from '../../github/queries.ts';
import { healedNotes } from '../host-notes.ts';
import type { Look, Manifest, State } from '../manifest.ts';
import { lackedBy } from '../permissions.ts';
import { repositoriesOf } from '../words.ts';

export const manifest: Manifest = {
  name: 'github',
  title: 'GitHub',
  category: 'source-code-management',
  description: 'Repositories, pull requests, commits and reviews.',
  look: async (look) => {
    const { state, settingsURL } = await githubStatus(look.tx, look.actor.orgId, look.services.config.github);
    if (state === 'not_configured') return { status: 'inactive', missing: [unconfigured] };
    if (state === 'not_connected') return { status: 'inactive', missing: [] };
    if (state === 'waiting_for_approval') return { status: 'inactive', missing: [waiting] };
    const links = settingsURL === null ? [] : [{ label: 'Settings on GitHub', href: settingsURL }];
    if (state === 'suspended') return { status: 'error', problem: { code: 'suspended', message: suspended }, links };
    return { ...(await health(look)), links: [{ label: 'Manage', href: '/organization/repositories' }, ...links] };
  },
};

const unconfigured = 'This installation has no GitHub app yet. Whoever operates it can set one up; its guide says how.';
const waiting = 'The request waits for an owner of the GitHub organization to approve it.';
const suspended = 'The app is suspended, so nothing new is read. Resume it in its settings on GitHub.';

/** What a connected installation brings in, and what keeps it from bringing in more. */
async function health(look: Look): Promise<State> {
  const { tx, actor } = look;
  const { orgId } = actor;
  const { enabled, offered } = await tx.db
    .selectFrom('repository')
    .where('org_id', '=', orgId)
    .where('provider', '=', 'github')
    .where('removed_at', 'is', null)
    .select([sql<number>`count(*) filter (where tracked)`.as('enabled'), sql<number>`count(*)`.as('offered')])
    .executeTakeFirstOrThrow();
  const { failed, read_at } = await tx.db
    .selectFrom('repository_import as i')
    .innerJoin('repository as r', (join) =>
      join.onRef('r.org_id', '=', 'i.org_id').onRef('r.id', '=', 'i.repository_id'),
    )
    .where('i.org_id', '=', orgId)
    .where('r.tracked', '=', true)
    .select([
      sql<number>`count(*) filter (where i.state = 'failed')`.as('failed'),
      sql<Date | null>`max(i.finished_at)`.as('read_at'),
    ])
    .executeTakeFirstOrThrow();
  // Bodies are kept for weeks, so the newest delivery is among those that still have one, and those are in an index.
  const heard = await tx.db
    .selectFrom('webhook_delivery')
    .where('org_id', '=', orgId)
    .where('provider', '=', 'github')
    .where('processed_at', 'is not', null)
    .where('body_deleted_at', 'is', null)
    .select('processed_at')
    .orderBy('processed_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  const lacked = await lackedBy(tx, orgId, ['contents', 'pull_requests']);
  const { notes, missing } = await healedNotes(look, 'github');
  return {
    status: failed > 0 ? 'error' : 'active',
    detail: repositoriesOf(enabled),
    lastSyncAt: newest(read_at, heard?.processed_at ?? null),
    problem:
      failed === 0
        ? null
        : {
            code: 'import_failed',
            message: `The history of ${repositoriesOf(failed)} could not be read in. Repositories says why, and tries again.`,
          },
    missing: [
      ...lacked,
      ...missing,
      ...(offered === 0 ? ['The app sees no repository. Add some in its settings on GitHub.'] : []),
      ...(offered > 0 && enabled === 0 ? [`None of ${repositoriesOf(offered)} is enabled yet.`] : []),
    ],
    notes,
  };
}

const newest = (one: Date | null, other: Date | null): string | null =>
  [one, other]
    .filter((date) => date !== null)
    .toSorted((a, b) => b.getTime() - a.getTime())[0]
    ?.toISOString() ?? null;
