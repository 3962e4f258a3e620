import { createStatusCheck } from '@sightline/contract/sources/status-checks.ts';
import type { TestServer } from '#testing/server.ts';
import type { Seed } from './seeded.ts';

/** Creates a status check URL. */
export async function createStatusCheckUrl(server: TestServer, { org }: Seed): Promise<void> {
  await server.as(org.owner, org.id)(createStatusCheck, {});
}
