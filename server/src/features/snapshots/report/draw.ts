import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Answer, Drawn } from './worker.ts';

/**
 * Draws the report of a bundle as PDF (PDF/A-2a as the compiler declares and checks it), in a process of its own, which gives its memory back
 * when it ends (some 200 MB for 5 000 rows) and has none of the server's secrets; the same data make the same bytes. Undefined where there is no
 * compiler for this platform. Throws where what is to be drawn cannot be.
 */
export async function drawReport(report: Drawn): Promise<Uint8Array | undefined> {
  const answer = await new Promise<Answer>((resolve, reject) => {
    const worker = fork(fileURLToPath(new URL('worker.ts', import.meta.url)), {
      env: {},
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    worker.once('message', (answer) => resolve(answer as Answer));
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('The report was not drawn: its process ended')));
    worker.send(report);
  });
  if ('failed' in answer) throw new Error(`The report could not be drawn: ${answer.failed.slice(0, 500)}`);
  return 'pdf' in answer ? answer.pdf : undefined;
}
