import type { DigestCounts } from '@sightline/contract/compliance/digests.ts';
import { type ControlId, controlIds } from '@sightline/contract/core/control-ids.ts';
import type { VerdictRow } from '@sightline/evidence/controls/run.ts';
import { canonicalJson } from '@sightline/evidence/ledger/canonical.ts';
import { controlOf } from '../controls/catalog.ts';

/** A verdict of a control about an item in one repository. */
export interface Evaluation {
  control: ControlId;
  row: VerdictRow;
}

/** The signed content: only ids and codes, so that nothing requires erasure. */
export interface DigestBody {
  v: 1;
  repository: string;
  period: { from: string; to: string };
  asOf: { epoch: number; size: number };
  counts: DigestCounts;
  flags: { subject: string; controls: { id: ControlId; reasons: string[] }[] }[];
  missingEvidence: { control: ControlId; rows: number; reasons: string[] }[];
}

/** The controls whose failing items are reviewed one by one. */
const flaggingControls = controlIds.filter((id) => controlOf(id).digest === 'flagged');
/** The controls that a digest evaluates: flagging ones first. */
export const digestControls: readonly ControlId[] = [
  ...flaggingControls,
  ...controlIds.filter((id) => controlOf(id).digest !== undefined && !flaggingControls.includes(id)),
];

/** The counts that derive from verdicts. */
export function countsOf(evaluations: readonly Evaluation[]) {
  const of = (control: ControlId) => evaluations.filter((one) => one.control === control);
  const failing = (control: ControlId) => of(control).filter(({ row }) => row.verdict === 'fail').length;
  return {
    changes: of('CHG-01').length,
    withoutApproval: failing('CHG-01'),
    byAgents: of('AI-01').length,
    commits: of('CHG-02').length,
    directCommits: failing('CHG-02'),
    overTimeLimit: failing('VUL-01'),
  };
}

/** The failing items, each with all controls it failed, in order of occurrence. */
export function flagsOf(evaluations: readonly Evaluation[]): DigestBody['flags'] {
  const failing = evaluations.filter(
    ({ control, row }) => row.verdict === 'fail' && flaggingControls.includes(control),
  );
  return [...Map.groupBy(failing, ({ row }) => row.subject)].map(([subject, of]) => ({
    subject,
    controls: of.map(({ control, row }) => ({ id: control, reasons: [...row.reasons] })),
  }));
}

/** The items with missing evidence, by control. */
export function missingEvidenceOf(evaluations: readonly Evaluation[]): DigestBody['missingEvidence'] {
  const open = evaluations.filter(({ row }) => row.verdict === 'missing_evidence');
  return [...Map.groupBy(open, ({ control }) => control)].map(([control, of]) => ({
    control,
    rows: of.length,
    reasons: [...new Set(of.flatMap(({ row }) => row.reasons.map(codeOf)))].toSorted(),
  }));
}

/** The canonical text that is hashed and stored. */
export const digestText = (body: DigestBody): string => canonicalJson(body as never);

/** The code of a reason, without its target. */
const codeOf = (reason: string) => reason.split(':')[0] ?? reason;
