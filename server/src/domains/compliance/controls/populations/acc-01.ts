import type { AccessRow } from '@sightline/evidence/controls/rows.ts';
import type { Tx } from '#database/database.ts';
import { commitHoursByPerson } from './commits.ts';
import { entryByIdJoinSql, historyStart } from './ledger-entry-joins.ts';
import { loadMemberships, type MembershipReader } from './members.ts';
import { personReader } from './people.ts';
import type { Population, PopulationQuery } from './population.ts';
import { mergeCompleteness, pushCompleteness } from './push-completeness.ts';
import { distinctLeaves, known, missing } from './row-values.ts';

/**
 * Persons who committed, reviewed or merged in the period, with their membership at that time. Of commits, only the
 * first and last of each hour count. A person without account was never a member, unless the act precedes the recorded
 * memberships.
 */
export const population: Population<AccessRow> = {
  async *rows(tx, query) {
    const [acts, members] = [await actsOf(tx, query), await loadMemberships(tx, query)];
    const start = await historyStart(tx, query.orgId);
    const statusOf = await personReader(tx, query.orgId, [...acts.keys()]);
    const rows = [...acts].map(([id, own]): AccessRow => {
      const { person, accounts } = statusOf(id);
      const actsWithMembership = own.map(({ at }) => ({ at, ...membershipOf(members, accounts, at, start) }));
      return {
        subject: `person:${id}`,
        repository: null,
        leaf: null,
        leaves: distinctLeaves([...own.map(({ leaf }) => leaf), ...actsWithMembership.map(({ leaf }) => leaf)]),
        waivers: [],
        periodFrom: query.period.from,
        person,
        acts: actsWithMembership.map(({ at, membership }) => ({ at, membership })),
      };
    });
    for (let at = 0; at < rows.length; at += BATCH_SIZE) yield rows.slice(at, at + BATCH_SIZE);
  },
  completeness: async (tx, query) => [await pushCompleteness(tx, query), await mergeCompleteness(tx, query)],
};

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
