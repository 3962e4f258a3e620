import type { ControlStatus, Verdict, VerdictCounts } from '@sightline/contract/compliance/controls.ts';
import type { PolicyStatus } from '@sightline/contract/compliance/policies.ts';
import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import { type Exclusion, isEmptiedBySettings } from '@sightline/evidence/controls/exclusions.ts';
import { statusOf } from '@sightline/evidence/controls/verdicts.ts';
import type { Tx } from '#database/database.ts';
import type { ActivePolicy } from './effective.ts';
import { controlsOfKind } from './kinds.ts';
import { activePolicies } from './queries.ts';

/** Returns the status of every active policy from the newest run of each control, for its repositories or tools. */
export async function statusOfPolicies(tx: Tx, orgId: string): Promise<PolicyStatus[]> {
  const runs = await newestRuns(tx, orgId);
  const active = await activePolicies(tx, orgId);
  const narrowed = active.filter(isNarrowed);
  const rows = narrowed.length > 0 ? await countedRows(tx, orgId, { narrowed, runs }) : [];
  const policies = narrowed.length > 0 ? await policiesOfSettings(tx, orgId) : new Map<number, string>();
  return active.map((policy) => {
    const controls = controlsOf(policy).flatMap((control) => {
      const run = runs.find((one) => one.control_id === control);
      if (!run) return [];
      const counts = isNarrowed(policy) ? countsWithin(rows, run.id, policy) : run;
      return {
        control,
        counts: countsOf(counts),
        status: isNarrowed(policy)
          ? statusWithin(
              run,
              counts,
              run.exclusions.filter(({ setting }) => policies.get(setting) === policy.id),
            )
          : run.status,
        runAt: run.run_at.toISOString(),
      };
    });
    const counts = controls.reduce((sum, one) => add(sum, one.counts), noVerdicts);
    return { policyId: policy.id, status: worstOf(controls.map(({ status }) => status)), counts, controls };
  });
}

/** Whether a policy covers only some items of a control. */
const isNarrowed = ({ scope }: ActivePolicy): boolean => scope.repositories !== null || scope.tools.length > 0;

/** The controls that a policy sets. A tool policy includes TOL-01 even without a parameter. */
export const controlsOf = ({ kind, settings }: ActivePolicy): readonly ControlId[] =>
  controlsOfKind[kind].filter((id) => settings[id] !== undefined || id === 'TOL-01');

interface PolicyRun extends VerdictCounts {
  id: string;
  control_id: string;
  rows_of: string | null;
  status: ControlStatus;
  exclusions: Exclusion[];
  run_at: Date;
}

const newestRuns = (tx: Tx, orgId: string): Promise<PolicyRun[]> =>
  tx.query<PolicyRun>({
    name: 'policies.runs',
    text: `select distinct on (control_id) id, control_id, rows_of, status, exclusions, population, pass, fail, waived, missing_evidence, run_at
           from control_run where org_id = $1 and not is_reevaluation
           order by control_id, period_to desc, as_of_epoch desc, as_of_size desc, run_at desc, id`,
    values: [orgId],
  });

interface VerdictCountRow {
  run_id: string;
  repository_id: string | null;
  tool: string | null;
  verdict: Verdict;
  count: number;
}

/** Counts the rows of tools, and of repositories to which policies are narrowed, in the runs of their controls. */
function countedRows(
  tx: Tx,
  orgId: string,
  { narrowed, runs }: { narrowed: readonly ActivePolicy[]; runs: readonly PolicyRun[] },
): Promise<VerdictCountRow[]> {
  const controls = new Set<string>(narrowed.flatMap(controlsOf));
  const wanted = runs.filter(({ control_id }) => controls.has(control_id));
  const repositories = [...new Set(narrowed.flatMap(({ scope }) => scope.repositories ?? []))];
  return tx.query<VerdictCountRow>({
    name: 'policies.rows',
    text: `select n.id as run_id, r.repository_id, substring(r.subject from '^tool:(.*):(?:person|repository):') as tool, r.verdict, count(*)::int as count
           from unnest($2::uuid[], $3::uuid[]) as n(id, rows_of)
           join control_row r on r.org_id = $1 and r.run_id = n.rows_of
           where r.repository_id = any($4::uuid[]) or r.subject like 'tool:%' group by 1, 2, 3, 4`,
    values: [orgId, wanted.map(({ id }) => id), wanted.map(({ rows_of }) => rows_of), repositories],
  });
}

function countsWithin(rows: readonly VerdictCountRow[], runId: string, { scope }: ActivePolicy): VerdictCounts {
  const ids = new Set(scope.tools.length > 0 ? scope.tools.map(({ id }) => id) : scope.repositories);
  const counts = { ...noVerdicts };
  for (const { run_id, repository_id, tool, verdict, count } of rows) {
    const about = scope.tools.length > 0 ? tool : repository_id;
    if (run_id !== runId || about === null || !ids.has(about)) continue;
    counts[verdict] += count;
    counts.population += count;
  }
  return counts;
}

/** The policy of each version of a setting; none if several policies were combined. */
async function policiesOfSettings({ db }: Tx, orgId: string): Promise<ReadonlyMap<number, string>> {
  const rows = await db
    .selectFrom('control_setting')
    .select(['version', 'policy_id'])
    .where('org_id', '=', orgId)
    .execute();
  return new Map(rows.flatMap(({ version, policy_id: id }) => (id === null ? [] : [[version, id] as const])));
}

// Only the run knows whether the population is complete.
const statusWithin = (run: PolicyRun, counts: VerdictCounts, exclusions: readonly Exclusion[]): ControlStatus => {
  if (isEmptiedBySettings(counts, exclusions)) return 'missing_evidence';
  const status = statusOf(counts);
  return status === 'passing' && run.status === 'missing_evidence' && run.missing_evidence === 0
    ? 'missing_evidence'
    : status;
};

const countsOf = ({
  population,
  pass,
  fail,
  waived,
  missing_evidence: missingEvidence,
}: VerdictCounts): VerdictCounts => ({
  population,
  pass,
  fail,
  waived,
  missing_evidence: missingEvidence,
});

const noVerdicts: VerdictCounts = { population: 0, pass: 0, fail: 0, waived: 0, missing_evidence: 0 };
const add = (a: VerdictCounts, b: VerdictCounts): VerdictCounts => ({
  population: a.population + b.population,
  pass: a.pass + b.pass,
  fail: a.fail + b.fail,
  waived: a.waived + b.waived,
  missing_evidence: a.missing_evidence + b.missing_evidence,
});

const order: readonly ControlStatus[] = ['failing', 'missing_evidence', 'passing', 'not_applicable'];
const worstOf = (statuses: readonly ControlStatus[]): ControlStatus | null =>
  order.find((status) => statuses.includes(status)) ?? null;
