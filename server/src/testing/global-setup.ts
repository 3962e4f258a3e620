import type { TestProject } from 'vitest/node';
import { type Cluster, startCluster } from './cluster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    cluster: Pick<Cluster, 'url' | 'template'>;
  }
}

/** Starts one PostgreSQL for the run. Every test file creates its own database from its template. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startCluster();
  project.provide('cluster', { url: cluster.url, template: cluster.template });
  return cluster.stop;
}
