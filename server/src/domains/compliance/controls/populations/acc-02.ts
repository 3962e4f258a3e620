import { independentCount } from '@sightline/evidence/controls/completeness.ts';
import type { Actor } from '@sightline/evidence/controls/persons.ts';
import type { ReviewLineRow } from '@sightline/evidence/controls/rows.ts';
import { entryJoinSql } from '#core/recorded-facts.ts';
import type { Tx } from '#database/database.ts';
import { grantsToReview, type HolderAccess, repositoriesOfGrant } from '../../../sources/host-access/queries.ts';
import { type Absence, leftAt, loadDepartures } from './departures.ts';
import { accessCompleteness, loadHostAccess } from './host-access.ts';
import { loadMemberships, type Membership, type MembershipReader } from './members.ts';
import { humanReader, personReader } from './people.ts';
import type { Population, PopulationQuery } from './population.ts';
import { distinctLeaves, earliest, known } from './row-values.ts';

/**
 * Members and access on code hosts at the end of each quarter in the period, or at the checkpoint in the current
 * quarter, and members and access that were added and removed during the quarter.
 */
export const population: Population<ReviewLineRow> = {
  async *rows(tx, query) {
    const [quarters, members, lines] = [quartersOf(query), await loadMemberships(tx, query), await linesOf(tx, query)];
    const accounts = [...members.accounts, ...[...lines.values()].flatMap(({ reviewer }) => reviewer ?? [])];
    const human = await humanReader(tx, query.orgId, accounts);
    const absences = await loadDepartures(tx, query);
    yield* hostRows(tx, query, quarters, absences);
    for (const { start, end } of quarters) {
      const moment = justBefore(earliest(end, query.asOf.at));
      yield members.accounts.flatMap((account): ReviewLineRow[] => {
        return reviewedMemberships(members, account, { start, moment }).map(({ role, status, leaf }): ReviewLineRow => {
          const line = lines.get([start.slice(0, 10), account, role].join(' '));
          return {
            subject: `access:${start.slice(0, 10)}:${account}:${role}`,
            repository: null,
            leaf: line?.leaf ?? null,
            leaves: distinctLeaves([leaf, ...(line ? [line.leaf, line.decidedLeaf, line.signedLeaf] : [])]),
            waivers: [],
            quarterStart: start,
            quarterEnd: end,
            evaluatedAt: query.asOf.at,
            person: human(account),
            hostAccess: null,
            isInForce: status === 'active',
            leftDirectoryAt: leftAt(absences, human(account), moment),
            // An undecided item counts as no item.
            line: known(
              line?.decision && line.reviewer !== null
                ? {
                    reviewer: human(line.reviewer),
                    decision: line.decision,
                    signedAt: line.signedAt?.toISOString() ?? null,
                  }
                : null,
            ),
          };
        });
      });
    }
  },
  async completeness(tx, query) {
    const [quarters, members] = [quartersOf(query), await loadMemberships(tx, query)];
    const counts = quarters.map(({ end }) => {
      const moment = justBefore(earliest(end, query.asOf.at));
      const facts = members.accounts.map((account) => members.at(account, moment));
      return { all: facts.length, known: facts.filter(({ state }) => state === 'complete').length };
    });
    const sum = (values: readonly number[]) => values.reduce((one, other) => one + other, 0);
    return [
      independentCount('members', {
        expected: sum(counts.map(({ all }) => all)),
        found: sum(counts.map((one) => one.known)),
      }),
      await accessCompleteness(tx, { ...query, period: spanOf(quarters) }, ['people', 'keys', 'apps']),
    ];
  },
};

/**
 * The memberships of an account that the review of a quarter must contain: the active one at its end, or each role of a
 * person who were added and removed during it.
 */
function reviewedMemberships(
  members: MembershipReader,
  account: string,
  { start, moment }: { start: string; moment: string },
): readonly ReviewedMembership[] {
  const [before, last] = [members.at(account, justBefore(start)), members.at(account, moment)];
  if (last.state === 'missing') return [];
  if (last.value?.status === 'active') return withRole([last.value], 'active');
  const wasMember = before.state !== 'missing' && isMember(before.value);
  if (last.value?.status === 'accepted' || wasMember) return [];
  const during = withRole(members.within(account, start, moment).filter(isMember), 'left');
  return [...new Map(during.map((membership) => [membership.role, membership])).values()];
}

type ReviewedMembership = Pick<Membership, 'leaf'> & { role: string; status: 'active' | 'left' };

