import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { startTestServer, type TestServer } from '#testing/server.ts';
import { endpoints } from '../domains/platform/documentation/endpoints.ts';
import { statusForOwner } from './access-matrix.ts';
import { fillGrowingTables } from './fill.ts';
import { githubEnvironment } from './github-environment.ts';
import { callEndpoint, endpointKeyOf, requestNamesOf } from './requests.ts';
import { restoreScene } from './scene.ts';
import { seedOrganization } from './seed.ts';
import type { Seed } from './seeded.ts';

interface Statement {
  text: string;
  values: unknown[];
}
interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  Plans?: Plan[];
}

let server: TestServer;
let superuser: pg.Client;
let acme: Seed;
/** The statements of each call, by text: each statement is explained once. */
const statementsByText = new Map<string, Statement & { by: string }>();
let by = 'nobody';
beforeAll(async () => {
  server = await startTestServer({ environment: githubEnvironment });
  acme = await seedOrganization(server, 'acme');
  const { rows } = await server.services.database.pool.query<{ name: string }>('select current_database() as name');
  const url = new URL(inject('cluster').url);
  url.pathname = `/${rows[0]?.name}`;
  superuser = new pg.Client({ connectionString: url.href });
  await superuser.connect();
  await fillGrowingTables(superuser, acme.org.id);
  recordStatements(server.services.database.pool);
  recordStatements(server.services.database.boundedPool);
}, 240_000);
afterAll(async () => {
  await superuser?.end();
  await server?.close();
});

/** Records every statement of a pool. */
function recordStatements(pool: pg.Pool): void {
  const wrapped = new WeakSet<pg.PoolClient>();
  pool.on('acquire', (client) => {
    if (wrapped.has(client)) return;
    wrapped.add(client);
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    const recordingQuery = (...args: unknown[]) => {
      const [first, second] = args;
      const statement = (typeof first === 'string' ? { text: first, values: second } : first) as Partial<Statement>;
      const { text = '', values } = statement;
      if (/^\s*(with|select|insert|update|delete)\b/i.test(text)) {
        statementsByText.set(text, { text, values: Array.isArray(values) ? values : [], by });
      }
      return query(...args);
    };
    client.query = recordingQuery as typeof client.query;
  });
}

/** Runs `work` without recording its statements: test setup is not part of the product. */
async function withoutRecording(work: () => Promise<void>): Promise<void> {
  const before = new Map(statementsByText);
  await work();
  statementsByText.clear();
  for (const [text, statement] of before) statementsByText.set(text, statement);
}

/** Returns tables that a plan reads sequentially. */
const scanned = (plan: Plan): string[] => [
  ...(plan['Node Type'] === 'Seq Scan' && plan['Relation Name'] !== undefined ? [plan['Relation Name']] : []),
  ...(plan.Plans ?? []).flatMap(scanned),
];

const planOf = (row: { 'QUERY PLAN': unknown } | undefined): Plan => {
  const found = row?.['QUERY PLAN'];
  return (typeof found === 'string' ? JSON.parse(found) : found)[0].Plan;
};

const explained = (orgId: string, { text, values }: Statement): Promise<string[]> =>
  server.services.database.withOrg(orgId, async (tx) => {
    await tx.query({
      name: '',
      text: `select set_config('app.account', $1, true), set_config('app.email', $2, true)`,
      values: [acme.org.owner.id, acme.org.owner.email],
    });
    const [row] = await tx.query<{ 'QUERY PLAN': unknown }>({
      name: '',
      text: `explain (format json) ${text}`,
      values,
    });
    return scanned(planOf(row));
  });

// Tables that stay small in any installation: settings, signing keys in use, the one row of the clock, a row of the job
// queue for each kind of job, and scan results that wait for matching, which are read completely and then deleted.
const small = [
  'feature_flag',
  'account_flag',
  'organization_flag',
  'queue',
  'scan_result',
  'scan_text',
  'anchor_address',
  'oidc_key',
  'clock_reading',
  'moved_organization',
];

// Pages of the operator, who counts and lists the jobs that have not completed, over all organizations.
const operatorPages: Record<string, string[]> = {
  'GET /v2/operator/queues': ['job_common'],
  'GET /v2/operator/jobs': ['job_common'],
};

