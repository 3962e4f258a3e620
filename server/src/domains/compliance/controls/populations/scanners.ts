import { connectedScanSources, maybeScanSource } from '@sightline/contract/core/scan-sources.ts';
import type { Fact } from '@sightline/evidence/controls/facts.ts';
import { entryOrLegacyJoinSql } from '#core/recorded-facts.ts';
import type { Tx } from '#database/database.ts';
import { historyStart } from './ledger-entry-joins.ts';
import type { PopulationQuery } from './population.ts';
import { known, missing } from './row-values.ts';

const changeScanners = connectedScanSources.filter((source) => maybeScanSource(source)?.scansChanges);

type ScannerState = 'working' | 'failing' | 'not_configured' | 'unknown';

export interface ScannerStates {
  /** The state of code scanners in a repository between two times. */
  around: (
    repository: string,
    from: string,
    until: string,
  ) => {
    state: Fact<'working' | 'failing' | 'not_configured'>;
    leaves: readonly (number | null)[];
    /** Whether Sightline receives every run of every scanner, with commit and time. */
    reportsEveryRun: boolean;
  };
  /** Whether any scanner was connected in a repository and working. */
  at: (repository: string, moment: string) => Fact<'active' | 'inactive'>;
}

interface ConnectionChange {
  at: string;
  state: 'working' | 'failing' | 'forbidden' | 'not_configured';
  leaf: number | null;
}

interface DeliveryFact {
  at: string;
  isOk: boolean;
  leaf: number | null;
}

const week = 7 * 24 * 3_600_000;

/** Returns the scanner states of the period at the ledger size. */
export async function loadScannerStates(tx: Tx, query: PopulationQuery): Promise<ScannerStates> {
  const start = await historyStart(tx, query.orgId);
  const changes = await changesOf(tx, query);
  const deliveries = await deliveriesOf(tx, query);
  const changesIn = (repository: string | null, source: string) => changes.get(`${repository ?? ''} ${source}`) ?? [];

  function stateAt(repository: string | null, source: string, moment: string): ScannerState {
    const last = changesIn(repository, source).findLast(({ at }) => at <= moment);
    if (last) return last.state === 'forbidden' ? 'failing' : last.state;
    return moment >= start ? 'not_configured' : 'unknown';
  }

  /** The state in one repository; the connection of the scanner may fail for all repositories. */
  function stateOf(repository: string, source: string, moment: string): ScannerState {
    const here = stateAt(repository, source, moment);
    return maybeScanSource(source)?.via === 'scanner' && here === 'working' ? stateAt(null, source, moment) : here;
  }

  /** The state of build uploads, which is only visible in their deliveries. */
  function stateOfBuilds(repository: string, from: string, until: string): ScannerState {
    const all = (deliveries.get(repository) ?? []).filter(({ at }) => at <= until);
    if (all.length === 0) return 'not_configured';
    const near = all.filter(({ at }) => Date.parse(at) >= Date.parse(from) - week);
    const last = all.findLast(({ at }) => at <= from);
    if (last?.isOk === false || near.some(({ at, isOk }) => at > from && !isOk)) return 'failing';
    return near.some(({ isOk }) => isOk) ? 'working' : 'unknown';
  }

  return {
    around(repository, from, until) {
      const moments = (source: string) => [
        from,
        ...[...changesIn(repository, source), ...changesIn(null, source)]
          .map(({ at }) => at)
          .filter((at) => at > from && at <= until),
      ];
      const connected = changeScanners.map((source) =>
        worstState(moments(source).map((moment) => stateOf(repository, source, moment))),
      );
      const builds = stateOfBuilds(repository, from, until);
      const state = combinedState([...connected, builds]);
      const leaves = changeScanners.flatMap((source) =>
        [changesIn(repository, source), changesIn(null, source)].map(
          (list) => list.findLast(({ at }) => at <= until)?.leaf ?? null,
        ),
      );
      const reportsEveryRun = builds !== 'not_configured' && connected.every((one) => one === 'not_configured');
      return { state: state === 'unknown' ? missing : known(state), leaves, reportsEveryRun };
    },
    at(repository, moment) {
      const states = connectedScanSources.map((source) => stateOf(repository, source, moment));
      const isSent = (deliveries.get(repository) ?? []).some(({ at }) => at <= moment);
      if (isSent || states.includes('working')) return known('active');
      return states.includes('unknown') ? missing : known('inactive');
    },
  };
}

const worstState = (states: readonly ScannerState[]): ScannerState =>
  (['failing', 'unknown', 'working'] as const).find((state) => states.includes(state)) ?? 'not_configured';

function combinedState(states: readonly ScannerState[]): ScannerState {
  if (states.includes('failing')) return 'failing';
  return states.includes('unknown') ? 'unknown' : worstState(states);
}

async function changesOf(tx: Tx, { orgId, period, asOf }: PopulationQuery): Promise<Map<string, ConnectionChange[]>> {
  const rows = await tx.query<{
    repository: string | null;
    source: string;
    at: Date;
    state: ConnectionChange['state'];
    leaf: number | null;
  }>({
    name: 'population.scanner-states',
    text: `select c.repository_id as repository, c.source, c.at, c.state, entry.leaf::int
           from scanner_state_change c ${entryOrLegacyJoinSql('entry', { fact: 'c', epoch: '$2', size: '$3' })}
           where c.org_id = $1 and c.at < $4::timestamptz + interval '7 days' order by c.at, c.id`,
    values: [orgId, asOf.epoch, asOf.size, period.to],
  });
  const changes = new Map<string, ConnectionChange[]>();
  for (const { repository, source, at, ...row } of rows) {
    const key = `${repository ?? ''} ${source}`;
    changes.set(key, [...(changes.get(key) ?? []), { ...row, at: at.toISOString() }]);
  }
  return changes;
}

/** The build uploads of the period and the quarter before, by repository. */
async function deliveriesOf(tx: Tx, { orgId, period, asOf }: PopulationQuery): Promise<Map<string, DeliveryFact[]>> {
  const rows = await tx.query<{ repository: string; at: Date; state: string; leaf: number | null }>({
    name: 'population.scans-sent',
    text: `select s.repository_id as repository, s.finished_at as at, s.state, entry.leaf::int
           from scan s ${entryOrLegacyJoinSql('entry', { fact: 's', epoch: '$2', size: '$3' })}
           where s.org_id = $1 and s.source = 'sarif' and s.state in ('done', 'failed')
             and s.finished_at >= $4::timestamptz - interval '92 days' and s.finished_at < $5::timestamptz + interval '7 days'
           order by s.finished_at, s.id`,
    values: [orgId, asOf.epoch, asOf.size, period.from, period.to],
  });
  const deliveries = new Map<string, DeliveryFact[]>();
  for (const { repository, at, state, leaf } of rows) {
    const one = { at: at.toISOString(), isOk: state === 'done', leaf };
    const list = deliveries.get(repository);
    if (list) list.push(one);
    else deliveries.set(repository, [one]);
  }
  return deliveries;
}
