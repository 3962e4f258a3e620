import { newId } from '#core/ids.ts';
import type { Analysis, RejectedResult, ScannerResult } from '#providers/scanner.ts';
import { importResults, importUpload, insertScans } from '../domains/vulnerabilities/findings/intake.ts';
import type { TestAccount, TestOrganization, TestServer } from './server.ts';

/** Returns a typical result of a scanner with the given overrides. */
export const createScanResult = (over: Partial<ScannerResult> = {}): ScannerResult => ({
  ruleId: 'sql-injection',
  ruleName: null,
  title: `${over.ruleId ?? 'sql-injection'} in the code`,
  description: 'Input reaches a query.',
  message: 'This query depends on input.',
  severity: 'high',
  category: 'sast',
  cwes: [89],
  codes: [],
  path: 'src/a.ts',
  line: 10,
  endLine: null,
  snippet: null,
  content: null,
  flow: [],
  package: null,
  references: [],
  compliances: [],
  discoveredAt: null,
  state: 'open',
  suppressed: null,
  scannerReference: null,
  ...over,
});

/** Creates an enabled repository of an organization. Returns its ID. */
export async function createTestRepository(server: TestServer, org: TestOrganization, named?: string): Promise<string> {
  const id = newId();
  const name = named ?? `api-${id.slice(-12)}`;
  await server.services.database.withOrg(org.id, ({ db }) =>
    db
      .insertInto('repository')
      .values({
        org_id: org.id,
        id,
        provider: 'github',
        provider_repo_id: id,
        installation_id: '1',
        owner: 'acme',
        name,
        full_name: `acme/${name}`,
        default_branch: 'main',
        is_private: true,
        html_url: `https://code.example/acme/${name}`,
        tracked: true,
      })
      .execute(),
  );
  return id;
}

type ScanResults = AsyncIterable<ScannerResult | RejectedResult> | Iterable<ScannerResult | RejectedResult>;

/** Returns a scanner of a repository: `send` returns the row of the scan, the other functions the current state. */
export async function createTestScanner(server: TestServer, org: TestOrganization, repository?: string) {
  const { services } = server;
  const repositoryId = repository ?? (await createTestRepository(server, org));
  const usual: Analysis = {
    repositoryId,
    source: 'sarif',
    tool: { key: 'codeql', name: 'CodeQL', version: '2.5.4' },
    category: '',
    ref: 'refs/heads/main',
    commit: null,
    nativeId: null,
    complete: true,
  };
  const queryRows: QueryRows = <Row>(text: string): Promise<Row[]> =>
    services.database.withOrg(org.id, (tx) =>
      tx.query<Row & Record<string, unknown>>({ name: '', text, values: [org.id, repositoryId] }),
    );
  const actor = { integration: 'test' };
  const scanOf = async (id: string) => {
    const [scan] = await queryRows<{ counts: Record<string, number>; received: number; rejected: RejectedResult[] }>(
      `select * from scan where org_id = $1 and repository_id = $2 and id = '${id}'`,
    );
    if (!scan) throw new Error('no scan');
    return { id, ...scan };
  };
  return {
    repositoryId,
    analysis: usual,
    async send(results: ScanResults, over: Partial<Analysis> = {}) {
      const analysis = { ...usual, ...over };
      return scanOf(await importResults(services, org.id, { actor, analysis, results }));
    },
    /** As `send`, but as an upload, of which results that equal stored ones are staged without their fields. */
    async upload(results: readonly ScannerResult[], over: Partial<Analysis> = {}) {
      const [analysis, uploadId] = [{ ...usual, ...over }, newId()];
      const [id = ''] = await services.database.withOrg(org.id, (tx) =>
        insertScans(tx, org.id, actor, { analyses: [analysis], uploadId }),
      );
      const scans = [{ id, analysis, results: () => results }];
      await importUpload(services, org.id, actor, { uploadId, attempt: 1, scans });
      return scanOf(id);
    },
    ...repositoryQueries(queryRows),
    recounted: () => recountFindings(queryRows),
  };
}

/** Queries rows with `$1` as the organization and `$2` as the repository. */
type QueryRows = <Row>(text: string) => Promise<Row[]>;

