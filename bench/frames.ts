import type { ElementHandle, Page } from '@playwright/test';
import { inBrowser } from './browser.ts';
import { seedMembers } from './members.ts';
import { startServer } from './process.ts';
import { printReport, type ReportRow } from './report.ts';

const frame = 1000 / 60;

/** Measures the frames of the members page while a user searches and filters ten thousand members. */
export async function benchFrames(): Promise<void> {
  const server = await startServer();
  try {
    await seedMembers(server);
    await inBrowser(server, async (page) => {
      await page.goto(`${server.url}/organization/members`);
      await page.getByRole('table').getByText('@example.org').first().waitFor();
      const rows: ReportRow[] = [];
      rows.push(await measureFrames(page, 'nothing happens', () => page.waitForTimeout(2_000)));
      const search = await page.getByRole('searchbox').elementHandle();
      rows.push(
        await measureFrames(page, 'typing a search', async () => {
          await search?.type('person 7312', { delay: 90 });
          await page.waitForTimeout(500);
        }),
      );
      await search?.fill('');
      const statuses = await buttonsOf(page, [/^Deactivated/, /^Pending/, /^Uninvited/]);
      rows.push(await measureFrames(page, 'filtering by status', () => pressAll(page, [...statuses, ...statuses])));
      const [next] = await buttonsOf(page, ['Next page']);
      rows.push(await measureFrames(page, 'paging', () => pressAll(page, [next, next, next, next, next])));
      printReport('frames of the members page', rows);
    });
  } finally {
    await server.stop();
  }
}

type Button = ElementHandle | null | undefined;

/** Finds the buttons before the measurement, because the search runs in the page and would be measured. */
const buttonsOf = (page: Page, names: (string | RegExp)[]): Promise<Button[]> =>
  Promise.all(names.map((name) => page.getByRole('button', { name }).elementHandle()));

async function pressAll(page: Page, buttons: readonly Button[]): Promise<void> {
  for (const button of buttons) {
    await button?.evaluate((element) => (element as unknown as { click: () => void }).click());
    await page.waitForTimeout(400);
  }
}

const measureFrames = async (page: Page, name: string, work: () => Promise<void>): Promise<ReportRow> => ({
  name,
  ...(await measureFrameIntervals(page, work)),
});

/** Runs `work` and returns the intervals between the frames that the browser drew meanwhile. */
export async function measureFrameIntervals(page: Page, work: () => Promise<void>): Promise<Omit<ReportRow, 'name'>> {
  await page.evaluate(`{
    const watch = { times: [], on: true, long: 0 };
    globalThis.watch = watch;
    watch.observer = new PerformanceObserver((list) => { watch.long += list.getEntries().length; });
    watch.observer.observe({ type: 'longtask' });
    const look = (time) => {
      watch.times.push(time);
      if (watch.on) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }`);
  await work();
  const { times, long } = await page.evaluate<{ times: number[]; long: number }>(
    'watch.on = false, watch.observer.disconnect(), { times: watch.times, long: watch.long }',
  );
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  const missed = gaps.reduce((sum, gap) => sum + Math.max(0, Math.round(gap / frame) - 1), 0);
  const sorted = gaps.toSorted((one, other) => one - other);
  const seconds = gaps.reduce((sum, gap) => sum + gap, 0) / 1000;
  return {
    'frames/s': Number((gaps.length / seconds).toFixed(1)),
    'within 20 ms': `${((gaps.filter((gap) => gap <= 20).length / gaps.length) * 100).toFixed(1)} %`,
    'p95 ms': Number((sorted[Math.floor(sorted.length * 0.95)] ?? 0).toFixed(1)),
    'longest ms': Number((sorted.at(-1) ?? 0).toFixed(1)),
    missed,
    'long tasks': long,
  };
}
