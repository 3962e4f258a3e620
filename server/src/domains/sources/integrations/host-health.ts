import { type Provider, providerNames } from '@sightline/contract/core/providers.ts';
import type { Integration } from '@sightline/contract/sources/integrations.ts';
import { sql } from 'kysely';
import { pollingOf } from '../reconcile/queries.ts';
import { repositoryCountText } from './count-text.ts';
import { recoveryMessages } from './host-notes.ts';
import type { CardContext, IntegrationState } from './manifest.ts';

/** Sentences for one host: missing permissions, and the next step if it provides no repository. */
export interface HostMessages {
  lacked: readonly string[];
  none: string;
}

/** The status of a connected code host with its import progress, missing data and recovered changes. */
export async function codeHostState(
  context: CardContext,
  provider: Provider,
  { lacked, none }: HostMessages,
): Promise<IntegrationState> {
  const { tx, actor } = context;
  const { orgId } = actor;
  const { enabled, offered } = await tx.db
    .selectFrom('repository')
    .where('org_id', '=', orgId)
    .where('provider', '=', provider)
    .where('removed_at', 'is', null)
    .select([sql<number>`count(*) filter (where tracked)`.as('enabled'), sql<number>`count(*)`.as('offered')])
    .executeTakeFirstOrThrow();
  const { failed, limited, until, queued, read_at } = await tx.db
    .selectFrom('repository_import as i')
    .innerJoin('repository as r', (join) =>
      join.onRef('r.org_id', '=', 'i.org_id').onRef('r.id', '=', 'i.repository_id'),
    )
    .where('i.org_id', '=', orgId)
    .where('r.provider', '=', provider)
    .where('r.tracked', '=', true)
    .select([
      sql<number>`count(*) filter (where i.state = 'failed')`.as('failed'),
      sql<number>`count(*) filter (where i.state = 'rate_limited')`.as('limited'),
      sql<Date | null>`max(i.waiting_until) filter (where i.state = 'rate_limited')`.as('until'),
      sql<number>`count(*) filter (where i.state in ('queued', 'running'))`.as('queued'),
      sql<Date | null>`max(i.finished_at)`.as('read_at'),
    ])
    .executeTakeFirstOrThrow();
  const { gaps } = await tx.db
    .selectFrom('import_gap as g')
    .innerJoin('repository as r', (join) =>
      join.onRef('r.org_id', '=', 'g.org_id').onRef('r.id', '=', 'g.repository_id'),
    )
    .where('g.org_id', '=', orgId)
    .where('r.provider', '=', provider)
    .where('r.tracked', '=', true)
    .select(sql<number>`count(*)`.as('gaps'))
    .executeTakeFirstOrThrow();
  // Bodies are retained for weeks, so the newest delivery still has one, and an index covers those deliveries.
  const lastDelivery = await tx.db
    .selectFrom('webhook_delivery')
    .where('org_id', '=', orgId)
    .where('provider', '=', provider)
    .where('processed_at', 'is not', null)
    .where('body_deleted_at', 'is', null)
    .select('processed_at')
    .orderBy('processed_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  const { notes, missing } = await recoveryMessages(context, provider);
  // A host without webhooks is polled.
  const host = context.services.codeHostModules.get(provider);
  const polling =
    host && host.webhooks === undefined ? await pollingOf(tx, orgId, provider) : { readAt: null, unanswered: 0 };
  return {
    status: failed + polling.unanswered > 0 ? 'error' : 'active',
    detail: repositoryCountText(enabled),
    lastSyncAt: newest(read_at, lastDelivery?.processed_at ?? null, polling.readAt),
    problem: problemOf(provider, failed, polling.unanswered),
    missing: [
      ...lacked,
      ...(gaps > 0
        ? [`${gaps === 1 ? '1 item' : `${gaps} items`} could not be imported. Each repository names its own.`]
        : []),
      ...missing,
      ...(offered === 0 ? [none] : []),
      ...(offered > 0 && enabled === 0 ? [`None of ${repositoryCountText(offered)} is enabled yet.`] : []),
    ],
    notes: [
      ...(queued > 0 ? [`Importing ${repositoryCountText(queued)}.`] : []),
      ...(limited > 0 && until
        ? [`Rate limited until ${until.toISOString().slice(11, 16)} UTC: ${repositoryCountText(limited)}.`]
        : []),
      ...notes,
    ],
  };
}

function problemOf(provider: Provider, failed: number, unanswered: number): Integration['problem'] {
  if (failed > 0) {
    const message = `Import failed for ${repositoryCountText(failed)}. Import progress shows the reason and offers Retry.`;
    return { code: 'import_failed', message };
  }
  if (unanswered === 0) return null;
  const message = `${providerNames[provider]} fails to answer requests about ${repositoryCountText(unanswered)}. Nothing is lost: new data is imported when it answers.`;
  return { code: 'host_unanswered', message };
}

const newest = (...dates: (Date | null)[]): string | null =>
  dates
    .filter((date) => date !== null)
    .toSorted((a, b) => b.getTime() - a.getTime())[0]
    ?.toISOString() ?? null;
