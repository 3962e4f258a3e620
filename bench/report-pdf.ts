import { readFileSync } from 'node:fs';
import { reportOf } from '@sightline/evidence/bundle/report.ts';
import {
  appendChanges,
  buildTestBundle,
  createTestLedger,
  packedContents,
} from '@sightline/evidence/bundle/testing/scene.ts';
import { drawReport } from '../server/src/domains/compliance/snapshots/report/draw.ts';
import { memoryOf } from './bundle.ts';
import { besideHalf, rounded, timed } from './halves.ts';
import { type ReportRow, report } from './report.ts';

const rows = Number(process.env.BENCH_ROWS ?? 2_000);
/** Of the rows in a report of the design, which took 104 ms. */
const designed = 200;

/** Drawing the report of a bundle as a PDF: the size that was measured when it was designed, and ten times as many rows. */
export async function benchReport(): Promise<void> {
  const { milliseconds } = await draw(designed);
  report(`report of ${designed} rows, beside half of the figure of its design`, [
    besideHalf('drawn, the third time', milliseconds.at(-1) ?? 0, { ms: 104 }),
  ]);
  const { milliseconds: took, bytes, most, drawn } = await draw(rows);
  report(`report of ${drawn} rows`, [
    ...took.map((ms, index): ReportRow => ({ name: `drawn, time ${index + 1}`, seconds: rounded(ms / 1000) })),
    { name: 'the file', MB: rounded(bytes / 1_000_000), 'memory at most MB': Math.round(most) },
  ]);
}

/** Three times, each in a process of its own, as the server does. Linux tells how much memory that took. */
async function draw(wanted: number) {
  const log = createTestLedger();
  // Three of the controls evaluate each change, the fourth evaluates three tools.
  const { contents } = await buildTestBundle(log, appendChanges(log, Math.round((wanted - 3) / 3)));
  const drawn = contents.runs.reduce((sum, { rows: of }) => sum + of.length, 0);
  const told = reportOf(await packedContents(contents));
  let most = 0;
  const looking = setInterval(() => {
    for (const pid of childrenOf(process.pid)) most = Math.max(most, memoryOf(pid, 'VmHWM'));
  }, 20);
  const milliseconds: number[] = [];
  let bytes = 0;
  for (let time = 0; time < 3; time += 1) {
    milliseconds.push(
      await timed(async () => {
        const pdf = await drawReport(told);
        if (!pdf) throw new Error('There is no typesetter for this platform');
        bytes = pdf.length;
      }),
    );
  }
  clearInterval(looking);
  return { milliseconds, bytes, drawn, most };
}

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean).map(Number);
