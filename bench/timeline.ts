import type { Page } from '@playwright/test';
import pg from 'pg';
import { inBrowser, measureExploreOpening } from './browser.ts';
import { measureFrameIntervals } from './frames.ts';
import { type BenchServer, startServer } from './process.ts';
import { printReport, type ReportRow } from './report.ts';

const total = Number(process.env.BENCH_TIMELINE_EVENTS ?? 100_000);

/** Measures Explore with a hundred thousand loaded events: frames while it scrolls, long tasks and memory. */
export async function benchTimeline(): Promise<void> {
  const server = await startServer();
  try {
    await seed(server);
    await inBrowser(server, async (page) => {
      await measureExploreOpening(page, server);
      const rows: ReportRow[] = [];
      const before = await memory(page);
      const started = performance.now();
      await loadEverything(page);
      rows.push({ name: `loaded ${total} events`, seconds: Math.round((performance.now() - started) / 100) / 10 });
      rows.push({ name: 'memory in use', MB: await memory(page), 'MB before': before });
      await page.evaluate('window.scrollTo({ top: document.body.scrollHeight / 2 })');
      await page.waitForTimeout(500);
      for (const [name, speed] of [
        ['3 000 px/s down', 3_000],
        ['3 000 px/s up', -3_000],
        ['20 000 px/s down', 20_000],
      ] as const)
        rows.push({ name, ...(await measureFrameIntervals(page, () => scroll(page, speed, 4_000))) });
      printReport(`timeline with ${total} events in the page`, rows);
    });
  } finally {
    await server.stop();
  }
}

async function loadEverything(page: Page): Promise<void> {
  await page.evaluate(`new Promise((resolve) => {
    const more = () => {
      window.scrollTo({ top: document.body.scrollHeight });
      if (document.body.innerText.includes('Start of the timeline.')) resolve();
      else setTimeout(more, 20);
    };
    more();
  })`);
}

/** Returns the megabytes on the heap of the page after a garbage collection. */
async function memory(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return Math.round(usedSize / 1e6);
}

const scroll = (page: Page, speed: number, time: number): Promise<void> =>
  page.evaluate(`new Promise((resolve) => {
    const from = performance.now();
    const start = window.scrollY;
    const step = (now) => {
      window.scrollTo({ top: start + (${speed} * (now - from)) / 1000, behavior: 'instant' });
      if (now - from < ${time}) requestAnimationFrame(step);
      else resolve();
    };
    requestAnimationFrame(step);
  })`);

const connect = async ({ superuserUrl }: BenchServer) => {
  const url = new URL(superuserUrl);
  url.pathname = '/sightline';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  return client;
};

/**
 * Inserts three events a minute over weeks, by forty people in twenty repositories. Every tenth is grouped with similar
 * ones.
 */
async function seed(server: BenchServer): Promise<void> {
  await insert(server, total, "timestamptz '2026-11-20' - n * interval '19 seconds'");
}

async function insert(server: BenchServer, count: number, at: string): Promise<void> {
  const client = await connect(server);
  await client.query(
    `insert into event (org_id, id, as_of, received_at, kind, actor, repo, pr, source, summary, detail, leaf_hash, proof)
     select $1, gen_random_uuid(), at, at, (array['commit','pull_request','web_page_view','vulnerability','other'])[1 + k % 5],
       md5((k % 40)::text)::uuid, md5((k % 20)::text)::uuid, null, 'github',
       json_build_object('phrase', '{0} committed {1} to {2} in {3} {4}', 'parameters', json_build_array(
         json_build_object('kind','user','display','Person '||(k % 40),'ident','p'||(k % 40)),
         json_build_object('kind','sha','display',substr(md5(n::text),1,7),'ident',md5(n::text),'data',json_build_object('url','https://example.org/commit/'||md5(n::text))),
         json_build_object('kind','branch','display','main','ident','main'),
         json_build_object('kind','repository','display','acme/repo-'||(k % 20),'ident','acme/repo-'||(k % 20),'icon','github'),
         json_build_object('kind','text','display','Change number '||n,'ident','')))::text, '[]', sha256(n::text::bytea), gen_random_uuid()
     from (select n, case when n % 10 = 0 then n - 1 else n end as k, ${at} as at from generate_series(1, $2::int) n) e`,
    [server.orgId, count],
  );
  await client.query('vacuum analyze event');
  await client.end();
}
