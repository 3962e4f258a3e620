import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Returns the path of the report of a stage, or of the `summary` that `npm test` writes. */
export function reportFile(root, stage) {
  return join(root, '.cache', 'test-reports', `${stage.replaceAll(':', '-')}.json`);
}

/** Returns how many tests in a report of Vitest or Playwright passed, failed and were skipped. */
export function countTests(file) {
  const report = read(file);
  if (report === undefined) return { passed: 0, failed: 0, skipped: 0 };
  if (report.stats) {
    const { expected, flaky, unexpected, skipped } = report.stats;
    return { passed: expected + flaky, failed: unexpected, skipped };
  }
  const { numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped } = report;
  return { passed, failed, skipped };
}

/** Returns the failed tests in a report of Vitest, each as a line with its file, title and the first line of its error. */
export function failedTests(file) {
  return (read(file)?.testResults ?? []).flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => {
        const [error = ''] = (failureMessages[0] ?? '').split('\n');
        return `${relative(process.cwd(), name)} > ${fullName}: ${error}`;
      }),
  );
}

/** Returns the seconds of each file in a report, the longest first. */
export function slowestFiles(file) {
  const report = read(file);
  if (report === undefined) return [];
  const found = report.stats ? filesOfPlaywright(report) : filesOfVitest(report);
  return found.toSorted((one, other) => other.seconds - one.seconds);
}

function filesOfVitest({ testResults }) {
  return testResults.map(({ name, startTime, endTime }) => ({
    file: relative(process.cwd(), name),
    seconds: Math.round((endTime - startTime) / 100) / 10,
  }));
}

function filesOfPlaywright({ suites }) {
  const sum = (suite) =>
    (suite.suites ?? []).reduce((total, inner) => total + sum(inner), 0) +
    (suite.specs ?? [])
      .flatMap(({ tests }) => tests.flatMap(({ results }) => results))
      .reduce((total, { duration }) => total + duration, 0);
  return suites.map((suite) => ({ file: `web/e2e/${suite.file}`, seconds: Math.round(sum(suite) / 100) / 10 }));
}

function read(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/**
 * Returns seconds that tests slept, and of time limits that expired, with the top locations, from the lines of
 * `sleep-recorder.ts`.
 */
export function sumSleeps(file) {
  const lines = existsSync(file)
    ? readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : [];
  return { slept: sumPlaces(lines.map(({ slept }) => slept)), ranOut: sumPlaces(lines.map(({ ranOut }) => ranOut)) };
}

function sumPlaces(all) {
  const places = {};
  for (const one of all)
    for (const [where, milliseconds] of Object.entries(one)) places[where] = (places[where] ?? 0) + milliseconds;
  const sorted = Object.entries(places).toSorted(([, one], [, other]) => other - one);
  const seconds = Math.round(sorted.reduce((sum, [, milliseconds]) => sum + milliseconds, 0) / 100) / 10;
  return { seconds, places: sorted.slice(0, 10).map(([where, milliseconds]) => `${where} ${milliseconds / 1000} s`) };
}
