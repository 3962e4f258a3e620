import type { FindingDetail } from '@sightline/contract/vulnerabilities/findings.ts';
import { sql } from 'kysely';
import type { Tx } from '#database/database.ts';

type HistoryEntry = FindingDetail['history'][number];

interface FindingHistory {
  id: string;
  sources: FindingDetail['sources'];
  /** Display names of scanners by key. */
  names: ReadonlyMap<string, string>;
  decisions: readonly HistoryEntry[];
  introducedBy: FindingDetail['introducedBy'];
}

/** Returns the history of a finding, latest first: scanner results, decisions and its introduction. */
export async function findingHistoryOf(tx: Tx, orgId: string, finding: FindingHistory): Promise<HistoryEntry[]> {
  const { id, sources, names, decisions, introducedBy } = finding;
  const nameOf = (tool: string) => names.get(tool) ?? tool;
  const entries = [
    ...decisions,
    ...introductionEntries(introducedBy),
    ...sources.flatMap(groupingEntries),
    ...(await firstSeenEntries(tx, orgId, id, nameOf)),
    ...(await stateChangeEntries(tx, orgId, id, nameOf)),
  ];
  return entries.toSorted((one, other) => other.at.localeCompare(one.at));
}

function introductionEntries(by: FindingDetail['introducedBy']): HistoryEntry[] {
  if (!by) return [];
  const request = by.pullRequest === null ? '' : ` of pull request #${by.pullRequest}`;
  const agentText = by.agent === null ? '' : `, with ${by.agent}`;
  const action =
    by.confidence === 'inferred' ? 'made the last known change to the file before, in' : 'wrote the code in';
  return [
    {
      at: by.at,
      kind: 'introduced',
      phrase: `${action} ${short(by.commit)}${request}${agentText}`,
      actor: { kind: 'person', id: by.actor.login ?? '', name: by.actor.name },
      comment: by.reason,
    },
  ];
}

/** Explains why a later source was grouped with the finding. */
function groupingEntries({ reason, tool, explanation, instances }: FindingHistory['sources'][number]): HistoryEntry[] {
  const at = instances.map(({ firstSeen }) => firstSeen).sort()[0];
  if (at === undefined || (reason !== 'moved' && reason !== 'same_location')) return [];
  const phrase = reason === 'moved' ? 'found it at a new location' : 'also found it';
  return [{ at, kind: 'moved', phrase, actor: scanner(tool.id, tool.name), comment: explanation }];
}

// Limit per kind of history entry.
const MAX_ENTRIES = 200;

interface InstanceRow {
  at: Date;
  tool: string;
  ref: string;
  commit_sha: string | null;
  fixed_at: Date | null;
}

/** When each scanner first reported the finding on each ref. */
async function firstSeenEntries(
  tx: Tx,
  orgId: string,
  id: string,
  nameOf: (tool: string) => string,
): Promise<HistoryEntry[]> {
  const { rows } = await sql<InstanceRow>`
    select i.first_seen as at, a.tool, i.ref, scan.commit_sha,
      case when not exists (select from finding_change t where t.org_id = i.org_id and t.repository_id = i.repository_id
        and t.fingerprint = i.fingerprint and t.analysis = i.analysis) then i.fixed_at end as fixed_at
    from finding_instance i
    join analysis a on a.org_id = i.org_id and a.repository_id = i.repository_id and a.key = i.analysis
    left join scan on scan.org_id = i.org_id and scan.id = i.first_scan
    where i.org_id = ${orgId} and i.finding_id = ${id}::uuid
    order by i.first_seen, i.analysis, i.fingerprint limit ${MAX_ENTRIES}`.execute(tx.db);
  return rows.flatMap(({ at, tool, ref, commit_sha, fixed_at }) => {
    const actor = scanner(tool, nameOf(tool));
    const where = `${onRef(ref)}${atCommit(commit_sha)}`;
    const first: HistoryEntry = {
      at: at.toISOString(),
      kind: 'found',
      phrase: `found it ${where}`,
      actor,
      comment: null,
    };
    // The first report had the state fixed: the scanner reported its past.
    if (!fixed_at) return [first];
    return [
      first,
      { at: fixed_at.toISOString(), kind: 'fixed', phrase: `reported it as fixed ${onRef(ref)}`, actor, comment: null },
    ];
  });
}

interface InstanceChange {
  at: Date;
  tool: string;
  ref: string;
  was: string;
  state: string;
  commit_sha: string | null;
  gone: boolean;
}

async function stateChangeEntries(
  tx: Tx,
  orgId: string,
  id: string,
  nameOf: (tool: string) => string,
): Promise<HistoryEntry[]> {
  const { rows } = await sql<InstanceChange>`
    select t.at, s.tool, t.ref, t.was, t.state, t.commit_sha,
      t.state = 'fixed' and i.state = 'fixed' and i.fixed_scan is null as gone
    from finding_source s
    join finding_change t on t.org_id = s.org_id and t.repository_id = s.repository_id and t.fingerprint = s.fingerprint
    left join finding_instance i on i.org_id = t.org_id and i.repository_id = t.repository_id and i.analysis = t.analysis
      and i.fingerprint = t.fingerprint
    where s.org_id = ${orgId} and s.finding_id = ${id}::uuid
    order by t.at desc, t.analysis limit ${MAX_ENTRIES}`.execute(tx.db);
  return rows.map((change) => {
    const { at, tool, ref } = change;
    if (change.gone) {
      const actor: HistoryEntry['actor'] = { kind: 'system', id: 'refs', name: 'Sightline' };
      const phrase = `stopped counting it ${onRef(ref)}: the branch or pull request was deleted`;
      return { at: at.toISOString(), kind: 'fixed', phrase, actor, comment: null };
    }
    const [kind, phrase] = phraseOf(change);
    return { at: at.toISOString(), kind, phrase, actor: scanner(tool, nameOf(tool)), comment: null };
  });
}

function phraseOf({ state, was, ref, commit_sha }: InstanceChange): [HistoryEntry['kind'], string] {
  const where = `${onRef(ref)}${atCommit(commit_sha)}`;
  if (state === 'fixed') return ['fixed', `no longer found it ${where}`];
  if (state === 'suppressed') return ['dismissed', `suppressed it ${where}`];
  return ['reopened', was === 'suppressed' ? `no longer suppressed it ${where}` : `found it again ${where}`];
}

const scanner = (id: string, name: string): HistoryEntry['actor'] => ({ kind: 'scanner', id, name });
const short = (commit: string) => commit.slice(0, 7);
const onRef = (ref: string) =>
  `on ${ref.replace(/^refs\/(heads|tags)\//, '').replace(/^refs\/pull\/(\d+)\/.*$/, 'pull request #$1')}`;
const atCommit = (commit: string | null) => (commit === null ? '' : ` at ${short(commit)}`);
