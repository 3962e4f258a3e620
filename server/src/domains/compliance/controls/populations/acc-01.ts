import { isComplete } from '@sightline/evidence/controls/completeness.ts';
import type { AccessRow, HostAccessSpan } from '@sightline/evidence/controls/rows.ts';
import type { Tx } from '#database/database.ts';
import { commitHoursByPerson } from './commits.ts';
import { departuresOf, loadDepartures } from './departures.ts';
import { accessCompleteness, knownUntil, loadHostAccess, loadReadings } from './host-access.ts';
import { entryByIdJoinSql, historyStart } from './ledger-entry-joins.ts';
import { loadMemberships, type MembershipReader } from './members.ts';
import { personReader } from './people.ts';
import { endOfFacts, type Population, type PopulationQuery } from './population.ts';
import { mergeCompleteness, pushCompleteness } from './push-completeness.ts';
import { distinctLeaves, earliest, known, latest, missing, partial } from './row-values.ts';

/**
 * Persons who committed, reviewed or merged in the period, had access to a repository on its code host, or left the
 * directory with one of both, with their membership at that time. Of commits, only the first and last of each hour count. A person without account was never a
 * member, unless the act precedes the recorded memberships.
 */
export const population: Population<AccessRow> = {
  async *rows(tx, query) {
    const [acts, access] = [await actsOf(tx, query), await accessOf(tx, query)];
    const [members, start] = [await loadMemberships(tx, query), await historyStart(tx, query.orgId)];
    const isKnown = isComplete(await personAccessCompleteness(tx, query));
    const left = await loadDepartures(tx, query);
    const persons = [...new Set([...acts.keys(), ...access.keys(), ...left.keys()])];
    const statusOf = await personReader(tx, query.orgId, persons);
    const rows = persons.flatMap((id): AccessRow[] => {
      const { person, accounts } = statusOf(id);
      const own = acts.get(id) ?? [];
      const actsWithMembership = own.map(({ at }) => ({ at, ...membershipOf(members, accounts, at, start) }));
      const spans = splitByMembership(access.get(id) ?? [], membershipPeriods(members, accounts, start));
      const hostAccess = spans.map(({ span }) => span);
      const departures = departuresOf(left.get(id) ?? [], {
        period: query.period,
        end: endOfFacts(query),
        memberships: membershipPeriods(members, accounts, start),
        hostAccess,
      });
      if (own.length + hostAccess.length + departures.length === 0) return [];
      return [
        {
          subject: `person:${id}`,
          repository: null,
          leaf: null,
          leaves: distinctLeaves([
            ...own.map(({ leaf }) => leaf),
            ...actsWithMembership.map(({ leaf }) => leaf),
            ...spans.flatMap(({ leaves }) => leaves),
            ...departures.flatMap(({ leaves }) => leaves),
          ]),
          waivers: [],
          periodFrom: query.period.from,
          person,
          acts: actsWithMembership.map(({ at, membership }) => ({ at, membership })),
          hostAccess: isKnown ? known(hostAccess) : partial(hostAccess),
          departures: departures.map(({ departure }) => departure),
        },
      ];
    });
    for (let at = 0; at < rows.length; at += BATCH_SIZE) yield rows.slice(at, at + BATCH_SIZE);
  },
  completeness: async (tx, query) => [
    await pushCompleteness(tx, query),
    await mergeCompleteness(tx, query),
    await personAccessCompleteness(tx, query),
  ],
};

const personAccessCompleteness = (tx: Tx, query: PopulationQuery) => accessCompleteness(tx, query, ['people']);

interface PersonAccess {
  span: Pick<HostAccessSpan, 'repository' | 'permission' | 'from' | 'to'>;
  leaves: readonly (number | null)[];
}

/** The access of each person to repositories on their code hosts, as far as it is known in the period. */
async function accessOf(tx: Tx, query: PopulationQuery): Promise<Map<string, PersonAccess[]>> {
  const [holders, readings] = [await loadHostAccess(tx, query), await loadReadings(tx, query)];
  const found = new Map<string, PersonAccess[]>();
  for (const { kind, person, spans } of holders) {
    if (kind !== 'person' || person === null) continue;
    for (const one of spans) {
      if (one.from >= endOfFacts(query)) continue;
      const ended = knownUntil(one, { readings, part: 'people', query });
      if (!ended) continue;
      const { repository, permission, from, leaves } = one;
      const span = { repository, permission, from, to: ended.to };
      found.set(person, [...(found.get(person) ?? []), { span, leaves: [...leaves, ended.leaf] }]);
    }
  }
  return found;
}

