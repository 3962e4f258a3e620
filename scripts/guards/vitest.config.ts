// Runs the tests with one PostgreSQL for all runs, and caches unchanged modules.
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';
import config from '../../vitest.config.ts';

const { GUARDS_CLUSTER: cluster, GUARDS_CACHE: cache } = process.env;

const withCluster = (project: TestProjectConfiguration): TestProjectConfiguration =>
  cluster !== undefined && typeof project === 'object' && 'test' in project && project.test?.name === 'server'
    ? // A timeout on a busy machine detects nothing.
      { test: { ...project.test, globalSetup: [], provide: { cluster: JSON.parse(cluster) }, testTimeout: 180_000 } }
    : project;

export default defineConfig({
  test: {
    ...config.test,
    experimental: { fsModuleCache: true, ...(cache !== undefined && { fsModuleCachePath: cache }) },
    projects: config.test?.projects?.map(withCluster) ?? [],
  },
});