const explore = (body: object) => ({ method: 'POST' as const, url: '/api/v2/events/explore/query', body });
const filter = (within: string, field: string, predicate: string, ...values: string[]) => ({
  within,
  field,
  predicate,
  arguments: values,
});
const cursor = '2026-01-01T12:00:00Z_00000000-0000-7000-8000-000000000000';

/** Requests besides the example of each endpoint: every order, every filter. */
const variants = (): { method: 'GET' | 'POST'; url: string; body?: object }[] => {
  const repository = '/api/v2/repositories/github/acme%2Fapi';
  const get = (url: string) => ({ method: 'GET' as const, url });
  const repo = filter('repository', 'id', 'is', acme.repositoryId);
  const named = filter('repository', 'fullName', 'in', acme.fullName, 'org-0/r1');
  const who = filter('user', 'email', 'is', acme.contributor.email);
  return [
    ...['date-desc', 'date-asc', 'name-asc', 'name-desc'].flatMap((sort) => [
      get(`/api/v2/repositories?sort=${sort}&page=3`),
      get(`${repository}/contributors?sort=${sort}`),
    ]),
    get('/api/v2/repositories?search=r1'),
    ...[
      'action=member.left,account.signed_in',
      `actor=account:${acme.org.owner.id}&action=account.signed_in`,
      'subjectKind=account&search=ada',
      `subject=account:${acme.org.id}`,
      'from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z',
    ].map((question) => get(`/api/v2/audit?${question}`)),
    get(`${repository}/contributors?search=ada`),
    get(`${repository}/pull-requests`),
    get(`${repository}/pull-requests?sort=date-asc&page=2`),
    get(`${repository}/pull-requests?statuses=closed,accepted&authors=ada,bob&search=fix`),
    ...['severity-desc', 'date-asc', 'name-asc', 'name-desc'].flatMap((sort) => [
      get(`/api/v2/vulnerabilities?sort=${sort}&page=3`),
      get(`/api/v2/vulnerabilities?sort=${sort}&search=weakness&status=open,fixed`),
      get(`/api/v2/vulnerabilities?sort=${sort}&repository=${acme.repositoryId}&severity=high`),
      get(`/api/v2/vulnerabilities/${acme.findingId}/neighbors?sort=${sort}&category=sast`),
    ]),
    get('/api/v2/vulnerabilities?component=package%207&sort=date-desc'),
    ...['', 'search=weakness', 'search=7', `repository=${acme.repositoryId}&search=weakness`].flatMap((query) => [
      get(`/api/v2/vulnerabilities/stats?${query}`),
      get(`/api/v2/vulnerabilities/filters/repositories?${query}`),
      get(`/api/v2/vulnerabilities/filters/severities?${query}`),
      get(`/api/v2/vulnerabilities/export?${query}&format=csv`),
    ]),
    ...[
      '',
      `assignee=${acme.org.owner.id}`,
      'assignee=none',
      'label=label%207&assignee=me',
      'component=package%207',
      'search=weakness&status=open,fixed',
    ].flatMap((query) => [
      get(`/api/v2/vulnerabilities?${query}`),
      get(`/api/v2/vulnerabilities/filters/labels?${query}`),
      get(`/api/v2/vulnerabilities/filters/assignees?${query}`),
      ...['rule', 'repository', 'assignee', 'component'].map((by) =>
        get(`/api/v2/vulnerabilities/groups?by=${by}&${query}`),
      ),
    ]),
    ...[
      {},
      { sort: 'date-desc', search: 'tool 7', period: '2026-01-01,2026-02-01' },
      { vendors: ['Vendor 3'], types: ['ci-action'], sources: ['github-actions'], categories: ['Build'], page: 2 },
      { projects: [acme.repositoryId] },
      { users: [acme.org.id], tab: 'developer' },
      { users: [acme.org.id], projects: [acme.repositoryId], tab: 'developer' },
    ].map((body) => ({ method: 'POST' as const, url: '/api/v2/tools/inventory', body })),
    ...[
      'auth0mgm/org/members?sort=name-asc&role=rol_contributor',
      'auth0mgm/org/members?sort=date-desc&status=active',
      'policies?state=held&search=7',
      'policies?state=ended&sort=date-asc&kinds=sla',
      'changes?sort=date-asc&approval=no',
      `changes?repository=${acme.repositoryId}&search=c0ffee`,
      'vulnerabilities?sort=severity-desc&overdue=true',
      `vulnerabilities?sort=name-asc&search=weakness&assignee=${acme.org.owner.id}&label=label%207`,
      `vulnerabilities?repository=${acme.repositoryId}&status=open,fixed`,
    ].map((list) => get(`/api/v2/${list}&ledgerSize=1`)),
    ...[{}, { tab: 'developer', users: [acme.org.id] }, { projects: [acme.repositoryId], approvals: ['denied'] }].map(
      (body) => ({ method: 'POST' as const, url: '/api/v2/tools/inventory', body: { ...body, ledgerSize: '1' } }),
    ),
    ...['date-desc', 'repository-asc'].map((sort) => get(`/api/v2/tools/tool%207/detections?sort=${sort}&search=b`)),
    get(`/api/v2/tools/filters?period=2026-01-01,2026-02-01&projects=${acme.repositoryId}`),
    ...['', 'kind:commit after:2026-01-01T00:30:00Z', 'repo:org-0/r1', 'api -kind:other'].flatMap((query) => [
      { method: 'POST' as const, url: '/api/v2/events/explore/histogram', body: { query } },
      get(`/api/v2/events/explore/export?${new URLSearchParams({ query })}`),
    ]),
    get('/api/v2/repositories?sort=severity-desc'),
    ...['', 'sort=permission-desc&kind=person&duty=write,waive', 'sort=repository-asc&search=holder&member=no'].flatMap(
      (query) => [get(`/api/v2/host-access?${query}`), get(`/api/v2/host-access/export?${query}`)],
    ),
    ...[
      {},
      { query: 'api editor' },
      { filters: [filter('event', 'kind', 'is', 'commit')] },
      { filters: [filter('event', 'kind', 'in', 'commit', 'other')] },
      { filters: [filter('event', 'kind', 'not-in', 'commit', 'other')] },
      { filters: [repo] },
      { filters: [named] },
      { filters: [who] },
      { filters: [repo, filter('pull_request', 'number', 'is', '7')] },
      { filters: [repo, filter('file', 'path', 'is', 'src/main.ts')] },
      { filters: [filter('event', 'as_of', 'after', '2026-01-01'), filter('event', 'as_of', 'before', '2026-02-01')] },
      { filters: [repo, who, filter('event', 'kind', 'is', 'other')], query: 'api' },
      ...[
        'kind:[commit,other] repo:[org-0/r1,org-0/r2] api',
        'actor:a* repo:org-0/* -api',
        'api OR editor',
        'kind:commit (api OR kind:other) "api editor"',
        'tool:value* branch:*1 ref*',
        'sha:1f3a9c pr:7 source:seed',
        'is:late no:pr -has:tool on:2026-01-01',
        '-kind:commit -actor:nobody',
      ].map((query) => ({ query })),
    ].flatMap((question) => [
      explore(question),
      explore({ ...question, pagination: { cursors: { older: cursor } } }),
      explore({ ...question, pagination: { direction: 'newer', cursors: { newer: cursor } } }),
    ]),
  ];
};

