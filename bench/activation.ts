import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { printReport } from './report.ts';

const times = 11;
const extension = join(import.meta.dirname, '../extensions/editor/dist/packed/extension.js');

interface ActivationTimes {
  /** Milliseconds. */
  loading: number;
  activating: number;
  cpu: number;
}

/**
 * Measures the cost of the extension at editor startup: loading its code, and the activation that the editor waits for.
 */
export async function benchActivation(): Promise<void> {
  if (!existsSync(extension)) {
    console.log('activation is skipped: run npm run build:extensions first.');
    return;
  }
  const scriptPath = join(import.meta.dirname, 'activation-once.cjs');
  const measurements = Array.from(
    { length: times },
    (): ActivationTimes => JSON.parse(execFileSync(process.execPath, [scriptPath, extension], { encoding: 'utf8' })),
  );
  const median = (of: keyof ActivationTimes) => {
    const sorted = measurements.map((one) => one[of]).toSorted((one, other) => one - other);
    return Number((sorted[Math.floor(times / 2)] ?? 0).toFixed(1));
  };
  printReport('activation of the editor extension', [
    {
      name: `median of ${times}`,
      'loading ms': median('loading'),
      'activating ms': median('activating'),
      'cpu ms': median('cpu'),
      'machine load': Number((loadavg()[0] ?? 0).toFixed(1)),
    },
  ]);
}
