import { Worker } from 'node:worker_threads';
import type { Answer, Drawn } from './worker.ts';

/**
 * Draws the report of a bundle as PDF (PDF/A-2a as the compiler declares and checks it), in a thread of its own; the same data make the
 * same bytes. Undefined where there is no compiler for this platform. Throws where what is to be drawn cannot be.
 */
export async function drawReport(report: Drawn): Promise<Uint8Array | undefined> {
  const answer = await new Promise<Answer>((resolve, reject) => {
    const worker = new Worker(new URL('worker.ts', import.meta.url), { workerData: report });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('The report was not drawn: its thread ended')));
  });
  if ('failed' in answer) throw new Error(`The report could not be drawn: ${answer.failed.slice(0, 500)}`);
  return 'pdf' in answer ? answer.pdf : undefined;
}
