import type { CommitterRow, DateSpan } from '@sightline/evidence/controls/rows.ts';
import { entryJoinSql } from '#core/recorded-facts.ts';
import type { Tx } from '#database/database.ts';
import { commitHoursByPerson } from './commits.ts';
import { historyStart } from './ledger-entry-joins.ts';
import { personReader } from './people.ts';
import type { Population, PopulationQuery } from './population.ts';
import { pushCompleteness } from './push-completeness.ts';
import { distinctLeaves, earliest, known, missing } from './row-values.ts';

/** Authors of the commits of the period, with the times when an extension was connected. */
export const population: Population<CommitterRow> = {
  async *rows(tx, query) {
    const { period } = query;
    const end = query.asOf.at;
    const [commits, start] = [await commitHoursByPerson(tx, query), await historyStart(tx, query.orgId)];
    const statusOf = await personReader(tx, query.orgId, [...commits.keys()]);
    const accounts = [...commits.keys()].flatMap((id) => statusOf(id).accounts);
    const [signedIn, changes] = [await signedInOf(tx, query, accounts), await changesOf(tx, query, accounts)];
    const rows = [...commits].map(([id, hours]): CommitterRow => {
      const { person, accounts: own } = statusOf(id);
      const connections = own.flatMap((account) => changes.get(account) ?? []);
      const first = earliest(...hours.map(({ hour }) => hour));
      return {
        subject: `person:${id}`,
        repository: null,
        leaf: null,
        leaves: distinctLeaves([
          ...hours.map(({ leaf }) => leaf),
          ...connections.map(({ leaf }) => leaf),
          ...own.map((account) => signedIn.get(account) ?? null),
        ]),
        waivers: [],
        periodFrom: period.from,
        periodTo: period.to,
        person,
        commitHours: hours.map(({ hour }) => hour),
        extension: known(own.some((account) => signedIn.has(account)) ? 'installed' : 'never_connected'),
        presence: first < start ? missing : known(spansOf(connections, end, ({ connected }) => connected)),
        pauses: first < start ? missing : known(spansOf(connections, end, ({ reason }) => reason === 'paused')),
      };
    });
    for (let at = 0; at < rows.length; at += BATCH_SIZE) yield rows.slice(at, at + BATCH_SIZE);
  },
  completeness: async (tx, query) => [await pushCompleteness(tx, query)],
};

const BATCH_SIZE = 1_000;

/** Accounts whose extension ever signed in, with the index of the entry. */
async function signedInOf(
  tx: Tx,
  { orgId, period, asOf }: PopulationQuery,
  accounts: readonly string[],
): Promise<Map<string, number | null>> {
  const rows = await tx.query<{ account: string; leaf: number | null }>({
    name: 'population.cov-01-extensions',
    text: `select distinct on (a.subject_id) a.subject_id as account, entry.leaf::int
           from audit_event a ${entryJoinSql('entry', { fact: 'a', entry: 'id', epoch: '$2', size: '$3' })}
           where a.org_id = $1 and a.action = 'extension.signed_in' and a.subject_id = any($4::text[]) and a.at < $5
           order by a.subject_id, a.at`,
    values: [orgId, asOf.epoch, asOf.size, accounts, period.to],
  });
  return new Map(rows.map(({ account, leaf }) => [account, leaf]));
}

interface ConnectionChange {
  side: string;
  at: string;
  connected: boolean;
  reason: string;
  leaf: number | null;
}

/** The connections and disconnections of accounts by side, since the last connection before the period. */
async function changesOf(
  tx: Tx,
  { orgId, period, asOf }: PopulationQuery,
  accounts: readonly string[],
): Promise<Map<string, ConnectionChange[]>> {
  const rows = await tx.query<Omit<ConnectionChange, 'at'> & { account: string; at: Date }>({
    name: 'population.cov-01-presence',
    text: `select c.account_id as account, c.account_id || c.side as side, c.at, c.connected, c.reason, entry.leaf::int
           from presence_change c ${entryJoinSql('entry', { fact: 'c', epoch: '$2', size: '$3' })}
           where c.org_id = $1 and c.account_id = any($4::uuid[]) and c.at < $6::timestamptz + interval '2 hours'
             and c.at >= coalesce((select max(b.at) from presence_change b where b.org_id = c.org_id and b.account_id = c.account_id
               and b.side = c.side and b.connected and b.at < $5::timestamptz - interval '2 hours'), '-infinity')
           order by c.at, not c.connected`,
    values: [orgId, asOf.epoch, asOf.size, accounts, period.from, period.to],
  });
  const changes = new Map<string, ConnectionChange[]>();
  for (const { account, at, ...row } of rows) {
    changes.set(account, [...(changes.get(account) ?? []), { ...row, at: at.toISOString() }]);
  }
  return changes;
}

/** The spans per side from a change that begins one to the next change that does not; an open span ends at `end`. */
function spansOf(
  connections: readonly ConnectionChange[],
  end: string,
  begins: (change: ConnectionChange) => boolean,
): DateSpan[] {
  const spans: DateSpan[] = [];
  for (const [, side] of Map.groupBy(connections, (change) => change.side)) {
    let from: string | undefined;
    for (const change of side) {
      if (begins(change)) from ??= change.at;
      else if (from !== undefined) {
        spans.push({ from, to: change.at });
        from = undefined;
      }
    }
    if (from !== undefined && from < end) spans.push({ from, to: end });
  }
  return spans;
}
