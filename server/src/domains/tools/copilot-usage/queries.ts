import { type Period, parsePeriod } from '@sightline/contract/core/periods.ts';
import type {
  CopilotActivities,
  CopilotActivity,
  CopilotSource,
  CopilotSourceState,
  CopilotUsage,
  CopilotUsageQuery,
} from '@sightline/contract/tools/copilot-usage.ts';
import type { Actor } from '#core/actor.ts';
import { Forbidden, NotFound } from '#core/errors.ts';
import type { Tx } from '#database/database.ts';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 90;

/**
 * Returns the usage of one source in a period. Throws 403 for a member who sees only their own sessions, since sums of all
 * members are not theirs, and 404 for an unknown source.
 */
export async function findUsage(tx: Tx, actor: Actor, query: CopilotUsageQuery): Promise<CopilotUsage> {
  if (actor.reach('read:events') !== 'all')
    throw Forbidden('Only roles that see the sessions of all members see the usage of GitHub Copilot.', 'read:events');
  const { orgId } = actor;
  const sources = await listSources(tx, orgId);
  const source = query.source ?? sources[0]?.id ?? null;
  if (query.source !== undefined && !sources.some(({ id }) => id === query.source)) throw NotFound('Source');
  const period = (query.period === undefined ? undefined : parsePeriod(query.period)) ?? lastDays();
  const values = [orgId, source, period.from, period.to];
  const days = await tx.query<CopilotUsage['days'][number] & Record<string, unknown>>({
    name: 'copilot.days',
    text: `select day::text as day, counts, rejected, entry_id as "entryId" from copilot_day
           where org_id = $1 and installation_id = $2 and day >= ($3::timestamptz at time zone 'UTC')::date
             and day < ($4::timestamptz at time zone 'UTC')::date order by day`,
    values,
  });
  const parts = await listParts(tx, values);
  const ofKind = (kind: PartRow['kind']) => parts.filter((part) => part.kind === kind);
  return {
    sources,
    source,
    period,
    days: days.map(({ day, counts, rejected, entryId }) => ({ day, counts, rejected, entryId })),
    byModel: ofKind('model').map(({ name, feature, counts }) => ({ model: name, feature, counts })),
    byFeature: ofKind('feature').map(({ name, counts }) => ({ feature: name, counts })),
    byEditor: ofKind('editor').map(({ name, counts }) => ({ editor: name, counts })),
  };
}

/** The last days until yesterday (UTC). */
function lastDays(): Period {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  return { from: new Date(today - DEFAULT_DAYS * DAY_MS).toISOString(), to: new Date(today).toISOString() };
}

interface PartRow {
  kind: 'feature' | 'model' | 'editor';
  name: string;
  feature: string;
  counts: CopilotActivities;
}

/** The sums of a period, largest number of generations first. A count that no day reports is missing. */
async function listParts(tx: Tx, values: unknown[]): Promise<PartRow[]> {
  const rows = await tx.query<Omit<PartRow, 'counts'> & { activity: CopilotActivity; sum: number }>({
    name: 'copilot.parts',
    text: `select p.kind, p.name, p.feature, c.key as activity, sum(c.value::numeric)::float8 as sum
           from copilot_day_part p cross join jsonb_each_text(p.counts) c
           where p.org_id = $1 and p.installation_id = $2 and p.day >= ($3::timestamptz at time zone 'UTC')::date
             and p.day < ($4::timestamptz at time zone 'UTC')::date
           group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
    values,
  });
  const found = new Map<string, PartRow>();
  for (const { kind, name, feature, activity, sum } of rows) {
    const key = `${kind} ${name} ${feature}`;
    const part = found.get(key) ?? { kind, name, feature, counts: {} };
    found.set(key, part);
    part.counts[activity] = sum;
  }
  const size = ({ counts }: PartRow) => (counts.generations ?? 0) + (counts.interactions ?? 0);
  return [...found.values()].toSorted((one, other) => size(other) - size(one));
}

// Accounts of persons have no organization permissions. Permissions are empty if an earlier release connected them.
const isOrganization = `(i.permissions = '{}' or i.permissions ? 'organization_copilot_metrics' or i.html_url like '%/organizations/%')`;

/** The connected GitHub organizations with their last reading. */
async function listSources(tx: Tx, orgId: string): Promise<CopilotSource[]> {
  const rows = await tx.query<{
    id: string;
    account: string;
    url: string;
    state: CopilotSourceState | null;
    reason: string | null;
    at: Date | null;
  }>({
    name: 'copilot.sources',
    text: `select i.installation_id as id, i.account_login as account, i.html_url as url, s.state, s.reason, s.checked_at as at
           from installation i
           left join copilot_source s on s.org_id = i.org_id and s.installation_id = i.installation_id
           where i.org_id = $1 and i.provider = 'github' and i.deleted_at is null and ${isOrganization}
           order by i.account_login, i.installation_id`,
    values: [orgId],
  });
  return rows.map(({ id, account, url, state, reason, at }) => ({
    id,
    account,
    state,
    reason,
    checkedAt: at?.toISOString() ?? null,
    settingsURL: `${url}/permissions/update`,
  }));
}

/** The installations to read. */
export async function listSourceIds(tx: Tx, orgId: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>({
    name: 'copilot.source-ids',
    text: `select i.installation_id as id from installation i
           where i.org_id = $1 and i.provider = 'github' and i.deleted_at is null and i.suspended_at is null
             and ${isOrganization}`,
    values: [orgId],
  });
  return rows.map(({ id }) => id);
}
