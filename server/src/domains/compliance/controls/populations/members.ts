import type { Fact } from '@sightline/evidence/controls/facts.ts';
import { entryOrLegacyJoinSql } from '#core/recorded-facts.ts';
import type { Tx } from '#database/database.ts';
import { historyStart } from './ledger-entry-joins.ts';
import type { PopulationQuery } from './population.ts';
import { known, missing } from './row-values.ts';

export interface Membership {
  at: string;
  role: string | null;
  status: 'accepted' | 'active' | 'deactivated' | 'removed';
  leaf: number | null;
}

export interface MembershipReader {
  /** Every account with a recorded membership. */
  accounts: readonly string[];
  /** The membership of an account; null before it joined; missing before memberships were recorded. */
  at: (account: string, moment: string) => Fact<Membership | null>;
  /** The memberships that began from one time until before another. */
  within: (account: string, from: string, to: string) => readonly Membership[];
}

/** Returns the memberships at the ledger size. */
export async function loadMemberships(tx: Tx, { orgId, asOf }: PopulationQuery): Promise<MembershipReader> {
  const start = await historyStart(tx, orgId);
  const rows = await tx.query<{
    account: string;
    at: Date;
    role: string | null;
    status: Membership['status'];
    leaf: number | null;
  }>({
    name: 'population.members',
    text: `select c.account_id as account, c.at, c.role_id as role, c.status, entry.leaf::int
           from member_change c ${entryOrLegacyJoinSql('entry', { fact: 'c', epoch: '$2', size: '$3' })}
           where c.org_id = $1 order by c.at, c.account_id`,
    values: [orgId, asOf.epoch, asOf.size],
  });
  const changes = new Map<string, Membership[]>();
  for (const { account, at, ...row } of rows) {
    changes.set(account, [...(changes.get(account) ?? []), { ...row, at: at.toISOString() }]);
  }
  return {
    accounts: [...changes.keys()],
    at(account, moment) {
      const last = (changes.get(account) ?? []).findLast(({ at }) => at <= moment);
      if (last) return known(last);
      return moment >= start ? known(null) : missing;
    },
    within: (account, from, to) => (changes.get(account) ?? []).filter(({ at }) => at >= from && at < to),
  };
}
