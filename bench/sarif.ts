import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import pg from 'pg';
import type { Scan } from '../contract/src/vulnerabilities/scans.ts';
import { newId } from '../server/src/core/ids.ts';
import { readMeanwhile } from './finding-edits.ts';
import { type BenchServer, startServer } from './process.ts';
import { printReport, type ReportRow } from './report.ts';

const size = Number(process.env.BENCH_RESULTS ?? 25_000);
const merged = Number(process.env.BENCH_MERGED ?? 2 * size);

/**
 * Measures the seconds from sending a SARIF file until it is imported and matched, and the memory growth of the server.
 */
export async function benchSarif(): Promise<void> {
  const server = await startServer();
  try {
    await makeRepository(server);
    const completeFile = fileOf(size);
    const halfFile = fileOf(size / 2);
    await send(server, fileOf(200), 'warm');
    const rows = [
      await measure(server, 'new', completeFile),
      await measure(server, 'the same again', completeFile),
      await measure(server, 'half of them', halfFile),
      await measure(server, 'all of them again', completeFile),
      await measure(server, 'the same again, packed', gzipSync(completeFile)),
    ];
    printReport('sarif', rows);
    printReport('merging a branch', await measureMerge(server));
  } finally {
    await server.stop();
  }
}

/**
 * Measures the first scan of a branch with many findings, and then the scan of the main branch that they are merged
 * into, with lists that others read meanwhile. Each scan is in two files, because of the maximum size of one.
 */
async function measureMerge(server: BenchServer): Promise<ReportRow[]> {
  const files = [fileOf(merged / 2, 1_000_000), fileOf(merged / 2, 2_000_000)];
  const rows: ReportRow[] = [];
  for (const [name, ref] of [
    ['on the branch', 'feature'],
    ['merged into main', 'main'],
  ] as const) {
    for (const [part, file] of files.entries()) {
      const reading = readMeanwhile(server);
      const row = await measure(server, `${name}, part ${part + 1}`, file, `${ref}&category=part-${part}`);
      rows.push({ ...row, ...(await reading.stop()) });
    }
  }
  return rows;
}

async function measure(server: BenchServer, name: string, file: Buffer, ref = 'main'): Promise<ReportRow> {
  const before = await megabytesOf(server);
  let peak = before;
  let watching = true;
  const watch = (async () => {
    while (watching) {
      peak = Math.max(peak, await megabytesOf(server));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  const started = performance.now();
  const [scan] = await send(server, file, ref).finally(() => {
    watching = false;
    return watch;
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(2);
  const { new: added = 0, fixed = 0, reopened = 0, unchanged = 0 } = scan?.counts ?? {};
  const figures = {
    MB: (file.length / 2 ** 20).toFixed(1),
    seconds,
    'MB more at most': Math.round(peak - before),
    'MB at most': Math.round(peak),
  };
  return { name, ...figures, new: added, fixed, reopened, unchanged };
}

async function megabytesOf({ pid }: BenchServer): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024;
}

async function send(server: BenchServer, file: Buffer, ref: string): Promise<Scan[]> {
  const sent = await ask<Scan[]>(server, `/repositories/github/bench/scanned/sarif?ref=${ref}`, {
    method: 'POST',
    headers: { 'content-type': 'application/sarif+json' },
    body: new Uint8Array(file),
  });
  return Promise.all(sent.map((scan) => pollUntilDone(server, scan)));
}

/** Polls a scan that takes longer than a response may wait. */
async function pollUntilDone(server: BenchServer, scan: Scan): Promise<Scan> {
  if (scan.state === 'done') return scan;
  if (scan.state === 'failed') throw new Error(scan.error ?? 'A scan failed');
  await new Promise((resolve) => setTimeout(resolve, 200));
  return pollUntilDone(server, await ask<Scan>(server, `/scans/${scan.id}`, {}));
}

async function ask<Answer>({ url, token }: BenchServer, path: string, init: RequestInit): Promise<Answer> {
  const headers = { ...init.headers, authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/api/v2${path}`, { ...init, headers });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  return response.json() as Promise<Answer>;
}

/** Builds a log like that of CodeQL: 300 rules with help, snippets, fingerprints, and a flow for every tenth result. */
function fileOf(count: number, from = 0): Buffer {
  const rules = Array.from({ length: 300 }, (_, rule) => ({
    id: `js/rule-${rule}`,
    name: `js/rule-${rule}`,
    shortDescription: { text: `Rule ${rule} about what may go wrong` },
    help: { markdown: `# Rule ${rule}\n${'More about it. '.repeat(200)}` },
    properties: {
      tags: ['security', `external/cwe/cwe-${20 + (rule % 50)}`],
      'security-severity': String((rule % 100) / 10),
    },
  }));
  const results = Array.from({ length: count }, (_, index) => resultOf(from + index));
  const tool = { driver: { name: 'CodeQL', semanticVersion: '2.20.0', rules } };
  return Buffer.from(JSON.stringify({ version: '2.1.0', runs: [{ tool, results }] }));
}

function resultOf(place: number) {
  return {
    ruleId: `js/rule-${place % 300}`,
    ruleIndex: place % 300,
    message: { text: `This may go wrong in ${place} ways. ${'Here is why. '.repeat(10)}` },
    locations: [{ physicalLocation: placeOf(place, (place % 900) + 1) }],
    partialFingerprints: { primaryLocationLineHash: `${place.toString(16).padStart(16, '0')}:1` },
    ...(place % 10 === 0 && {
      codeFlows: [
        {
          threadFlows: [
            {
              locations: Array.from({ length: 6 }, (_, step) => ({
                location: { physicalLocation: placeOf(place, step + 1), message: { text: `step ${step}` } },
              })),
            },
          ],
        },
      ],
    }),
  };
}

const placeOf = (place: number, line: number) => ({
  artifactLocation: { uri: `src/module-${place % 1000}/file.ts`, uriBaseId: '%SRCROOT%' },
  region: {
    startLine: line,
    startColumn: 4,
    endColumn: 30,
    snippet: { text: `const value${place} = read(${line});` },
  },
});

async function makeRepository({ superuserUrl, orgId }: BenchServer): Promise<void> {
  const url = new URL(superuserUrl);
  url.pathname = '/sightline';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    await client.query('set session_replication_role = replica');
    await client.query(
      `insert into repository (org_id, id, provider, provider_repo_id, installation_id, owner, name, full_name,
         default_branch, is_private, html_url, tracked)
       values ($1, $2, 'github', 'scanned', '1', 'bench', 'scanned', 'bench/scanned', 'main', true, 'https://code.example', true)`,
      [orgId, newId()],
    );
  } finally {
    await client.end();
  }
}
