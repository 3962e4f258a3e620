import type { Fact } from '@sightline/evidence/controls/known.ts';
import type { Tx } from '#database/database.ts';
import { known, missing } from './known.ts';
import type { PopulationQuery } from './population.ts';
import { heldOrOlder, historyStart } from './since.ts';

type ScannerState = 'working' | 'failing' | 'not_configured' | 'unknown';

export interface Scanners {
  /** How those that look at code were in a repository from a moment until another. */
  around: (
    repository: string,
    from: string,
    until: string,
  ) => {
    state: Fact<'working' | 'failing' | 'not_configured'>;
    leaves: readonly (number | null)[];
    /** Whether each run of each of them is told to us, with its commit and when it ran. */
    tellsEveryRun: boolean;
  };
  /** Whether any scanner was set up in a repository and worked. */
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

/** How scanners were in the period, as the ledger held it then. */
export async function scannersOf(tx: Tx, asked: PopulationQuery): Promise<Scanners> {
  const start = await historyStart(tx, asked.orgId);
  const changes = await changesOf(tx, asked);
  const sent = await sentOf(tx, asked);
  const told = (repository: string | null, source: string) => changes.get(`${repository ?? ''} ${source}`) ?? [];

  function stateAt(repository: string | null, source: string, moment: string): ScannerState {
    const last = told(repository, source).findLast(({ at }) => at <= moment);
    if (last) return last.state === 'forbidden' ? 'failing' : last.state;
    return moment >= start ? 'not_configured' : 'unknown';
  }

  /** In one repository, where what connects the scanner may fail for all. */
  function stateOf(repository: string, source: string, moment: string): ScannerState {
    const here = stateAt(repository, source, moment);
    return source === 'checkmarx' && here === 'working' ? stateAt(null, source, moment) : here;
  }

  /** What builds send: how it was is only seen by what came. */
  function stateOfBuilds(repository: string, from: string, until: string): ScannerState {
    const all = (sent.get(repository) ?? []).filter(({ at }) => at <= until);
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
        ...[...told(repository, source), ...told(null, source)]
          .map(({ at }) => at)
          .filter((at) => at > from && at <= until),
      ];
      const connected = ['code_scanning', 'checkmarx'].map((source) =>
        worst(moments(source).map((moment) => stateOf(repository, source, moment))),
      );
      const builds = stateOfBuilds(repository, from, until);
      const state = together([...connected, builds]);
      const leaves = ['code_scanning', 'checkmarx'].flatMap((source) =>
        [told(repository, source), told(null, source)].map(
          (list) => list.findLast(({ at }) => at <= until)?.leaf ?? null,
        ),
      );
      const tellsEveryRun = builds !== 'not_configured' && connected.every((one) => one === 'not_configured');
      return { state: state === 'unknown' ? missing : known(state), leaves, tellsEveryRun };
    },
    at(repository, moment) {
      const states = ['code_scanning', 'dependabot', 'secret_scanning', 'checkmarx'].map((source) =>
        stateOf(repository, source, moment),
      );
      const isSent = (sent.get(repository) ?? []).some(({ at }) => at <= moment);
      if (isSent || states.includes('working')) return known('active');
      return states.includes('unknown') ? missing : known('inactive');
    },
  };
}

const worst = (states: readonly ScannerState[]): ScannerState =>
  (['failing', 'unknown', 'working'] as const).find((state) => states.includes(state)) ?? 'not_configured';

function together(states: readonly ScannerState[]): ScannerState {
  if (states.includes('failing')) return 'failing';
  return states.includes('unknown') ? 'unknown' : worst(states);
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
    text: `select c.repository_id as repository, c.source, c.at, c.state, held.leaf::int
           from scanner_state_change c ${heldOrOlder('held', { fact: 'c', epoch: '$2', size: '$3' })}
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

/** What builds sent in the period and a quarter before, by repository. */
async function sentOf(tx: Tx, { orgId, period, asOf }: PopulationQuery): Promise<Map<string, DeliveryFact[]>> {
  const rows = await tx.query<{ repository: string; at: Date; state: string; leaf: number | null }>({
    name: 'population.scans-sent',
    text: `select s.repository_id as repository, s.finished_at as at, s.state, held.leaf::int
           from scan s ${heldOrOlder('held', { fact: 's', epoch: '$2', size: '$3' })}
           where s.org_id = $1 and s.source = 'sarif' and s.state in ('done', 'failed')
             and s.finished_at >= $4::timestamptz - interval '92 days' and s.finished_at < $5::timestamptz + interval '7 days'
           order by s.finished_at, s.id`,
    values: [orgId, asOf.epoch, asOf.size, period.from, period.to],
  });
  const sent = new Map<string, DeliveryFact[]>();
  for (const { repository, at, state, leaf } of rows) {
    const one = { at: at.toISOString(), isOk: state === 'done', leaf };
    const list = sent.get(repository);
    if (list) list.push(one);
    else sent.set(repository, [one]);
  }
  return sent;
}
