import type { IncompleteReason } from '#providers/scanner.ts';
import type { RunHead, SarifInvocation } from './log.ts';

/** Returns why unreported findings of a run may still exist; empty for a complete run. */
export function incompleteReasonsOf(head: RunHead): IncompleteReason[] {
  const failures = head.invocations
    .filter((invocation) => invocation && !invocation.successful)
    .flatMap((invocation) => reasonOf(head, invocation) ?? []);
  const missingResults: IncompleteReason[] =
    head.resultsAt === undefined
      ? [
          {
            code: 'no_results',
            message: 'The file contains no results of this run.',
          },
        ]
      : [];
  return [...failures, ...missingResults].slice(0, 20);
}

function reasonOf(head: RunHead, invocation: SarifInvocation): IncompleteReason | undefined {
  const spotBugs = /^spotbugs$/i.test(head.driver.name) ? reasonOfSpotBugs(invocation) : 'unknown';
  if (spotBugs !== 'unknown') return spotBugs;
  const { exitCode, exitText, errors } = invocation;
  const failed = 'The scanner reports that its run failed';
  const exit = [exitCode === undefined ? undefined : `exit code ${exitCode}`, exitText].filter(Boolean).join(', ');
  const [error] = errors;
  if (error) return { code: 'failed', message: `${failed}: ${error.message}` };
  return { code: 'failed', message: exit === '' ? `${failed}.` : `${failed}: ${exit}.` };
}

const BUGS_FOUND = 1;
const ERROR = 4;

/** SpotBugs combines flags in its exit code. Older versions report a run with bugs as unsuccessful. */
function reasonOfSpotBugs({ exitCode = ERROR, errors }: SarifInvocation): IncompleteReason | 'unknown' | undefined {
  const missing = errors.find(({ id }) => id === 'spotbugs-missing-classes');
  const hasFailed = (exitCode & ERROR) !== 0 || errors.some((error) => error !== missing);
  if (hasFailed) return 'unknown';
  if (missing) return { code: 'missing_classes', message: missing.message };
  return exitCode === BUGS_FOUND ? undefined : 'unknown';
}
