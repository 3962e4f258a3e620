import type { TestProject } from 'vitest/node';
import { type Cluster, startCluster } from './cluster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    cluster: Pick<Cluster, 'url' | 'template'>;
  }
}

/** One PostgreSQL for the whole run; every test file takes a database of its own from its template. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startCluster();
  project.provide('cluster', { url: cluster.url, template: cluster.template });
  return cluster.stop;
}