test('fills every growing table with test data', { tags: 'full' }, async () => {
  const { rows } = await superuser.query<{ name: string; count: number }>(
    `select relname as name, reltuples::int as count from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and reltuples >= 1000`,
  );
  expect(rows.reduce((sum, row) => sum + row.count, 0)).toBeGreaterThan(100_000);
});

test('detects a query that no index supports', { tags: 'full' }, async () => {
  const statement = { text: 'select id from account where name = $1', values: ['Ada'] };
  expect(await explained(acme.org.id, statement)).toEqual(['account']);
});

test('runs no endpoint with a full table scan', { tags: 'full', timeout: 600_000 }, async () => {
  const token = await server.token(acme.org.owner, acme.org.id);
  const contributor = await server.token(acme.contributor, acme.org.id);
  for (const endpoint of endpoints) {
    await withoutRecording(() => restoreScene(server, acme, endpoint));
    by = endpointKeyOf(endpoint);
    const { status } = await callEndpoint(server, endpoint, token, requestNamesOf(acme));
    const expectedStatus = statusForOwner(endpoint);
    if (expectedStatus < 400) expect([by, status]).toEqual([by, expectedStatus]);
    else expect([by, status]).toEqual([by, expect.toSatisfy((code: number) => code >= 400 && code !== 500)]);
    await callEndpoint(server, endpoint, contributor, requestNamesOf(acme));
  }
  await withoutRecording(() => restoreScene(server, acme));
  for (const { method, url, body } of variants()) {
    by = `${method} ${url} ${JSON.stringify(body)}`;
    for (const authorization of [`Bearer ${token}`, `Bearer ${contributor}`]) {
      const answer = await server.app.inject({
        method,
        url,
        headers: { authorization },
        ...(body && { payload: body }),
      });
      // A contributor is refused some of them. The access matrix tests which.
      const fits = authorization === `Bearer ${token}` ? [200] : [200, 403, 404];
      expect([by, fits]).toEqual([by, expect.arrayContaining([answer.statusCode])]);
    }
  }
  const statements = [...statementsByText.values()];
  expect(statements.length).toBeGreaterThan(60);
  const wrong: string[] = [];
  for (const statement of statements) {
    const tables = (await explained(acme.org.id, statement)).filter(
      (name) => !small.includes(name) && !operatorPages[statement.by]?.includes(name),
    );
    if (tables.length > 0) wrong.push(`${statement.by} reads all of ${tables.join(', ')}: ${statement.text}`);
  }
  expect(wrong).toEqual([]);
});

