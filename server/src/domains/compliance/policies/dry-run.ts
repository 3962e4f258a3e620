import type { Verdict } from '@sightline/contract/compliance/controls.ts';
import { DRY_RUN_DAYS, type DryRun, isToolKind, type PolicyDetail } from '@sightline/contract/compliance/policies.ts';
import { type ControlId, controlIds } from '@sightline/contract/core/control-ids.ts';
import { controls } from '@sightline/evidence/controls/control-list.ts';
import type { PopulationRow } from '@sightline/evidence/controls/rows.ts';
import type { VerdictRow } from '@sightline/evidence/controls/run.ts';
import { countsOf } from '@sightline/evidence/controls/verdicts.ts';
import { sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import { Conflict } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { sequenceAndSign } from '../../ledger/ledger/commands.ts';
import { changedPathsIn } from '../changes/queries.ts';
import { controlOf, populationOf } from '../controls/catalog.ts';
import { evaluatePopulation } from '../controls/evaluate-population.ts';
import type { PopulationQuery, Setting } from '../controls/populations/population.ts';
import { type ActivePolicy, type EffectiveSetting, effectiveSettingsOf } from './effective.ts';
import { controlsOfKind } from './kinds.ts';
import { withPathMatches } from './path-matches.ts';
import { normalizeRules, type PolicyRules, simulationHash } from './policy-rules.ts';
import { activePolicies, findPolicy } from './queries.ts';
import { withToolDecisions } from './tool-decisions.ts';

const MAX_ROWS_SHOWN = 100;
const day = 86_400_000;

/**
 * Simulates rules: evaluates the last 30 days with current and with proposed policies. Stores the result, so that
 * exactly these rules may be enforced. Throws `conflict` for an archived policy.
 */
export async function dryRun(services: Services, actor: Actor, given: PolicyRules, policyId?: string): Promise<DryRun> {
  const { orgId } = actor;
  // A refused call must not sign a checkpoint.
  await services.database.withOrg(orgId, (tx) => findCurrent(tx, actor, policyId));
  const checkpoint = await sequenceAndSign(services.ledger, orgId);
  return services.database.withOrg(orgId, async (tx) => {
    const rules = await normalizeRules(tx, orgId, given);
    const of = await findCurrent(tx, actor, policyId);
    const active = await activePolicies(tx, orgId);
    const simulated: ActivePolicy[] = [
      ...active.filter(({ id }) => id !== policyId),
      { id: policyId ?? newId(), version: (of?.version ?? 0) + 1, ...rules },
    ];
    const to = new Date();
    const period = { from: new Date(to.getTime() - DRY_RUN_DAYS * day).toISOString(), to: to.toISOString() };
    const asOf = checkpoint
      ? { epoch: checkpoint.epoch, size: checkpoint.size, at: checkpoint.signedAt.toISOString() }
      : { epoch: 1, size: 0, at: period.to };
    const query: PopulationQuery = { orgId, period, asOf };
    const affected = affectedControls(rules, of);
    const compared = [];
    for (const control of affected) compared.push(await compare(tx, { query, control, active, simulated }));
    const id = newId();
    const result: DryRun = {
      id,
      period,
      madeAt: to.toISOString(),
      controls: compared.map(({ control, before, after, rows }) => ({
        control,
        title: controls[control].title,
        before: countsOf(before),
        after: countsOf(after),
        changed: rows.length,
      })),
      rows: compared
        .flatMap(({ rows }) => rows)
        .toSorted((a, b) => weightOf(b.after) - weightOf(a.after))
        .slice(0, MAX_ROWS_SHOWN),
    };
    await saveSimulation(tx, actor, { id, settingsHash: simulationHash(rules, of), result });
    return result;
  });
}

/** Returns the simulated policy, if any. Throws `conflict` if it is archived. */
async function findCurrent(tx: Tx, actor: Actor, policyId: string | undefined): Promise<PolicyDetail | undefined> {
  if (policyId === undefined) return undefined;
  const policy = await findPolicy(tx, actor, policyId);
  if (policy.until !== null) throw Conflict('This policy was archived in the meantime.');
  return policy;
}

/** The controls that the policy sets or has set, and those that depend on them. */
function affectedControls(rules: PolicyRules, was: PolicyRules | undefined): ControlId[] {
  const touched = [rules, was].flatMap((one) =>
    one
      ? [...(Object.keys(one.settings) as ControlId[]), ...(isToolKind(one.kind) ? controlsOfKind[one.kind] : [])]
      : [],
  );
  const dependent = controlIds.filter((id) =>
    controlOf(id).appliesParametersOf?.some((other) => touched.some((one) => one === other)),
  );
  return [...new Set([...touched, ...dependent])];
}

interface Compared {
  control: ControlId;
  before: readonly VerdictRow[];
  after: readonly VerdictRow[];
  rows: DryRun['rows'];
}

type SimulatedRows = Partial<
  Record<ControlId, (policies: readonly ActivePolicy[]) => (row: PopulationRow) => PopulationRow>
>;

async function compare(
  tx: Tx,
  {
    query,
    control,
    active,
    simulated,
  }: {
    query: PopulationQuery;
    control: ControlId;
    active: readonly ActivePolicy[];
    simulated: readonly ActivePolicy[];
  },
): Promise<Compared> {
  const paths = control === 'AI-01' ? await changedPathsIn(tx, query.orgId, query.period) : new Map();
  // What a record contains only for the policies of its time.
  const seenBy: SimulatedRows = {
    'TOL-01': (policies) => (row) => withToolDecisions(row, policies, query.period.from),
    'AI-01': (policies) => (row) => withPathMatches(row, policies, paths),
  };
  const evaluate = async (policies: readonly ActivePolicy[]): Promise<readonly VerdictRow[]> => {
    if (!populationOf(control)) return [];
    const proposed = settingsOf(effectiveSettingsOf(policies));
    const seen = seenBy[control]?.(policies);
    const { run } = await evaluatePopulation(tx, { ...query, proposed }, control, seen ? { seen } : {});
    return run.rows;
  };
  const [before, after] = [await evaluate(active), await evaluate(simulated)];
  return { control, before, after, rows: changedRows(control, before, after) };
}

/** The proposed settings, valid at any time. */
const settingsOf = (effective: readonly EffectiveSetting[]): ReadonlyMap<ControlId, readonly Setting[]> =>
  Map.groupBy(
    effective.map(({ control, setting, repositories }, index): Setting & { control: ControlId } => ({
      control,
      version: index + 1,
      from: '1970-01-01T00:00:00.000Z',
      until: null,
      repositories,
      setting,
    })),
    ({ control }) => control,
  );

function changedRows(control: ControlId, before: readonly VerdictRow[], after: readonly VerdictRow[]): DryRun['rows'] {
  const [was, is] = [bySubject(before), bySubject(after)];
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((subject) => {
    const [one, other] = [was.get(subject), is.get(subject)];
    if (one?.verdict === other?.verdict) return [];
    const reasons = [...((other ?? one)?.reasons ?? [])];
    return { control, subject, before: one?.verdict ?? null, after: other?.verdict ?? null, reasons };
  });
}

const bySubject = (rows: readonly VerdictRow[]) => new Map(rows.map((row) => [row.subject, row]));

const weights: Record<Verdict, number> = { fail: 3, missing_evidence: 2, waived: 1, pass: 0 };
const weightOf = (verdict: Verdict | null): number => (verdict === null ? -1 : weights[verdict]);

async function saveSimulation(
  { db }: Tx,
  { orgId, accountId }: Actor,
  { id, settingsHash, result }: { id: string; settingsHash: Buffer; result: DryRun },
): Promise<void> {
  await db
    .deleteFrom('policy_dry_run')
    .where('org_id', '=', orgId)
    .where('created_at', '<', sql<Date>`now() - interval '7 days'`)
    .execute();
  await db
    .insertInto('policy_dry_run')
    .values({ org_id: orgId, id, settings_hash: settingsHash, result: JSON.stringify(result), created_by: accountId })
    .execute();
}