const withRole = (
  memberships: readonly Membership[],
  status: ReviewedMembership['status'],
): readonly ReviewedMembership[] =>
  memberships.flatMap(({ role, leaf }) => (role === null ? [] : [{ role, status, leaf }]));

const isMember = (membership: Membership | null): boolean =>
  membership?.status === 'active' || membership?.status === 'accepted';

const justBefore = (at: string): string => new Date(Date.parse(at) - 1).toISOString();

/** From the start of the first quarter to the end of the last; empty without quarters. */
const spanOf = (quarters: readonly Quarter[]): PopulationQuery['period'] => ({
  from: quarters[0]?.start ?? NO_TIME,
  to: quarters.at(-1)?.end ?? NO_TIME,
});
const NO_TIME = new Date(0).toISOString();

type Quarter = { start: string; end: string };

/** Access on code hosts that a review has to contain: a row for each item of the review, and one for the rest. */
async function* hostRows(
  tx: Tx,
  query: PopulationQuery,
  quarters: readonly Quarter[],
  absences: ReadonlyMap<string, readonly Absence[]>,
): AsyncGenerator<ReviewLineRow[]> {
  const [holders, items] = [await loadHostAccess(tx, query), await hostItemsOf(tx, query)];
  const reviewers = items.flatMap(({ reviewer }) => reviewer ?? []);
  const human = await humanReader(tx, query.orgId, reviewers);
  const actorOf = await holderReader(tx, query.orgId, holders);
  for (const { start, end } of quarters) {
    const moment = justBefore(earliest(end, query.asOf.at));
    const day = start.slice(0, 10);
    for (const { holder, permission, spans, inForce } of grantsToReview(holders, { from: start, moment })) {
      const isOf = (item: StoredHostItem) =>
        item.quarter === day && item.holder === holder.holder && item.permission === permission;
      const rows: ReviewLineRow[] = [];
      const toRow = (name: string, repositories: readonly string[], item?: StoredHostItem): ReviewLineRow => ({
        subject: `host-access:${day}:${holder.holder}:${permission}:${name}`,
        repository: null,
        leaf: item?.leaf ?? null,
        leaves: distinctLeaves([
          ...spans.filter(({ repository }) => repositories.includes(repository)).flatMap(({ leaves }) => leaves),
          ...(item ? [item.leaf, item.decidedLeaf, item.signedLeaf] : []),
        ]),
        waivers: [],
        quarterStart: start,
        quarterEnd: end,
        evaluatedAt: query.asOf.at,
        person: actorOf(holder),
        hostAccess: { permission, repositories },
        isInForce: repositories.some((one) => inForce.includes(one)),
        leftDirectoryAt: holder.kind === 'person' ? leftAt(absences, actorOf(holder), moment) : null,
        line: known(
          item?.decision && item.reviewer !== null
            ? {
                reviewer: human(item.reviewer),
                decision: item.decision,
                signedAt: item.signedAt?.toISOString() ?? null,
              }
            : null,
        ),
      });
      let rest = repositoriesOfGrant({ spans });
      for (const item of items.filter(isOf)) {
        const covered = rest.filter((one) => item.repositories.includes(one));
        rest = rest.filter((one) => !covered.includes(one));
        if (covered.length > 0) rows.push(toRow(item.id, covered, item));
      }
      if (rest.length > 0) rows.push(toRow('none', rest));
      yield rows;
    }
  }
}

/** Returns the actor of a holder. A deploy key or app is a program, which the person who added it must not review. */
async function holderReader(
  tx: Tx,
  orgId: string,
  holders: readonly HolderAccess[],
): Promise<(holder: HolderAccess) => Actor> {
  const statusOf = await personReader(
    tx,
    orgId,
    holders.flatMap(({ person }) => person ?? []),
  );
  return ({ kind, holder, person }) => {
    if (kind === 'person')
      return person === null ? { kind: 'unknown', identity: 'unresolved' } : statusOf(person).person;
    const by = person === null ? undefined : { sameAs: [{ person }] };
    return { kind: 'agent', identity: 'resolved', person: holder, ...by };
  };
}

interface StoredHostItem extends Record<string, unknown> {
  id: string;
  quarter: string;
  holder: string;
  permission: string;
  repositories: string[];
  reviewer: string | null;
  decision: 'kept' | 'changed' | null;
  signedAt: Date | null;
  leaf: number | null;
  decidedLeaf: number | null;
  signedLeaf: number | null;
}

