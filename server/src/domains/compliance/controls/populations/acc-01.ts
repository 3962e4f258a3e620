import type { AccessRow } from '@sightline/evidence/controls/rows.ts';
import type { Tx } from '#database/database.ts';
import { commitsOf } from './commits.ts';
import { known, missing, placesOf } from './known.ts';
import { type Members, membersOf } from './members.ts';
import { standingOf } from './people.ts';
import type { Population, PopulationQuery } from './population.ts';
import { heldById, historyStart } from './since.ts';

/**
 * Whoever committed, reviewed or merged in the period, with what they were then. Of commits, the first and the last of each hour are told. Who has no account
 * here never was a member, unless the act is older than what we know of members.
 */
export const population: Population<AccessRow> = {
  async *rows(tx, asked) {
    const [acts, members] = [await actsOf(tx, asked), await membersOf(tx, asked)];
    const start = await historyStart(tx, asked.orgId);
    const standing = await standingOf(tx, asked.orgId, [...acts.keys()]);
    const rows = [...acts].map(([id, own]): AccessRow => {
      const { person, accounts } = standing(id);
      const told = own.map(({ at }) => ({ at, ...membershipOf(members, accounts, at, start) }));
      return {
        subject: `person:${id}`,
        repository: null,
        leaf: null,
        leaves: placesOf([...own.map(({ leaf }) => leaf), ...told.map(({ leaf }) => leaf)]),
        waivers: [],
        periodFrom: asked.period.from,
        person,
        acts: told.map(({ at, membership }) => ({ at, membership })),
      };
    });
    for (let at = 0; at < rows.length; at += batch) yield rows.slice(at, at + batch);
  },
  async completeness(tx, asked) {
    const found = (await actsOf(tx, asked)).size;
    return [{ source: 'members', expected: found, found }];
  },
};

const batch = 1_000;

interface Act {
  at: string;
  leaf: number | null;
}

async function actsOf(tx: Tx, asked: PopulationQuery): Promise<Map<string, Act[]>> {
  const acts = new Map<string, Act[]>();
  const add = (person: string, act: Act) => acts.set(person, [...(acts.get(person) ?? []), act]);
  for (const [person, hours] of await commitsOf(tx, asked)) {
    for (const { first, last, leaf } of hours) {
      add(person, { at: first, leaf });
      if (last !== first) add(person, { at: last, leaf });
    }
  }
  for (const { person, at, leaf } of await reviewsAndMerges(tx, asked)) add(person, { at: at.toISOString(), leaf });
  return acts;
}

const reviewsAndMerges = (tx: Tx, { orgId, period, asOf }: PopulationQuery) =>
  tx.query<{ person: string; at: Date; leaf: number | null }>({
    name: 'population.acc-01-acts',
    text: `select v.person_id as person, v.submitted_at as at, held.leaf::int
           from review v
           ${heldById('held', { org: 'v.org_id', parts: `format('["review","%s",%s,%s]', v.repository_id, v.number, to_json(v.review_id))`, epoch: '$2', size: '$3' })}
           where v.org_id = $1 and v.submitted_at >= $4 and v.submitted_at < $5
           union all
           select p.merged_by_person, p.merged_at, held.leaf::int
           from pull_request p
           ${heldById('held', { org: 'p.org_id', parts: `format('["pull_request.merged","%s",%s]', p.repository_id, p.number)`, epoch: '$2', size: '$3' })}
           where p.org_id = $1 and p.merged_at >= $4 and p.merged_at < $5 and p.merged_by_person is not null
           order by 2, 1`,
    values: [orgId, asOf.epoch, asOf.size, period.from, period.to],
  });

type MembershipFact = { membership: AccessRow['acts'][number]['membership']; leaf: number | null };

/** Of several accounts of one person, the one that was in. */
function membershipOf(members: Members, accounts: readonly string[], at: string, start: string): MembershipFact {
  const all = accounts.map((account) => members.at(account, at));
  const standing = all.flatMap((one) => (one.state === 'missing' || one.value === null ? [] : [one.value]));
  const active = standing.find(({ status }) => status === 'active' || status === 'accepted');
  if (active) return { membership: known('active'), leaf: active.leaf };
  if (all.some(({ state }) => state === 'missing')) return { membership: missing, leaf: null };
  const [gone] = standing;
  if (gone) return { membership: known('deactivated'), leaf: gone.leaf };
  return { membership: at >= start ? known('never') : missing, leaf: null };
}
