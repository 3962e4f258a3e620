import { type CanonicalValue, canonicalJson, isList, isRecord } from '../ledger/canonical.ts';
import { auditTargetAndData, type EntryValues, type IndexedEntry } from './parsed-entries.ts';
import {
  type EvaluationRef,
  evaluationKind,
  isRetest,
  type RemediationRecord,
  type RemediationRetest,
  type RemediationStory,
} from './remediations.ts';

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/**
 * Throws unless each remediation is about a failure that the ledger has, states the same failure in every entry, and
 * has only retests after it. `epoch`: of the ledger; what was recorded in an earlier one is not in the bundle.
 */
export function checkRemediations(
  stories: readonly RemediationStory[],
  entries: Iterable<IndexedEntry>,
  epoch: number,
): void {
  const evaluations = new Map([...entries].filter(({ kind }) => kind === evaluationKind).map((one) => [one.id, one]));
  for (const { record, entries: own } of stories) {
    const refuse = (problem: string): never => {
      throw new Error(`The remediation ${record.id} of ${record.control} ${record.subject} ${problem}`);
    };
    checkFailure(record, own, { evaluations, epoch, refuse });
    for (const retest of record.retests) checkRetest(record, retest, { evaluations, epoch, refuse });
  }
}

interface LedgerContext {
  readonly evaluations: ReadonlyMap<string, IndexedEntry>;
  readonly epoch: number;
  readonly refuse: (problem: string) => never;
}

function checkFailure(
  { failure, control, changes }: RemediationRecord,
  own: readonly IndexedEntry[],
  known: LedgerContext,
): void {
  const { epoch, refuse } = known;
  if (!own.every(isWellFormed)) refuse('has an entry in a wrong form');
  const stated = own.map(originalOf);
  if (stated.some((one) => one !== stated[0])) refuse('changes the original result');
  if (failure.verdict !== 'fail' || failure.reasons.length === 0) refuse('has an original result that is no failure');
  const [first] = own;
  if (!first || (isRetest(first) && failure.evaluation.epoch >= epoch)) refuse('has a retest without its failure');
  const { evaluation } = failure;
  checkEvaluation(control, evaluation, { ...known, before: first?.index ?? 0, verdict: 'fail' });
  if (changes.some(({ at }) => at < evaluation.at)) refuse('has a change before its failure');
}

/** Whether an entry has the fields of its kind. Others could mean something to another reader. */
function isWellFormed(entry: IndexedEntry): boolean {
  const { control, subject, repository, failure, ...data } = auditTargetAndData(entry).data;
  const isText = (one: CanonicalValue | undefined) => typeof one === 'string' && one !== '';
  const isTextOrNull = (one: CanonicalValue | undefined) => one === null || isText(one);
  const hasOriginal =
    isText(control) &&
    isText(subject) &&
    isTextOrNull(repository) &&
    hasFields(failure, ['evaluation', 'reasons', 'verdict']) &&
    isEvaluation(failure.evaluation) &&
    isList(failure.reasons ?? null) &&
    (failure.reasons as readonly CanonicalValue[]).every(isText);
  if (!hasOriginal) return false;
  return isRetest(entry)
    ? isText(data.result) && (data.evaluation === null || isEvaluation(data.evaluation))
    : [data.owner, data.dueOn, data.ticketUrl].every(isTextOrNull) && typeof data.isRemediated === 'boolean';
}

const isEvaluation = (value: CanonicalValue | undefined): boolean =>
  hasFields(value, ['at', 'epoch', 'id', 'period', 'size']) &&
  hasFields(value.period, ['from', 'to']) &&
  [value.at, value.period.from, value.period.to].every((one) => typeof one === 'string' && time.test(one)) &&
  [value.epoch, value.size].every((one) => Number.isSafeInteger(one) && Number(one) >= 0) &&
  typeof value.id === 'string' &&
  value.id !== '';

const hasFields = (value: CanonicalValue | undefined, fields: readonly string[]): value is EntryValues =>
  isRecord(value ?? null) &&
  Object.keys(value as EntryValues)
    .sort()
    .join() === fields.join();

/** What every entry of a remediation repeats. */
function originalOf(entry: IndexedEntry): string {
  const { control, subject, repository, failure } = auditTargetAndData(entry).data;
  return canonicalJson([control, subject, repository, failure].map((one) => one ?? null));
}

function checkRetest(
  { control, failure }: RemediationRecord,
  { entry, at, by, result, evaluation }: RemediationRetest,
  known: LedgerContext,
): void {
  const { refuse } = known;
  if (result !== 'pass' && result !== 'fail') refuse('has a retest without a result');
  if (at < failure.evaluation.at) refuse('has a retest before its failure');
  if (evaluation === null) {
    if (by === null) refuse('has a retest of neither an evaluation nor a person');
    return;
  }
  const { epoch, size } = failure.evaluation;
  const isLater = evaluation.epoch > epoch || (evaluation.epoch === epoch && evaluation.size > size);
  if (!isLater) refuse('has a retest before its failure');
  checkEvaluation(control, evaluation, { ...known, before: entry, verdict: result });
}

/** Verifies that an evaluation is in the ledger before an entry, and has a row with the verdict. */
function checkEvaluation(
  control: string,
  { id, epoch, size, at, period }: EvaluationRef,
  known: LedgerContext & { readonly before: number; readonly verdict: string },
): void {
  const { evaluations, refuse, before, verdict } = known;
  if (epoch > known.epoch) refuse('refers to an evaluation of a later ledger');
  if (epoch < known.epoch) return;
  const entry = evaluations.get(id);
  if (!entry || entry.index >= before) refuse('refers to an evaluation that the ledger does not have');
  const subject = isRecord(entry?.subject ?? null) ? (entry?.subject ?? {}) : {};
  const isSame =
    entry?.asOf === at &&
    canonicalJson([control, epoch, size, period.from, period.to]) ===
      canonicalJson(['control', 'epoch', 'size', 'from', 'to'].map((field) => subject[field] ?? null));
  if (!isSame) refuse('differs from its evaluation');
  if (!(Number(subject[verdict]) > 0)) refuse(`refers to an evaluation in which nothing has the verdict ${verdict}`);
}
