import { getControlTask, runControl } from '@sightline/contract/compliance/control-runs.ts';
import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import { type ExpectedVerdict, expectedVerdictsOf } from '@sightline/sandbox/planted/answer-key.ts';
import { expect } from 'vitest';
import { dateOf, dayMs, type GeneratedHistory, waitFor } from './generated-history.ts';

type ControlRun = {
  status: string;
  completeness: { source: string; expected: number | null; found: number }[];
  seed: string;
  sha256: string;
  asOf: string;
};

/**
 * Evaluates a control over all changes of a period, by default the last two days, and returns the run and its verdicts
 * with the subjects of the answer key.
 */
export async function evaluateControl(
  history: GeneratedHistory,
  control: ControlId,
  period = `${dateOf(Date.now() - dayMs)}..${dateOf(Date.now())}`,
  asOf?: string,
) {
  const runId = await runToEnd(history, control, { period, ...(asOf !== undefined && { asOf }) });
  const [run] = await history.selectRows<ControlRun>(
    `select status, completeness, seed, encode(rows_sha256, 'hex') as sha256, as_of_epoch || '.' || as_of_size as "asOf"
     from control_run where org_id = $1 and id = $2`,
    [runId],
  );
  if (!run) throw new Error('The run is not there.');
  return { ...run, period, rows: await selectVerdicts(history, control, runId) };
}

/** The verdicts of a control according to the answer key. */
export const expectedVerdictsFor = (
  { hosted, repositoryScenario, shas, codeHost }: GeneratedHistory,
  control: ControlId,
): ExpectedVerdict[] =>
  expectedVerdictsOf(hosted, repositoryScenario, shas, codeHost.reviewIds)
    .filter((expected) => expected.control === control)
    .toSorted(bySubject);

async function runToEnd(
  { server, org }: GeneratedHistory,
  id: ControlId,
  body: { period: string; asOf?: string },
): Promise<string | null> {
  const call = server.as(org.owner, org.id);
  const task = await call(runControl, { params: { id }, body });
  let runId: string | null = null;
  await waitFor(async () => {
    const now = await call(getControlTask, { params: { id, taskId: task.id } });
    expect([now.state, now.failure]).toEqual(['done', null]);
    runId = now.runId;
  });
  return runId;
}

async function selectVerdicts(
  history: GeneratedHistory,
  control: ControlId,
  runId: string | null,
): Promise<ExpectedVerdict[]> {
  const rows = await history.selectRows<Omit<ExpectedVerdict, 'control'>>(
    `select w.subject, w.verdict, w.reasons
     from control_run r join control_row w on w.org_id = r.org_id and w.run_id = coalesce(r.rows_of, r.id)
     where r.org_id = $1 and r.id = $2`,
    [runId],
  );
  return nameSubjects(history, control, rows);
}

/** Returns evaluated rows with the subjects of the answer key, sorted by subject. */
export async function nameSubjects(
  { selectRows, on }: GeneratedHistory,
  control: ControlId,
  rows: readonly Omit<ExpectedVerdict, 'control'>[],
): Promise<ExpectedVerdict[]> {
  const named = await selectRows<{ subject: string; name: string }>(
    `select w.subject, coalesce(
         (select 'acme/widgets' || case when c.number is null then '@' || c.merge_sha else '#' || c.number end
          from change_record c where c.org_id = $1 and w.subject = 'change:' || c.id limit 1),
         (select 'acme/widgets/lost/' || p.before_sha || '..' || p.after_sha from branch_push p
          where p.org_id = $1 and w.subject = 'push:' || p.id limit 1),
         (select i.value from identity i where i.org_id = $1 and i.kind = $3 and w.subject = 'person:' || i.person_id limit 1),
         'acme/widgets/commit/' || substring(w.subject from '^commit:[^:]*:(.*)$'),
         regexp_replace(w.subject, '^branch:[^:]*:([^:]*):(.*)$', 'acme/widgets/\\2@\\1')) as name
     from unnest($2::text[]) as w(subject)`,
    [rows.map(({ subject }) => subject), on],
  );
  const names = new Map(named.map(({ subject, name }) => [subject, name]));
  return rows
    .map(({ subject, verdict, reasons }) => ({
      subject: names.get(subject) ?? subject,
      verdict,
      control,
      reasons: reasons.toSorted(),
    }))
    .toSorted(bySubject);
}

const bySubject = (one: ExpectedVerdict, other: ExpectedVerdict): number => (one.subject < other.subject ? -1 : 1);