// Tables with unfinished work only: a query for unfinished work reads all of it.
const workTables = [
  'posting_pending',
  'event_reindex',
  'event_copy_pending',
  'notification_pending',
  'owner_notice',
  'ledger_pending',
];
// Functions that cover every organization, or that a job calls occasionally, and no endpoint.
const wholeTable: Record<string, string[]> = {
  every_organization: ['organization', 'moved_organization'],
  orgs_with_event_copies: ['event_copy'],
  orgs_to_copy: ['organization', 'event_copy'],
  orgs_with_old_webhooks: ['webhook_delivery'],
  orgs_with_enabled_repositories: ['repository'],
  orgs_with_installations: ['installation'],
  orgs_with_due_notifications: ['notification_digest'],
  orgs_with_outgoing_webhooks: ['outgoing_webhook'],
  orgs_with_chat_targets: ['chat_target'],
  orgs_with_ledger: ['ledger_log'],
  orgs_with_due_anchors: ['anchor'],
  orgs_with_due_audit_streams: ['audit_stream'],
  audit_stream_lag: ['audit_stream'],
  orgs_with_evidence_destinations: ['evidence_destination'],
  orgs_with_due_evidence_deliveries: ['evidence_delivery'],
  // One row for each organization, connection and repository, counted for metrics and by doctor.
  installation_backlog: ['ledger_log', 'code_host_grant'],
  imports_by_state: ['repository_import'],
  // One row for each repository and audit stream, for a page of the operator.
  installation_failures: ['repository_import', 'audit_stream'],
  // One row for each organization, read once a second by the sequencer.
  orgs_with_ledger_work: ['ledger_log'],
};

test('finds rows by an index in every function that reads across organizations', { tags: 'full' }, async () => {
  const { rows } = await superuser.query<{ name: string; source: string; names: string[] | null }>(
    // The one function in PL/pgSQL deletes the demo organization, table by table, and has no single plan.
    `select proname as name, prosrc as source, proargnames[:pronargs] as names from pg_proc
     where pronamespace = 'public'::regnamespace and prosecdef and proname <> 'delete_demo_organization'`,
  );
  for (const { name, source, names } of rows) {
    const text = (names ?? []).reduce(
      (sql, argument, index) => sql.replace(new RegExp(`([=<>] |any\\()${argument}\\b`, 'g'), `$1$$${index + 1}`),
      source,
    );
    const { rows: plans } = await superuser.query(`explain (generic_plan, format json) ${text}`);
    const tables = scanned(planOf(plans[0])).filter(
      (table) => !workTables.includes(table) && !wholeTable[name]?.includes(table),
    );
    expect([name, tables]).toEqual([name, []]);
  }
});
