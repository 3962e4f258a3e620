import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { roleIds } from '@sightline/contract/core/permissions.ts';
import { demoProgress } from '@sightline/contract/organization/demo.ts';
import { z } from 'zod';

const demoFile = demoProgress.extend({
  /** ID of the process that creates the demo, to recognize one that ended early. */
  process: z.number().int(),
  portal: z.string().nullable(),
  credentials: z.array(
    z.object({ name: z.string(), email: z.string(), password: z.string(), roleId: z.enum(roleIds) }),
  ),
});
/** The demo of an installation, with the passwords of its accounts, so that a later start can print them. */
export type DemoFile = z.infer<typeof demoFile>;

const pathIn = (dataDir: string): string => join(dataDir, 'demo.json');

/** The demo of this data directory; undefined if none was created. */
export async function readDemoFile(dataDir: string): Promise<DemoFile | undefined> {
  const text = await readFile(pathIn(dataDir), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const demo = demoFile.parse(JSON.parse(text));
  if (demo.state !== 'creating' || isRunning(demo.process)) return demo;
  return { ...demo, state: 'failed', problem: demo.problem ?? 'The program that created it ended early.' };
}

export const writeDemoFile = (dataDir: string, demo: DemoFile): Promise<void> =>
  writeFile(pathIn(dataDir), `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });

export const deleteDemoFile = (dataDir: string): Promise<void> => rm(pathIn(dataDir), { force: true });

function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch {
    return false;
  }
}
