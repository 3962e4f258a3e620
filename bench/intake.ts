import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureIntakeUnderFaults } from './intake-faults.ts';
import { measureLargeIntake, measureLimitedIntake } from './intake-large.ts';
import { printReport, type ReportRow } from './report.ts';

const parts: Record<string, (folder: string) => Promise<ReportRow[]>> = {
  faults: measureIntakeUnderFaults,
  large: measureLargeIntake,
  limited: measureLimitedIntake,
};

/**
 * Imports from a code host that fails: many repositories while the server and its database are killed, a large one
 * while two others import, and one that needs more requests than an hour allows. `PART` selects some of these parts.
 */
export async function benchIntake(): Promise<void> {
  const chosen = process.env.PART?.split(',') ?? Object.keys(parts);
  for (const part of chosen) {
    const measure = parts[part];
    if (!measure) throw new Error(`No part is called ${part}. There are: ${Object.keys(parts).join(', ')}`);
    const folder = await mkdtemp(join(tmpdir(), 'sightline-bench-intake-'));
    try {
      printReport(`intake: ${part}`, await measure(folder));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}
