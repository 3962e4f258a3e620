import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type CanonicalValue, isList, isRecord } from '@sightline/evidence/ledger/canonical.ts';
import { type Letters, loadLetters } from './letters.ts';

/** The result of `reportOf`. */
export interface ReportData {
  at: number;
  /** `report`, the default, is that of a bundle. */
  template?: 'report' | 'framework';
  data: CanonicalValue;
}

/** The input of a worker: drawable text as JSON, and the font paths. */
export interface DrawingRequest {
  at: number;
  template: string;
  data: string;
  fonts: string[];
}
/** The result of a worker. */
export type DrawingResult = { pdf: Uint8Array } | { missing: string } | { failed: string };

const fonts = [
  '@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf',
  '@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf',
  '@expo-google-fonts/inter/700Bold/Inter_700Bold.ttf',
  '@expo-google-fonts/noto-sans-jp/400Regular/NotoSansJP_400Regular.ttf',
].map((path) => fileURLToPath(import.meta.resolve(path)));

/**
 * Renders a report as PDF (PDF/A-2a as declared and checked by the compiler). A separate process releases
 * its memory afterwards (about 200 MB for 5 000 items) and has no server secrets. The same data yield the same bytes.
 * Undefined without a compiler for this platform. Throws if rendering fails.
 */
export async function drawReport({ at, template = 'report', data }: ReportData): Promise<Uint8Array | undefined> {
  const letters = await loadLetters(fonts, JSON.stringify(data));
  const answer = await drawInWorker({ at, template, data: JSON.stringify(toDrawable(data, letters)), fonts });
  if ('failed' in answer) throw new Error(`The report could not be created: ${answer.failed.slice(0, 500)}`);
  return 'pdf' in answer ? answer.pdf : undefined;
}

const drawInWorker = (ordered: DrawingRequest): Promise<DrawingResult> =>
  new Promise((resolve, reject) => {
    const worker = fork(fileURLToPath(new URL('worker.mjs', import.meta.url)), {
      env: {},
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    worker.once('message', (answer) => resolve(answer as DrawingResult));
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('The report was not created: its process ended')));
    worker.send(ordered);
  });

function toDrawable(value: CanonicalValue, letters: Letters): CanonicalValue {
  if (typeof value === 'string') return letters.spelt(value);
  if (isList(value)) return value.map((one) => toDrawable(one, letters));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, toDrawable(one, letters)]));
}