const repositoryQueries = (queryRows: QueryRows) => ({
  findings: () =>
    queryRows<{
      id: string;
      title: string;
      status: string;
      severity: number;
      path: string | null;
      line: number | null;
      ref: string;
      tools: string[];
      data_source: string;
      decided: string | null;
      discovered_at: Date;
    }>(
      `select f.*, t.title from finding f join finding_title t on t.org_id = $1 and t.id = f.title_id
       where f.org_id = $1 and f.repository_id = $2 order by path, line, f.id`,
    ),
  instances: () =>
    queryRows<{
      finding_id: string;
      fingerprint: string;
      tool: string;
      ref: string;
      state: string;
      path: string | null;
      line: number | null;
    }>(
      `select i.*, a.tool from finding_instance i join analysis a on a.org_id = $1 and a.repository_id = $2 and a.key = i.analysis
       where i.org_id = $1 and i.repository_id = $2 order by i.ref, path, line, fingerprint`,
    ),
  sources: () =>
    queryRows<{ finding_id: string; fingerprint: string; reason: string; explanation: string; tool: string }>(
      'select * from finding_source where org_id = $1 and repository_id = $2 order by first_seen, tool, rule_id, fingerprint',
    ),
  scans: () =>
    queryRows<{ state: string; error: string | null; counts: Record<string, number> | null }>(
      'select * from scan where org_id = $1 and repository_id = $2 order by received_at',
    ),
  /** The number of results that are still stored for any scan of the repository. */
  left: async () =>
    (
      await queryRows(
        `select 1 from scan_result r join scan s on s.org_id = $1 and s.id = r.scan_id where r.org_id = $1 and s.repository_id = $2
         union all select 1 from scan_text r join scan s on s.org_id = $1 and s.id = r.scan_id where r.org_id = $1 and s.repository_id = $2`,
      )
    ).length,
  /** Row versions, which change with every write. */
  rowVersions: () =>
    queryRows(
      `select 'finding' as of, xmin::text from finding where org_id = $1 and repository_id = $2
       union all select 'source', xmin::text from finding_source where org_id = $1 and repository_id = $2
       union all select 'detail', xmin::text from finding_detail where org_id = $1 and repository_id = $2
       union all select 'instance', xmin::text from finding_instance where org_id = $1 and repository_id = $2
       union all select 'count', xmin::text from finding_count where org_id = $1 and repository_id = $2 order by 1, 2`,
    ),
  /** Marks the sources as split. */
  apart: () => queryRows('update finding_source set is_split = true where org_id = $1 and repository_id = $2'),
});

/** Returns the rows of finding_count and a recount of the findings, which must be equal. */
async function recountFindings(queryRows: QueryRows) {
  const by = 'repository_id, title_id, status, severity, category, tools';
  const stored = await queryRows(
    `select ${by}, count from finding_count where org_id = $1 and repository_id = $2 order by ${by}`,
  );
  const recounted = await queryRows(
    `select ${by}, count(*)::int as count from finding where org_id = $1 and repository_id = $2 group by ${by} order by ${by}`,
  );
  const [days] = await queryRows<{ open: number }>(
    'select coalesce(sum(change), 0)::int as open from finding_day where org_id = $1 and repository_id = $2',
  );
  const [open] = await queryRows<{ open: number }>(
    `select count(*)::int as open from finding where org_id = $1 and repository_id = $2 and status = 'open'`,
  );
  const facets = (text: string) => queryRows<Record<string, unknown>>(`${text} order by facet, value, status, lane`);
  const storedFacets = await facets(`select facet, value, status, lane, count from finding_facet_count
    where org_id = $1 and count <> 0 and $2::uuid is not null`);
  const countedFacets = await facets(`
    select facet, value, status, lane, count(*)::int as count from (
      select v.facet, v.value, f.status, f.lane from finding f cross join lateral (values ('assignee', f.assignee_id::text),
        ('component', f.component), ('fixed', to_char(f.fixed_at at time zone 'UTC', 'YYYY-MM-DD'))) as v(facet, value)
      where f.org_id = $1 and v.value is not null and $2::uuid is not null
      union all select 'label', l.label, f.status, f.lane from finding_label l
      join finding f on f.org_id = $1 and f.id = l.finding_id where l.org_id = $1
    ) each_finding group by 1, 2, 3, 4`);
  return {
    kept: { counts: stored, open: days?.open, facets: storedFacets },
    counted: { counts: recounted, open: open?.open, facets: countedFacets },
  };
}

/** Reports a new open finding in a repository, with a title of its own. Returns its ID. */
export async function createTestFinding(
  server: TestServer,
  org: TestOrganization,
  repositoryId: string,
): Promise<string> {
  const { send, findings } = await createTestScanner(server, org, repositoryId);
  const title = `rule ${newId()}`;
  await send([createScanResult({ ruleId: title, title, path: `src/${newId()}.ts` })], { category: title });
  const reported = (await findings()).find((finding) => finding.title === title);
  if (!reported) throw new Error('The scan reported no finding');
  return reported.id;
}

/** Makes a member a committer of a repository. */
export async function makeTestCommitter(
  server: TestServer,
  org: TestOrganization,
  account: TestAccount,
  repositoryId: string,
): Promise<void> {
  const personId = await server.personOf(org.id, account);
  await server.services.database.withOrg(org.id, ({ db }) =>
    db
      .insertInto('contributor')
      .values({
        org_id: org.id,
        repository_id: repositoryId,
        person_id: personId,
        name: account.name,
        email: account.email,
        commits: 1,
        last_commit: new Date(),
      })
      .execute(),
  );
}
