import type { DigestCounts } from '@sightline/contract/compliance/digests.ts';
import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import type { VerdictRow } from '@sightline/evidence/controls/run.ts';
import { canonical } from '@sightline/evidence/ledger/canonical.ts';

/** A verdict of a control about something in one repository. */
export interface Evaluation {
  control: ControlId;
  row: VerdictRow;
}

/** What is signed: ids and codes alone, so that nothing in it has to be erased. */
export interface DigestBody {
  v: 1;
  repository: string;
  period: { from: string; to: string };
  asOf: { epoch: number; size: number };
  counts: DigestCounts;
  flags: { subject: string; controls: { id: ControlId; reasons: string[] }[] }[];
  missingEvidence: { control: ControlId; rows: number; reasons: string[] }[];
}

/** The controls whose exceptions somebody looks at one by one. */
const flagging: readonly ControlId[] = ['CHG-01', 'CHG-03', 'CHG-05', 'AI-01', 'VUL-01', 'VUL-02', 'TOL-01'];
/** Those that are counted, and named where they lack facts. */
export const counted: readonly ControlId[] = [...flagging, 'CHG-02', 'CHG-04', 'CHG-06', 'SCN-01', 'SCN-02'];

/** The counts that come of verdicts. */
export function countsOf(evaluations: readonly Evaluation[]) {
  const of = (control: ControlId) => evaluations.filter((one) => one.control === control);
  const broken = (control: ControlId) => of(control).filter(({ row }) => row.verdict === 'fail').length;
  return {
    changes: of('CHG-01').length,
    withoutApproval: broken('CHG-01'),
    byAgents: of('AI-01').length,
    commits: of('CHG-02').length,
    directCommits: broken('CHG-02'),
    overTimeLimit: broken('VUL-01'),
  };
}

/** Everything that broke a rule, once each with all the controls it broke, in the order in which it happened. */
export function flagsOf(evaluations: readonly Evaluation[]): DigestBody['flags'] {
  const broken = evaluations.filter(({ control, row }) => row.verdict === 'fail' && flagging.includes(control));
  return [...Map.groupBy(broken, ({ row }) => row.subject)].map(([subject, of]) => ({
    subject,
    controls: of.map(({ control, row }) => ({ id: control, reasons: [...row.reasons] })),
  }));
}

/** What could not be evaluated, by control. */
export function missingEvidenceOf(evaluations: readonly Evaluation[]): DigestBody['missingEvidence'] {
  const open = evaluations.filter(({ row }) => row.verdict === 'missing_evidence');
  return [...Map.groupBy(open, ({ control }) => control)].map(([control, of]) => ({
    control,
    rows: of.length,
    reasons: [...new Set(of.flatMap(({ row }) => row.reasons.map(codeOf)))].toSorted(),
  }));
}

/** The text that is hashed and kept. */
export const textOf = (body: DigestBody): string => canonical(body as never);

/** A reason without the thing it is about. */
const codeOf = (reason: string) => reason.split(':')[0] ?? reason;
