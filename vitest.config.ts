import { defineConfig } from 'vitest/config';
import { flakyReporter } from './scripts/flaky-reporter.ts';
import { excludedTests as exclude, timeLimits } from './scripts/full-suite.ts';

/** Where `npm test` wants a report of the run. */
const { UNIT_REPORT } = process.env;
const report: [string, Record<string, unknown>][] = UNIT_REPORT ? [['json', { outputFile: UNIT_REPORT }]] : [];
const setupFiles = ['scripts/properties.ts', 'scripts/sleep-recorder.ts'];

/** A workspace without a set-up of its own. Its modules are imported once for each worker and not for each file. */
const nodeProject = (name: string) => ({
  test: { name, setupFiles, isolate: false, include: [`${name}/src/**/*.test.ts`], exclude, ...timeLimits },
});

export default defineConfig({
  test: {
    maxWorkers: 2,
    reporters: ['default', flakyReporter, ...report],
    projects: [
      {
        test: {
          name: 'server',
          include: ['server/src/**/*.test.ts'],
          // On programs of the machine: npm run cluster.
          exclude: ['server/src/cluster/**', ...exclude],
          setupFiles: [...setupFiles, 'server/src/testing/print-failure-log.ts'],
          globalSetup: ['server/src/testing/global-setup.ts'],
          ...timeLimits,
          // The server is imported once for each worker and not for each file, which would take longer than the tests.
          isolate: false,
        },
      },
      nodeProject('contract'),
      nodeProject('evidence'),
      nodeProject('sandbox'),
      {
        test: {
          name: 'extensions',
          setupFiles,
          include: ['extensions/{telemetry,editor}/src/**/*.test.ts'],
          exclude,
          ...timeLimits,
        },
      },
      'extensions/browser',
      'web',
    ],
  },
});
