import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Where `npm test` leaves what a stage reported, and its own `summary`. */
export function reportFile(root, stage) {
  return join(root, '.cache', 'test-reports', `${stage.replaceAll(':', '-')}.json`);
}

/** How many tests of a report of vitest or Playwright passed, failed and were skipped. */
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

/** Seconds of each file of a report, the longest first. */
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

/** Seconds that tests slept, and seconds of time limits that ran out, with the places that took most; from the lines of `sleep-recorder.ts`. */
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
    for (const [place, milliseconds] of Object.entries(one)) places[place] = (places[place] ?? 0) + milliseconds;
  const sorted = Object.entries(places).toSorted(([, one], [, other]) => other - one);
  const seconds = Math.round(sorted.reduce((sum, [, milliseconds]) => sum + milliseconds, 0) / 100) / 10;
  return { seconds, places: sorted.slice(0, 10).map(([place, milliseconds]) => `${place} ${milliseconds / 1000} s`) };
}