/** Splits access where the membership changed. */
const splitByMembership = (access: readonly PersonAccess[], periods: readonly MembershipPeriod[]) =>
  access.flatMap(({ span, leaves }) =>
    periods.flatMap((period): { span: HostAccessSpan; leaves: readonly (number | null)[] }[] => {
      const from = latest(span.from, period.from);
      const to = period.until === null ? span.to : earliest(span.to, period.until);
      if (from >= to) return [];
      const { membership, since, until } = period;
      return [{ span: { ...span, from, to, membership, since, until }, leaves: [...leaves, period.leaf] }];
    }),
  );

interface MembershipPeriod extends MembershipFact {
  from: string;
  since: string | null;
  until: string | null;
}

/** The periods in which the membership of a person did not change. */
function membershipPeriods(
  members: MembershipReader,
  accounts: readonly string[],
  start: string,
): readonly MembershipPeriod[] {
  const changes = accounts.flatMap((account) => members.within(account, '', LAST_TIME).map(({ at }) => at));
  const times = ['', ...new Set([start, ...changes].toSorted())];
  const periods: MembershipPeriod[] = [];
  for (const at of times) {
    const fact = membershipOf(members, accounts, at, start);
    const last = periods.at(-1);
    if (last && statusOfFact(last) === statusOfFact(fact)) continue;
    if (last) last.until = at;
    const status = statusOfFact(fact);
    const since = status === 'active' || status === 'deactivated' ? at : null;
    periods.push({ ...fact, from: at, since, until: null });
  }
  return periods;
}

const LAST_TIME = '9999-12-31T23:59:59.999Z';
const statusOfFact = ({ membership }: MembershipFact) =>
  membership.state === 'missing' ? 'missing' : membership.value;

const BATCH_SIZE = 1_000;

interface Act {
  at: string;
  leaf: number | null;
}

async function actsOf(tx: Tx, query: PopulationQuery): Promise<Map<string, Act[]>> {
  const acts = new Map<string, Act[]>();
  const add = (person: string, act: Act) => acts.set(person, [...(acts.get(person) ?? []), act]);
  for (const [person, hours] of await commitHoursByPerson(tx, query)) {
    for (const { first, last, leaf } of hours) {
      add(person, { at: first, leaf });
      if (last !== first) add(person, { at: last, leaf });
    }
  }
  for (const { person, at, leaf } of await reviewsAndMerges(tx, query)) add(person, { at: at.toISOString(), leaf });
  return acts;
}

const reviewsAndMerges = (tx: Tx, { orgId, period, asOf }: PopulationQuery) =>
  tx.query<{ person: string; at: Date; leaf: number | null }>({
    name: 'population.acc-01-acts',
    text: `select v.person_id as person, v.submitted_at as at, entry.leaf::int
           from review v
           ${entryByIdJoinSql('entry', { org: 'v.org_id', parts: `format('["review","%s",%s,%s]', v.repository_id, v.number, to_json(v.review_id))`, epoch: '$2', size: '$3' })}
           where v.org_id = $1 and v.submitted_at >= $4 and v.submitted_at < $5
           union all
           select p.merged_by_person, p.merged_at, entry.leaf::int
           from pull_request p
           ${entryByIdJoinSql('entry', { org: 'p.org_id', parts: `format('["pull_request.merged","%s",%s]', p.repository_id, p.number)`, epoch: '$2', size: '$3' })}
           where p.org_id = $1 and p.merged_at >= $4 and p.merged_at < $5 and p.merged_by_person is not null
           order by 2, 1`,
    values: [orgId, asOf.epoch, asOf.size, period.from, period.to],
  });

type MembershipFact = { membership: AccessRow['acts'][number]['membership']; leaf: number | null };

/** Prefers the active account if a person has several. */
function membershipOf(
  members: MembershipReader,
  accounts: readonly string[],
  at: string,
  start: string,
): MembershipFact {
  const all = accounts.map((account) => members.at(account, at));
  const memberships = all.flatMap((one) => (one.state === 'missing' || one.value === null ? [] : [one.value]));
  const active = memberships.find(({ status }) => status === 'active' || status === 'accepted');
  if (active) return { membership: known('active'), leaf: active.leaf };
  if (all.some(({ state }) => state === 'missing')) return { membership: missing, leaf: null };
  const [former] = memberships;
  if (former) return { membership: known('deactivated'), leaf: former.leaf };
  return { membership: at >= start ? known('never') : missing, leaf: null };
}
