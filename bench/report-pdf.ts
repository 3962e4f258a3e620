import { readFileSync } from 'node:fs';
import { namesOfContents } from '@sightline/evidence/bundle/files.ts';
import { reportOf } from '@sightline/evidence/bundle/report.ts';
import {
  appendChanges,
  buildTestBundle,
  createTestLedger,
  reportContentsOf,
} from '@sightline/evidence/bundle/testing/scene.ts';
import { drawReport } from '../server/src/domains/compliance/snapshots/report/draw.ts';
import { memoryOfProcessMegabytes } from './bundle.ts';
import { compareWithHalf, measureDurationMs, roundToTenth } from './halves.ts';
import { printReport, type ReportRow } from './report.ts';

const rows = Number(process.env.BENCH_ROWS ?? 2_000);
/** The rows in a report of the design, which took 104 ms. */
const DESIGN_ROWS = 200;

/** Draws the report of a bundle as a PDF: with the size measured at its design, and with ten times as many rows. */
export async function benchReport(): Promise<void> {
  const { milliseconds } = await draw(DESIGN_ROWS);
  printReport(`report of ${DESIGN_ROWS} rows, beside half of the figure of its design`, [
    compareWithHalf('drawn, the third time', milliseconds.at(-1) ?? 0, { ms: 104 }),
  ]);
  const { milliseconds: took, bytes, peakMegabytes, drawn } = await draw(rows);
  printReport(`report of ${drawn} rows`, [
    ...took.map((ms, index): ReportRow => ({ name: `drawn, time ${index + 1}`, seconds: roundToTenth(ms / 1000) })),
    { name: 'the file', MB: roundToTenth(bytes / 1_000_000), 'memory at most MB': Math.round(peakMegabytes) },
  ]);
}

/** Draws three times, each in its own process, like the server. Reads the peak memory from Linux. */
async function draw(rowCount: number) {
  const log = createTestLedger();
  // Three of the controls evaluate each change, and the fourth evaluates three tools.
  const { contents } = await buildTestBundle(log, appendChanges(log, Math.round((rowCount - 3) / 3)));
  const drawn = contents.runs.reduce((sum, { rows: of }) => sum + of.length, 0);
  const reportData = reportOf(reportContentsOf(contents, contents.entries, namesOfContents(contents).repositories));
  let peakMegabytes = 0;
  const sampler = setInterval(() => {
    for (const pid of childrenOf(process.pid))
      peakMegabytes = Math.max(peakMegabytes, memoryOfProcessMegabytes(pid, 'VmHWM'));
  }, 20);
  const milliseconds: number[] = [];
  let bytes = 0;
  for (let time = 0; time < 3; time += 1) {
    milliseconds.push(
      await measureDurationMs(async () => {
        const pdf = await drawReport(reportData);
        if (!pdf) throw new Error('There is no typesetter for this platform');
        bytes = pdf.length;
      }),
    );
  }
  clearInterval(sampler);
  return { milliseconds, bytes, drawn, peakMegabytes };
}

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean).map(Number);