/** Items about access on code hosts with their last decision, in the order in which they were added. */
const hostItemsOf = (tx: Tx, { orgId, period, asOf }: PopulationQuery): Promise<StoredHostItem[]> =>
  tx.query<StoredHostItem>({
    name: 'population.acc-02-host',
    text: `select l.id, to_char(r.quarter, 'YYYY-MM-DD') as quarter, l.holder_id as holder, l.permission, l.repositories,
             entry.leaf::int, d.reviewer, d.decision, d.leaf::int as "decidedLeaf", s.leaf::int as "signedLeaf", s.at as "signedAt"
           from access_review r
           join access_review_host_item l on l.org_id = r.org_id and l.review_id = r.id
           ${entryJoinSql('entry', { fact: 'l', epoch: '$2', size: '$3' })}
           left join lateral (
             select d.reviewer, d.decision, d.at, decided.leaf from access_review_host_decision d
             ${entryJoinSql('decided', { fact: 'd', epoch: '$2', size: '$3' })}
             where d.org_id = l.org_id and d.review_id = l.review_id and d.item_id = l.id order by d.at desc limit 1) d on true
           left join lateral (
             select g.at, signed.leaf from access_review_signature g
             ${entryJoinSql('signed', { fact: 'g', epoch: '$2', size: '$3' })}
             where g.org_id = r.org_id and g.review_id = r.id and g.at >= coalesce(d.at, l.added_at) order by g.at limit 1) s on true
           where r.org_id = $1 and r.quarter >= ($4::timestamptz - interval '3 months')::date and r.quarter < $5::timestamptz::date
           order by r.quarter, l.added_at, l.id`,
    values: [orgId, asOf.epoch, asOf.size, period.from, period.to],
  });

/** The quarters that end in the period, in UTC. */
function quartersOf({ period, asOf }: PopulationQuery): readonly Quarter[] {
  const from = new Date(period.from);
  const quarters: { start: string; end: string }[] = [];
  for (let at = quarterOf(from); ; ) {
    const end = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 3, 1));
    if (end.toISOString() > period.to || at.toISOString() > asOf.at) return quarters;
    if (end > from) quarters.push({ start: at.toISOString(), end: end.toISOString() });
    at = end;
  }
}

const quarterOf = (at: Date): Date => new Date(Date.UTC(at.getUTCFullYear(), Math.floor(at.getUTCMonth() / 3) * 3, 1));

interface StoredReviewLine extends Record<string, unknown> {
  quarter: string;
  account: string;
  role: string;
  reviewer: string | null;
  decision: 'kept' | 'changed' | null;
  signedAt: Date | null;
  leaf: number | null;
  decidedLeaf: number | null;
  signedLeaf: number | null;
}

/** Review items with their last decision, by quarter, account and role. */
async function linesOf(tx: Tx, { orgId, period, asOf }: PopulationQuery): Promise<Map<string, StoredReviewLine>> {
  const rows = await tx.query<StoredReviewLine>({
    name: 'population.acc-02',
    text: `select to_char(r.quarter, 'YYYY-MM-DD') as quarter, l.account_id as account, l.role_id as role, entry.leaf::int,
             d.reviewer, d.decision, d.leaf::int as "decidedLeaf", s.leaf::int as "signedLeaf",
             s.at as "signedAt"
           from access_review r
           join access_review_item l on l.org_id = r.org_id and l.review_id = r.id
           ${entryJoinSql('entry', { fact: 'l', epoch: '$2', size: '$3' })}
           left join lateral (
             select d.reviewer, d.decision, d.at, decided.leaf from access_review_decision d
             ${entryJoinSql('decided', { fact: 'd', epoch: '$2', size: '$3' })}
             where d.org_id = l.org_id and d.review_id = l.review_id and d.account_id = l.account_id and d.role_id = l.role_id
             order by d.at desc limit 1) d on true
           left join lateral (
             select g.at, signed.leaf from access_review_signature g
             ${entryJoinSql('signed', { fact: 'g', epoch: '$2', size: '$3' })}
             where g.org_id = r.org_id and g.review_id = r.id and g.at >= coalesce(d.at, l.added_at) order by g.at limit 1) s on true
           where r.org_id = $1 and r.quarter >= ($4::timestamptz - interval '3 months')::date and r.quarter < $5::timestamptz::date
           order by r.quarter, l.account_id, l.role_id`,
    values: [orgId, asOf.epoch, asOf.size, period.from, period.to],
  });
  return new Map(rows.map((row) => [[row.quarter, row.account, row.role].join(' '), row]));
}
