import type { IncompleteReason } from '#providers/scanner.ts';
import type { Invocation, RunHead } from './log.ts';

/** Why what a run does not report may still be there; empty for a run that looked at everything. */
export function incompleteReasonsOf(head: RunHead): IncompleteReason[] {
  const failures = head.invocations
    .filter((invocation) => invocation && !invocation.successful)
    .flatMap((invocation) => reasonOf(head, invocation) ?? []);
  const silence: IncompleteReason[] =
    head.resultsAt === undefined
      ? [
          {
            code: 'no_results',
            message: 'The file contains no results of this run.',
          },
        ]
      : [];
  return [...failures, ...silence].slice(0, 20);
}

function reasonOf(head: RunHead, invocation: Invocation): IncompleteReason | undefined {
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

/** SpotBugs adds numbers up in its exit code, and older ones call a run that found bugs no success. */
function reasonOfSpotBugs({ exitCode = ERROR, errors }: Invocation): IncompleteReason | 'unknown' | undefined {
  const missing = errors.find(({ id }) => id === 'spotbugs-missing-classes');
  const hasFailed = (exitCode & ERROR) !== 0 || errors.some((error) => error !== missing);
  if (hasFailed) return 'unknown';
  if (missing) return { code: 'missing_classes', message: missing.message };
  return exitCode === BUGS_FOUND ? undefined : 'unknown';
}
