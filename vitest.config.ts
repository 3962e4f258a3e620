import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { flakyReporter } from './scripts/flaky-reporter.ts';
import { timeLimits, vitestTags } from './scripts/full-suite.ts';

type ProjectConfig = TestProjectInlineConfiguration['test'];

/** Where `npm test` wants a report of the run. */
const { UNIT_REPORT } = process.env;
const report: [string, Record<string, unknown>][] = UNIT_REPORT ? [['json', { outputFile: UNIT_REPORT }]] : [];
const setupFiles = ['scripts/properties.ts', 'scripts/sleep-recorder.ts'];

/**
 * A workspace that Node runs as it is. Its modules are imported once for each worker and not for each file, by Node itself
 * and not by Vite: importing the server with Vite takes longer than most tests.
 */
const nodeProject = (name: string, more: ProjectConfig = {}) => ({
  test: {
    name,
    setupFiles,
    isolate: false,
    include: [`${name}/src/**/*.test.ts`],
    tags: vitestTags,
    experimental: { viteModuleRunner: false, nodeLoader: false },
    ...timeLimits,
    ...more,
  },
});

export default defineConfig({
  test: {
    // One more than the cores, because a worker often waits for PostgreSQL, which accepts 300 connections (testing/cluster.ts).
    maxWorkers: Math.min(availableParallelism() + 1, 6),
    // npm run coverage
    coverage: {
      provider: 'v8',
      include: ['{contract,evidence,server,sandbox,web}/src/**/*.{ts,tsx}', 'extensions/*/src/**/*.{ts,tsx}'],
      reporter: ['text-summary', 'json-summary'],
      reportsDirectory: '.cache/coverage',
      reportOnFailure: true,
    },
    reporters: ['default', flakyReporter, ...report],
    projects: [
      nodeProject('server', {
        // On programs of the machine: npm run cluster.
        exclude: ['server/src/cluster/**'],
        setupFiles: [...setupFiles, 'server/src/testing/print-failure-log.ts'],
        globalSetup: ['server/src/testing/global-setup.ts'],
      }),
      nodeProject('contract'),
      nodeProject('evidence'),
      nodeProject('sandbox'),
      {
        test: {
          name: 'extensions',
          setupFiles,
          include: ['extensions/{telemetry,editor}/src/**/*.test.ts'],
          tags: vitestTags,
          ...timeLimits,
        },
      },
      'extensions/browser',
      'web',
    ],
  },
});
