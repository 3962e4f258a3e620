import type { AccessPart, AccessPartState } from '@sightline/contract/sources/host-access.ts';
import { ACCESS_VALID_HOURS } from '@sightline/evidence/controls/access-polling.ts';
import { type Completeness, independentCount } from '@sightline/evidence/controls/completeness.ts';
import { recordedDays } from '@sightline/evidence/controls/enabled-spans.ts';
import { entryJoinSql } from '#core/recorded-facts.ts';
import type { Tx } from '#database/database.ts';
import {
  type AccessChangeRow,
  type AccessSpan,
  accessOfHolders,
  type HolderAccess,
} from '../../../sources/host-access/queries.ts';
import { enabledRepositories } from './enabled-repositories.ts';
import { endOfFacts, type PopulationQuery } from './population.ts';
import { earliest } from './row-values.ts';

/** Loads who had access to repositories, at the ledger size. */
export async function loadHostAccess(tx: Tx, { orgId, asOf }: PopulationQuery): Promise<HolderAccess[]> {
  const rows = await tx.query<AccessChangeRow & Record<string, unknown>>({
    name: 'population.host-access',
    text: `select c.holder_id as holder, h.kind, coalesce(p.merged_into, h.person_id) as person, c.repository_id as repository,
             c.at, c.permission, entry.leaf::int
           from access_change c ${entryJoinSql('entry', { fact: 'c', epoch: '$2', size: '$3' })}
           join access_holder h on h.org_id = $1 and h.id = c.holder_id
           left join person p on p.org_id = $1 and p.id = h.person_id
           where c.org_id = $1 order by c.holder_id, c.repository_id, c.at`,
    values: [orgId, asOf.epoch, asOf.size],
  });
  return accessOfHolders(rows);
}

interface Reading {
  at: string;
  parts: Readonly<Record<AccessPart, AccessPartState>>;
  leaf: number | null;
}
export type Readings = ReadonlyMap<string, readonly Reading[]>;

const VALID_MS = ACCESS_VALID_HOURS * 3_600_000;
const plusValidity = (at: string): string => new Date(Date.parse(at) + VALID_MS).toISOString();

/** Loads when the access was read, by repository in order, as far as readings can count in the period. */
export async function loadReadings(tx: Tx, { orgId, period, asOf }: PopulationQuery): Promise<Readings> {
  const rows = await tx.query<{ repository: string; at: Date; parts: Reading['parts']; leaf: number | null }>({
    name: 'population.access-readings',
    text: `select r.repository_id as repository, r.captured_at as at, r.parts, entry.leaf::int
           from access_reading r ${entryJoinSql('entry', { fact: 'r', epoch: '$2', size: '$3' })}
           where r.org_id = $1 and r.captured_at >= $4::timestamptz - make_interval(hours => ${ACCESS_VALID_HOURS})
             and r.captured_at < $5::timestamptz
           order by r.repository_id, r.captured_at`,
    values: [orgId, asOf.epoch, asOf.size, period.from, period.to],
  });
  const found = new Map<string, Reading[]>();
  for (const { repository, at, parts, leaf } of rows) {
    const all = found.get(repository);
    const reading = { at: at.toISOString(), parts, leaf };
    if (all) all.push(reading);
    else found.set(repository, [reading]);
  }
  return found;
}

/**
 * Until when access is known to have existed: until a later reading no longer showed it, but no longer than the last
 * reading before counts. Undefined if that is before the period.
 */
export function knownUntil(
  { repository, until }: AccessSpan,
  { readings, part, query }: { readings: Readings; part: AccessPart; query: PopulationQuery },
): { to: string; leaf: number | null } | undefined {
  const end = earliest(until ?? endOfFacts(query), endOfFacts(query));
  const last = readings.get(repository)?.findLast(({ at, parts }) => at < end && parts[part] === 'read');
  const to = last && earliest(end, plusValidity(last.at));
  return last && to !== undefined && to > query.period.from ? { to, leaf: last.leaf } : undefined;
}

/**
 * Counts the completed days of each enabled repository, and those during which parts of its access were known all the
 * time. A repository that was disabled in between was not read then.
 */
export async function accessCompleteness(
  tx: Tx,
  query: PopulationQuery,
  parts: readonly AccessPart[],
): Promise<Completeness> {
  const [repositories, readings] = [await enabledRepositories(tx, query), await loadReadings(tx, query)];
  let [expected, found] = [0, 0];
  for (const { repository, spans } of repositories) {
    const known = knownTimes(readings.get(repository) ?? [], parts);
    for (const { day, until, disabled } of recordedDays(spans, { from: query.period.from, end: endOfFacts(query) })) {
      const start = `${day}T00:00:00.000Z`;
      expected += 1;
      if (disabled.length === 0 && known.some(({ from, to }) => from <= start && until <= to)) found += 1;
    }
  }
  return independentCount('host_access', { expected, found });
}

/** The times in which the latest reading of all parts counts. */
function knownTimes(
  readings: readonly Reading[],
  needed: readonly AccessPart[],
): readonly { from: string; to: string }[] {
  const times: { from: string; to: string }[] = [];
  for (const { at, parts } of readings) {
    if (needed.some((part) => parts[part] === undefined || parts[part] === 'forbidden')) continue;
    const last = times.at(-1);
    if (last && at <= last.to) last.to = plusValidity(at);
    else times.push({ from: at, to: plusValidity(at) });
  }
  return times;
}
