import type { getDemo } from '@sightline/contract/organization/demo.ts';
import type { z } from 'zod';
import { readDemoFile } from '#core/demo-file.ts';
import type { Services } from '#core/services.ts';

/** Whether this server offers a demo, which needs the sandbox, and its progress. */
export async function findDemo({ config }: Services): Promise<z.output<typeof getDemo.response>> {
  if (sandboxUrlOf(config) === undefined) return { isOffered: false, progress: null };
  const file = await readDemoFile(config.dataDir);
  if (!file) return { isOffered: true, progress: null };
  const { state, done, total, step, problem, organizationId } = file;
  return { isOffered: true, progress: { state, done, total, step, problem, organizationId } };
}

/** The URL of the sandbox; undefined on a server without one, such as in production. */
export const sandboxUrlOf = ({ production, github }: Services['config']): string | undefined =>
  !production && github?.sandbox ? github.url : undefined;
