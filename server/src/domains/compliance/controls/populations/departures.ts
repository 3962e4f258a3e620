import { type Actor, personOf } from '@sightline/evidence/controls/persons.ts';
import type { Departure, HostAccessSpan } from '@sightline/evidence/controls/rows.ts';
import { entryJoinSql } from '#core/recorded-facts.ts';
import type { Tx } from '#database/database.ts';
import type { PopulationQuery } from './population.ts';
import { earliest, latest } from './row-values.ts';

/** A time in which a person who was in the directory before was not active there. */
export interface Absence {
  leftAt: string;
  /** Null: not active again at the ledger size. */
  returnedAt: string | null;
  leaf: number | null;
}

/** Loads when persons left the directory, at the ledger size. A person left when none of their users is active. */
export async function loadDepartures(
  tx: Tx,
  { orgId, asOf }: PopulationQuery,
): Promise<ReadonlyMap<string, readonly Absence[]>> {
  const rows = await tx.query<{ person: string; user: string; at: Date; active: boolean; leaf: number | null }>({
    name: 'population.directory-changes',
    text: `select coalesce(p.merged_into, c.person_id) as person, c.user_id as user, c.at, c.is_active as active, entry.leaf::int
           from directory_change c ${entryJoinSql('entry', { fact: 'c', epoch: '$2', size: '$3' })}
           join person p on p.org_id = $1 and p.id = c.person_id
           where c.org_id = $1 order by c.at, c.user_id`,
    values: [orgId, asOf.epoch, asOf.size],
  });
  const active = new Map<string, Set<string>>();
  const absences = new Map<string, Absence[]>();
  for (const { person, user, at, active: isActive, leaf } of rows) {
    const users = active.get(person) ?? new Set();
    const before = users.size;
    if (isActive) users.add(user);
    else users.delete(user);
    active.set(person, users);
    const own = absences.get(person) ?? [];
    if (before > 0 && users.size === 0) own.push({ leftAt: at.toISOString(), returnedAt: null, leaf });
    const last = own.at(-1);
    if (before === 0 && users.size > 0 && last) last.returnedAt = at.toISOString();
    absences.set(person, own);
  }
  return absences;
}

/** When a person left the directory and had not returned at a moment; null if they had not left. */
export function leftAt(absences: ReadonlyMap<string, readonly Absence[]>, actor: Actor, moment: string): string | null {
  const person = personOf(actor);
  const last = person === undefined ? undefined : absences.get(person)?.findLast((one) => one.leftAt <= moment);
  return last && (last.returnedAt === null || last.returnedAt > moment) ? last.leftAt : null;
}

interface DepartureScene {
  period: PopulationQuery['period'];
  /** Until when facts are known. */
  end: string;
  memberships: readonly {
    from: string;
    until: string | null;
    membership: { state: string; value?: string };
  }[];
  hostAccess: readonly HostAccessSpan[];
}

/**
 * The departures of a person that concern the period: they left in it, or had a membership or access in it afterwards.
 * A departure without membership or access at that time is none.
 */
export function departuresOf(
  absences: readonly Absence[],
  { period, end, memberships, hostAccess }: DepartureScene,
): { departure: Departure; leaves: readonly (number | null)[] }[] {
  return absences.flatMap(({ leftAt: left, returnedAt, leaf }) => {
    const until = returnedAt === null ? end : earliest(returnedAt, end);
    if (left >= end) return [];
    const membership = memberships.findLast(({ from }) => from <= left)?.membership;
    const isUnknown = membership === undefined || membership.state === 'missing';
    const memberUntil = isUnknown ? left : endOfMembership(memberships, left, until);
    const access = hostAccess.filter(({ from, to }) => to > left && from < until);
    const accessUntil = access.reduce((last, { to }) => latest(last, earliest(to, until)), left);
    const isInPeriod = left >= period.from || latest(memberUntil, accessUntil) > period.from;
    const wasNeitherMemberNorUser = !isUnknown && membership.value !== 'active' && access.length === 0;
    if (!isInPeriod || wasNeitherMemberNorUser) return [];
    const departure = {
      leftAt: left,
      returnedAt: returnedAt !== null && returnedAt < end ? returnedAt : null,
      memberMinutes: isUnknown ? null : minutesBetween(left, memberUntil),
      hostAccessMinutes: minutesBetween(left, accessUntil),
    };
    return [{ departure, leaves: [leaf] }];
  });
}

/** Until when a person was an active member without interruption from a time on. */
function endOfMembership(memberships: DepartureScene['memberships'], from: string, until: string): string {
  const current = memberships.findLast((one) => one.from <= from);
  if (current?.membership.value !== 'active') return from;
  return current.until === null ? until : earliest(current.until, until);
}

const minutesBetween = (from: string, to: string): number =>
  Math.max(0, Math.ceil((Date.parse(to) - Date.parse(from)) / 60_000));
