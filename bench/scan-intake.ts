import { backgroundJobsOf } from '../server/src/app.ts';
import { composeServices } from '../server/src/compose.ts';
import { readConfig } from '../server/src/config.ts';
import { newId } from '../server/src/core/ids.ts';
import { createLog } from '../server/src/core/log.ts';
import type { Services } from '../server/src/core/services.ts';
import { importResults } from '../server/src/domains/vulnerabilities/findings/intake.ts';
import type { ScannerResult } from '../server/src/providers/scanner.ts';
import type { BenchServer } from './process.ts';
import type { ReportRow } from './report.ts';

const size = Number(process.env.BENCH_RESULTS ?? 25_000);

/**
 * Measures the seconds until a scan is matched, from the first result on, and the memory growth of this process.
 * Excludes reading a file or querying a scanner.
 */
export async function measureScanIntake(server: BenchServer): Promise<ReportRow[]> {
  const config = readConfig({
    NODE_ENV: 'production',
    DATA_DIR: server.folder,
    SANDBOX: 'off',
    PUBLIC_URL: server.url,
  });
  const { services, close } = await composeServices(config, server.ownerUrl, createLog('error'));
  try {
    await services.jobs.start(backgroundJobsOf(services), false);
    const repositoryId = await makeRepository(services, server.orgId);
    const send = (results: Iterable<ScannerResult>, ref = 'refs/heads/main') =>
      importResults(services, server.orgId, {
        actor: { integration: 'bench' },
        analysis: { ...usual, repositoryId, ref },
        results,
      });
    await send(generateResults(100), 'refs/heads/warm');
    const rows: ReportRow[] = [];
    const measure = async (name: string, work: () => Promise<unknown>) => {
      globalThis.gc?.();
      const before = process.memoryUsage.rss();
      let peak = before;
      const watch = setInterval(() => {
        peak = Math.max(peak, process.memoryUsage.rss());
      }, 20);
      const started = performance.now();
      await work();
      clearInterval(watch);
      const seconds = ((performance.now() - started) / 1000).toFixed(2);
      rows.push({ name, results: size, seconds, 'MB more at most': Math.round((peak - before) / 2 ** 20) });
    };
    await measure('new', () => send(generateResults(size)));
    await measure('the same again', () => send(generateResults(size)));
    await measure('every line shifted', () => send(generateResults(size, { shift: 3 })));
    await measure('half of them', () => send(generateResults(size / 2, { shift: 3 })));
    await measure('all of them again', () => send(generateResults(size, { shift: 3 })));
    await measure('on another branch', () => send(generateResults(size, { shift: 3 }), 'refs/heads/feature'));
    await measure('every file renamed', () => send(generateResults(size, { shift: 3, folder: 'lib' })));
    return rows;
  } finally {
    await close();
  }
}

const usual = {
  source: 'sarif' as const,
  tool: { key: 'codeql', name: 'CodeQL', version: '2.5.4' },
  category: '',
  commit: null,
  nativeId: null,
  complete: true,
};

const described = Array.from(
  { length: 200 },
  (_, rule) => `Why rule ${rule} matters. ${'More about it. '.repeat(100)}`,
);

/** Yields results over 1 000 files and 200 rules, each with about a kilobyte of text. */
function* generateResults(count: number, { shift = 0, folder = 'src' } = {}): Generator<ScannerResult> {
  for (let index = 0; index < count; index += 1) {
    const rule = index % 200;
    yield {
      ruleId: `js/rule-${rule}`,
      ruleName: null,
      title: `Rule ${rule} about what may go wrong`,
      description: described[rule] ?? '',
      message: `This may go wrong in ${index} ways. ${'Here is why. '.repeat(20)}`,
      severity: (['critical', 'high', 'medium', 'low', 'info'] as const)[index % 5] ?? 'info',
      category: 'sast',
      cwes: [20 + (rule % 50)],
      codes: [
        {
          kind: 'cwe',
          id: `CWE-${20 + (rule % 50)}`,
          url: `https://cwe.mitre.org/data/definitions/${20 + (rule % 50)}.html`,
        },
      ],
      path: `${folder}/module-${index % 1000}/file.ts`,
      line: 10 + Math.floor(index / 1000) * 7 + shift,
      endLine: null,
      snippet: `const value${index} = read(input, ${index});`,
      content: null,
      flow: [{ filePath: `${folder}/module-${index % 1000}/file.ts`, line: 3, endLine: null, message: 'input' }],
      package: null,
      references: [{ title: 'More', url: `https://rules.example/${rule}` }],
      compliances: [],
      discoveredAt: null,
      state: 'open',
      suppressed: null,
      scannerReference: null,
    };
  }
}

async function makeRepository(services: Services, orgId: string): Promise<string> {
  const id = newId();
  await services.database.withOrg(orgId, ({ db }) =>
    db
      .insertInto('repository')
      .values({
        org_id: orgId,
        id,
        provider: 'github',
        provider_repo_id: id,
        installation_id: '1',
        owner: 'bench',
        name: 'scanned',
        full_name: 'bench/scanned',
        default_branch: 'main',
        is_private: true,
        html_url: 'https://code.example/bench/scanned',
        tracked: true,
      })
      .execute(),
  );
  return id;
}
