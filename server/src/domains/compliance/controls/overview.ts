import type { ControlRun, ControlsOverview, MissingDataSource } from '@sightline/contract/compliance/control-runs.ts';
import { controlStatus } from '@sightline/contract/compliance/controls.ts';
import { type ControlId, controlIds } from '@sightline/contract/core/control-ids.ts';
import { isComplete } from '@sightline/evidence/controls/completeness.ts';
import { isEmptiedBySettings } from '@sightline/evidence/controls/exclusions.ts';
import { type ReasonCode, reasons } from '@sightline/evidence/controls/reasons.ts';
import { type SourceId, sources } from '@sightline/evidence/controls/sources.ts';
import type { Tx } from '#database/database.ts';
import { controlOf } from './catalog.ts';
import { latestRuns } from './queries.ts';
import { parsePeriod } from './run-selector.ts';
import { trendOf } from './runs.ts';
import { sourceLinks } from './source-links.ts';
import { findUnrecorded } from './unrecorded-repositories.ts';

/** Returns how many controls have each status in a period, and the missing data of the others. */
export async function findOverview(tx: Tx, orgId: string, text: string | undefined): Promise<ControlsOverview> {
  const period = parsePeriod(text);
  // Queried before the results, so that an evaluation that ends in between counts as running and is polled again.
  const [open] = await tx.query<{ running: number }>({
    name: 'controls.running',
    text: `select count(*)::int as running from control_task
           where org_id = $1 and period_from = $2 and period_to = $3 and state in ('queued', 'running')`,
    values: [orgId, period.from, period.to],
  });
  const runs = [...(await latestRuns(tx, orgId, period)).values()];
  const newest = runs.toSorted((a, b) => b.asOfEpoch - a.asOfEpoch || b.asOfSize - a.asOfSize)[0];
  return {
    period,
    asOf: newest ? { epoch: newest.asOfEpoch, size: newest.asOfSize, evaluatedAt: newest.runAt } : null,
    counts: { ...tally(runs), not_evaluated: controlIds.length - runs.length },
    trend: await trend(tx, orgId, period),
    missing: missingOf(runs),
    unrecorded: newest
      ? await findUnrecorded(tx, orgId, period, { epoch: newest.asOfEpoch, size: newest.asOfSize })
      : null,
    running: open?.running ?? 0,
  };
}

type Tally = Record<ControlRun['status'], number>;

function tally(all: readonly { status: ControlRun['status'] }[]): Tally {
  const counts = Object.fromEntries(controlStatus.options.map((status) => [status, 0])) as Tally;
  for (const { status } of all) counts[status] += 1;
  return counts;
}

async function trend(tx: Tx, orgId: string, period: { from: string; to: string }): Promise<ControlsOverview['trend']> {
  const points = [...(await trendOf(tx, orgId, period, controlIds)).values()].flat();
  const days = [...new Set(points.map(({ day }) => day))].sort();
  return days.map((day) => ({ day, ...tally(points.filter((point) => point.day === day)) }));
}

/** Missing data by source: the source with the most affected items first, time limits last. */
function missingOf(runs: readonly ControlRun[]): MissingDataSource[] {
  const found = new Map<MissingSource, MissingDataSource['controls']>();
  for (const { control, reasons: counts, counts: verdictCounts, completeness, exclusions } of runs) {
    for (const [code, rows] of Object.entries(counts)) {
      const reason = Object.hasOwn(reasons, code) ? reasons[code as ReasonCode] : undefined;
      if (reason?.kind !== 'missing_evidence') continue;
      lineOf(found, reason.source, control).reasons.push({ code, text: reason.text, rows });
    }
    for (const one of completeness) {
      if (!isComplete(one)) lineOf(found, one.source as SourceId, control).incomplete = true;
    }
    if (!isEmptiedBySettings(verdictCounts, exclusions)) continue;
    for (const { parameter, items, byDefault } of exclusions) {
      const title = controlOf(control).parameters[parameter]?.title ?? parameter;
      lineOf(found, 'settings', control).reasons.push({
        code: parameter,
        text: `Excluded by the parameter ${title}.`,
        rows: items - byDefault,
      });
    }
  }
  const lines = [...found].map(([source, controls]) => lineFor(source, controls));
  return lines.toSorted((a, b) => Number(a.source === 'time') - Number(b.source === 'time') || b.rows - a.rows);
}

type MissingSource = SourceId | 'settings' | 'time';

function lineOf(
  found: Map<MissingSource, MissingDataSource['controls']>,
  source: MissingSource,
  id: ControlId,
): MissingDataSource['controls'][number] {
  const controls = found.get(source) ?? [];
  found.set(source, controls);
  const known = controls.find((line) => line.id === id);
  if (known) return known;
  const line = { id, rows: 0, reasons: [], incomplete: false };
  controls.push(line);
  return line;
}

function lineFor(source: MissingSource, lines: MissingDataSource['controls']): MissingDataSource {
  // An item may lack several facts of one source, so the largest count of a reason is the minimum of affected items.
  const controls = lines.map((line) => ({ ...line, rows: Math.max(0, ...line.reasons.map(({ rows }) => rows)) }));
  const rows = controls.reduce((sum, line) => sum + line.rows, 0);
  const labels = source === 'time' || source === 'settings' ? otherLabels[source] : sources[source];
  return { source, title: labels.title, remedy: labels.remedy, link: sourceLinks[source], rows, controls };
}

const otherLabels = {
  settings: {
    title: 'Items excluded by policies',
    remedy: 'Narrow the exemptions of the policies: they exclude every item of the period.',
  },
  time: { title: 'Limit not passed', remedy: 'No action required. The result is final after the limit.' },
};
