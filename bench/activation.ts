import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { report } from './report.ts';

const times = 11;
const extension = join(import.meta.dirname, '../extensions/editor/dist/packed/extension.js');

interface ActivationTimes {
  /** Milliseconds. */
  loading: number;
  activating: number;
  cpu: number;
}

/** What the editor's extension adds to the start of an editor: its code, and what it does before the editor goes on. */
export async function benchActivation(): Promise<void> {
  if (!existsSync(extension)) {
    console.log('activation is skipped: run npm run build:extensions first.');
    return;
  }
  const once = join(import.meta.dirname, 'activation-once.cjs');
  const taken = Array.from(
    { length: times },
    (): ActivationTimes => JSON.parse(execFileSync(process.execPath, [once, extension], { encoding: 'utf8' })),
  );
  const median = (of: keyof ActivationTimes) => {
    const sorted = taken.map((one) => one[of]).toSorted((one, other) => one - other);
    return Number((sorted[Math.floor(times / 2)] ?? 0).toFixed(1));
  };
  report('activation of the editor extension', [
    {
      name: `median of ${times}`,
      'loading ms': median('loading'),
      'activating ms': median('activating'),
      'cpu ms': median('cpu'),
      'machine load': Number((loadavg()[0] ?? 0).toFixed(1)),
    },
  ]);
}
