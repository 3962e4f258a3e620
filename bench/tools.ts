import pg from 'pg';
import { type BenchServer, startServer } from './process.ts';
import { type BenchRequest, type BenchRequests, measureRequests } from './questions.ts';
import { printReport } from './report.ts';

const detections = Number(process.env.BENCH_DETECTIONS ?? 100_000);
const [repositories, people] = [500, 500];
const seconds = Number(process.env.SECONDS ?? 4);
/** A part of the names of the questions to measure; all without it. */
const part = process.env.PART ?? '';

/**
 * Measures the inventory over HTTP: 800 tools in 500 repositories, five of them disabled, so that the totals of the
 * organization do not apply; 1 500 more with 500 people of 60 extensions each.
 */
export async function benchTools(): Promise<void> {
  const server = await startServer();
  try {
    await seed(server);
    const requests = Object.entries(await questions(server)).filter(([name]) => name.includes(part));
    const rows = await measureRequests(server, Object.fromEntries(requests), { connections: [1, 8, 16], seconds });
    printReport(`tools: ${detections} detections`, rows);
  } finally {
    await server.stop();
  }
}

async function questions({ url, token }: BenchServer): Promise<BenchRequests> {
  const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);
  const period = `${day(30)},${day(0)}`;
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}/api/v2/tools/filters?tab=developer`, { headers });
  const { members, repositories: projects } = (await answer.json()) as Record<string, { value: string }[]>;
  const person = members?.[7]?.value ?? '';
  const project = projects?.[7]?.value ?? '';
  const list = (filter: object): BenchRequest => ({
    method: 'POST',
    path: '/api/v2/tools/inventory',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(filter),
  });
  return {
    'first page': [list({ period }), list({ tab: 'developer', period })],
    'any time, page 7': [list({ page: 7 }), list({ tab: 'developer', page: 7, sort: 'date-desc' })],
    '100 by date': [
      list({ perPage: 100, sort: 'date-desc', period }),
      list({ tab: 'developer', perPage: 100, sort: 'date-desc' }),
    ],
    search: [list({ search: 'tool 7', period }), list({ tab: 'developer', search: 'extension 12', period })],
    'several filters': [
      list({ period, vendors: ['Vendor 3', 'Vendor 5'], sources: ['github-actions'] }),
      list({ tab: 'developer', period, categories: ['Build'], types: ['ide-extension'] }),
    ],
    'one project': [list({ projects: [project], period })],
    'one person': [list({ tab: 'developer', users: [person], period })],
    filters: [`/api/v2/tools/filters?period=${period}`, `/api/v2/tools/filters?tab=developer&period=${period}`],
    'one tool': ['/api/v2/tools/tool%201', '/api/v2/tools/extension%207'],
    detections: [
      '/api/v2/tools/tool%201/detections',
      '/api/v2/tools/tool%202/detections?sort=repository-asc&page=3',
      '/api/v2/tools/tool%203/detections?search=r12',
    ],
    'people and projects': ['/api/v2/tools/extension%207/people', '/api/v2/tools/tool%201/projects'],
  };
}

/** Inserts rows without the API, as months of scans and reports produce them. */
async function seed({ superuserUrl, orgId }: BenchServer): Promise<void> {
  const url = new URL(superuserUrl);
  url.pathname = '/sightline';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  const at = "now() - (n % 40) * interval '1 day'";
  const run = (text: string, ...values: unknown[]) => client.query(text, [orgId, ...values]);
  try {
    await run(
      `insert into repository (org_id, id, provider, provider_repo_id, installation_id, owner, name, full_name, default_branch, is_private, html_url, tracked)
       select $1::uuid, ${uuidOf(`'r' || n`)}, 'github', n::text, '1', 'dev', 'r' || n, 'dev/r' || n, 'main', true, 'https://example.org/dev/r' || n, n > 5
       from generate_series(1, $2::int) n`,
      repositories,
    );
    await run(
      `insert into person (org_id, id) select $1::uuid, ${uuidOf(`'p' || n`)} from generate_series(1, $2::int) n`,
      people,
    );
    await run(
      `insert into identity (org_id, kind, value, person_id, display, source, confidence)
       select $1::uuid, 'email', 'p' || n || '@example.org', ${uuidOf(`'p' || n`)}, 'Person ' || n, 'sightline', 'declared'
       from generate_series(1, $2::int) n`,
      people,
    );
    await run(
      `insert into tool (org_id, tab, id, name, vendor, kind, categories, version, sources, first_seen, last_seen)
       select $1::uuid, 'ci/cd', 'tool ' || n, 'Tool ' || n, 'Vendor ' || n % 60, 'ci-action', array['Build'], 'v4', array['github-actions'],
         now() - interval '200 days', ${at} from generate_series(1, 800) n
       union all
       select $1::uuid, 'developer', 'extension ' || n, 'Extension ' || n, 'Vendor ' || n % 200, 'ide-extension', array['Build'], '1.2.3', array['vscode'],
         now() - interval '200 days', ${at} from generate_series(1, 1500) n`,
    );
    // A few tools are used everywhere, most in few repositories.
    const spread = (max: number) => `1 + floor(${max} * power(((n * 7919) % 1000) / 1000.0, 2))::int`;
    await run(
      `insert into tool_detection (org_id, id, repository_id, tool_id, source, path, line, text, version, commit_sha, confidence, first_seen, last_seen)
       select $1::uuid, gen_random_uuid(), ${uuidOf(`'r' || 1 + n % ${repositories}`)}, 'tool ' || ${spread(799)}, 'github-actions',
         '.github/workflows/w' || n % 9 || '.yml', n % 200, 'uses: some/tool@v4', 'v4', repeat('a', 40), 'observed',
         now() - interval '200 days', ${at} from generate_series(1, $2::int) n`,
      detections,
    );
    await run(
      `insert into tool_repository (org_id, tab, tool_id, repository_id, source, first_seen, last_seen)
       select $1::uuid, 'ci/cd', tool_id, repository_id, source, min(first_seen), max(last_seen) from tool_detection
       where org_id = $1::uuid group by 2, 3, 4, 5`,
    );
    await run(
      `insert into tool_person (org_id, tab, tool_id, person_id, source, program, device_id, version, first_seen, last_seen)
       select $1::uuid, 'developer', 'extension ' || ${spread(1499)}, ${uuidOf(`'p' || 1 + n % ${people}`)}, 'vscode', 'vscode', ${uuidOf(`'d' || n % ${people}`)},
         '1.2.3', now() - interval '200 days', max(${at}) from generate_series(1, $2::int) n group by 3, 4, 7`,
      people * 60,
    );
    await run(
      `insert into tool_repository (org_id, tab, tool_id, repository_id, source, first_seen, last_seen)
       select $1::uuid, 'developer', 'extension ' || ${spread(1499)}, ${uuidOf(`'r' || 1 + n % ${repositories}`)}, 'vscode', now() - interval '200 days', max(${at})
       from generate_series(1, 20000) n group by 3, 4`,
    );
    for (const table of tables) await client.query(`vacuum analyze ${table}`);
  } finally {
    await client.end();
  }
}

// Of a version that the API accepts.
const uuidOf = (text: string) =>
  `overlay(overlay(md5(${text}) placing '4' from 13 for 1) placing '8' from 17 for 1)::uuid`;

const tables = ['repository', 'person', 'identity', 'tool', 'tool_detection', 'tool_repository', 'tool_person'];
