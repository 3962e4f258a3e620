import type { FindingCategory } from '@sightline/contract/core/finding-categories.ts';
import { severities } from '@sightline/contract/core/severities.ts';
import { enableRepositories } from '@sightline/contract/sources/repositories.ts';
import {
  type Finding,
  type FindingGrouping,
  findingFilterNames,
  findingGroupings,
  getFindingNeighbors,
  getFindingStats,
  listFindingFilter,
  listFindingGroups,
  listFindings,
} from '@sightline/contract/vulnerabilities/findings.ts';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shareTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { isFullSuite, sampleUnlessFull } from '../../../../../scripts/full-suite.ts';
import { connectSuperuser } from '../../organization/audit/testing/entries.ts';
import { fillFindings } from './testing/fill.ts';

interface ExpectedFinding {
  id: string;
  title: string;
  severity: number;
  category: string;
  tools: string[];
  status: string;
  repository: string;
  at: string;
  fixed: string | null;
  login: string | null;
  component: string | null;
  assignee: string | null;
  labels: string[];
}

/** Enough findings for every way of reading a list: from a day on, and with merged lanes. */
const findings = 7_500;

let server: TestServer;
let superuser: pg.Client;
let org: TestOrganization;
let expectedFindings: ExpectedFinding[];
let limitedRepository: string;
beforeAll(async () => {
  server = await shareTestServer();
  org = await server.make.organization('acme');
  superuser = await connectSuperuser(server);
  await superuser.query("select set_config('app.org', $1, false)", [org.id]);
  await fillFindings(superuser, { orgId: org.id, mark: 'dev', repositories: 20, findings, titles: 60 });
  await superuser.query('analyze');
  const { rows } = await superuser.query<ExpectedFinding>(
    `select f.id, t.title, f.severity, f.category, f.tools, f.status, f.repository_id as repository, f.discovered_at::text as at,
       f.fixed_at::text as fixed, f.introduced->'actor'->>'login' as login, f.component,
       f.assignee_id as assignee, array(select label from finding_label l where l.org_id = f.org_id and l.finding_id = f.id) as labels
     from finding f join finding_title t on t.org_id = f.org_id and t.id = f.title_id where f.org_id = $1`,
    [org.id],
  );
  expectedFindings = rows;
  limitedRepository = firstRepositories(2)[1] ?? '';
  await setOwnerLogin('dev-9');
  await setLimits();
});
afterAll(async () => {
  await superuser?.end();
  await server?.close();
});

const setOwnerLogin = async (login: string) =>
  superuser.query(
    `insert into identity (org_id, kind, value, person_id, source, confidence) values ($1, 'github', $2, $3, 'test', 'declared'),
       ($1, 'gitlab', 'dev-12', $3, 'test', 'declared')`,
    [org.id, login, await server.personOf(org.id, org.owner)],
  );

/** Limits that a policy sets for findings of one repository discovered since a time; 0: none. */
const policyFrom = '2026-07-01T00:00:00Z';
const policyDays: Record<string, number> = { critical: 90, high: 0, medium: 100 };
const defaultDays: Record<string, number> = { critical: 7, high: 30, medium: 90, low: 180, info: 0 };
const setLimits = () =>
  superuser.query(
    `insert into control_setting (org_id, control_id, version, setting, repositories, valid_from, entry_id)
     values ($1, 'VUL-01', 1, $2, array[$3::uuid], $4, gen_random_uuid())`,
    [org.id, JSON.stringify(policyDays), limitedRepository, policyFrom],
  );

function isOverdue({ severity, repository, at, status }: ExpectedFinding): boolean {
  const name = severities[severity] ?? '';
  const isOfPolicy = repository === limitedRepository && Date.parse(at) >= Date.parse(policyFrom);
  const days = (isOfPolicy ? policyDays[name] : undefined) ?? defaultDays[name] ?? 0;
  return status === 'open' && days > 0 && Date.parse(at) < Date.now() - days * 86_400_000;
}

const call = () => server.as(org.owner, org.id);

interface TestFilter {
  search?: string;
  severity?: ('critical' | 'high' | 'medium' | 'low' | 'info')[];
  category?: ('sast' | 'sca' | 'iac' | 'container' | 'secret' | 'scorecard')[];
  dataSource?: string[];
  repository?: string[];
  status?: ('open' | 'fixed' | 'dismissed' | 'exception')[];
  discoveredFrom?: string;
  fixedFrom?: string;
  overdue?: 'true';
  introducedBy?: 'me';
  assignee?: string[];
  label?: string[];
  rule?: string[];
  component?: string[];
}

const isIn = <Value>(list: readonly Value[] | undefined, ...values: Value[]) =>
  list === undefined || list.length === 0 || values.some((value) => list.includes(value));

/** Returns the findings that match a filter, evaluated one by one. */
const matching = (filter: TestFilter, but?: keyof TestFilter): ExpectedFinding[] =>
  expectedFindings.filter(
    (one) =>
      (but === 'search' ||
        (filter.search ?? '').split(' ').every((word) => one.title.toLowerCase().includes(word.toLowerCase()))) &&
      (but === 'severity' || isIn<string>(filter.severity, severities[one.severity] ?? '')) &&
      (but === 'category' || isIn<string>(filter.category, one.category)) &&
      (but === 'dataSource' || isIn(filter.dataSource, ...one.tools)) &&
      (but === 'repository' || isIn(filter.repository, one.repository)) &&
      (but === 'status' || isIn<string>(filter.status ?? ['open'], one.status)) &&
      Date.parse(one.at) >= Date.parse(filter.discoveredFrom ?? '1970-01-01') &&
      (filter.fixedFrom === undefined ||
        (one.fixed !== null && Date.parse(one.fixed) >= Date.parse(filter.fixedFrom))) &&
      (but === 'assignee' || isIn(filter.assignee, one.assignee ?? 'none')) &&
      (but === 'label' || isIn(filter.label, ...one.labels)) &&
      isIn(filter.component, one.component ?? '') &&
      (filter.overdue === undefined || isOverdue(one)) &&
      (filter.introducedBy === undefined || one.login === 'Dev-9'),
  );

type Order = (one: ExpectedFinding, other: ExpectedFinding) => number;
const compare = (one: string | number, other: string | number) => (one < other ? -1 : one > other ? 1 : 0);
const newest: Order = (one, other) => compare(other.at, one.at) || compare(other.id, one.id);
const name = (one: ExpectedFinding) => one.title.toLowerCase();
const orders: Record<string, Order> = {
  'severity-desc': (one, other) => one.severity - other.severity || newest(one, other),
  'severity-asc': (one, other) => other.severity - one.severity || newest(one, other),
  'date-desc': newest,
  'date-asc': (one, other) => -newest(one, other),
  'name-asc': (one, other) => compare(name(one), name(other)) || newest(one, other),
  'name-desc': (one, other) => compare(name(other), name(one)) || newest(one, other),
};
const sorts = Object.keys(orders) as (keyof typeof orders & 'date-desc')[];

const firstRepositories = (n: number) =>
  [...new Set(expectedFindings.map(({ repository }) => repository))].toSorted().slice(0, n);
const firstAssignees = (n: number) =>
  [...new Set(expectedFindings.flatMap(({ assignee }) => assignee ?? []))].toSorted().slice(0, n);
/** The time at which the given share of the findings was discovered. */
const discoveryOf = (share: number): string => {
  const times = expectedFindings.map(({ at }) => Date.parse(at)).toSorted((one, other) => one - other);
  return new Date(times[Math.floor(times.length * share)] ?? 0).toISOString();
};
const allFilters = (): TestFilter[] => [
  {},
  { severity: ['critical'] },
  { severity: ['high', 'info'], status: ['open', 'fixed'] },
  { category: ['scorecard'] },
  { category: ['sast', 'secret'], dataSource: ['codeql', 'gitleaks'] },
  { dataSource: ['checkmarx'], status: ['dismissed', 'exception', 'fixed'] },
  { status: ['open', 'fixed', 'dismissed', 'exception'] },
  { repository: firstRepositories(1) },
  { repository: firstRepositories(7), severity: ['medium'] },
  { repository: firstRepositories(15), search: 'a' },
  { search: 'INJECTION' },
  { search: 'sql query', status: ['open', 'fixed'] },
  { search: 'in', severity: ['low'], repository: firstRepositories(2) },
  { search: 'in', category: ['sast'] },
  { search: '100%' },
  { search: 'nothing is called this' },
  { discoveredFrom: discoveryOf(0.5) },
  { discoveredFrom: discoveryOf(0.9), status: ['open', 'fixed', 'dismissed', 'exception'] },
  { discoveredFrom: discoveryOf(0.3), repository: firstRepositories(7), severity: ['medium'] },
  { discoveredFrom: discoveryOf(0.3), search: 'sql query' },
  { discoveredFrom: discoveryOf(0.7), search: 'in', repository: firstRepositories(3) },
  { discoveredFrom: '2100-01-01T00:00:00Z' },
  { fixedFrom: '2026-09-01T00:00:00Z', status: ['fixed'] },
  { fixedFrom: '2026-08-01T00:00:00Z', status: ['open', 'fixed'], repository: firstRepositories(7), severity: ['low'] },
  { fixedFrom: '2026-07-01T00:00:00Z', status: ['fixed'], search: 'in a' },
  { fixedFrom: '2026-07-01T00:00:00Z' },
  { overdue: 'true' },
  { overdue: 'true', repository: firstRepositories(2), severity: ['critical', 'high', 'medium'] },
  { overdue: 'true', search: 'sql query', status: ['open', 'fixed'] },
  { overdue: 'true', status: ['fixed'] },
  { introducedBy: 'me' },
  { introducedBy: 'me', status: ['open', 'fixed', 'dismissed', 'exception'], search: 'a' },
  { introducedBy: 'me', overdue: 'true', repository: firstRepositories(9) },
  { assignee: firstAssignees(2) },
  { assignee: ['none', ...firstAssignees(1)], severity: ['high'], repository: firstRepositories(7) },
  { assignee: ['none'], search: 'in a', status: ['open', 'fixed'] },
  { label: ['team-1', 'team-2'], status: ['open'] },
  { label: ['team-3'], assignee: ['none'], repository: firstRepositories(9) },
  { component: ['package-1', 'package-9'] },
  { dataSource: ['nobody'] },
  { repository: ['00000000-0000-4000-8000-000000000000'] },
];

describe.each([
  ['all enabled', false],
  ['one of them disabled', true],
])('with %s', (_, isDisabled) => {
  // All filters exclude disabled repositories alike.
  const filters = () => allFilters().filter((_filter, index) => !isDisabled || index % 3 === 0);

  beforeAll(async () => {
    if (!isDisabled) return;
    const [id = ''] = firstRepositories(1);
    const choice = { providerRepos: { github: { dev: [{ id, tracked: false }] } } };
    await call()(enableRepositories, { body: choice });
    expectedFindings = expectedFindings.filter(({ repository }) => repository !== id);
  });

  test('every filter in every order returns the same findings as an evaluation of each', {
    tags: 'full',
    timeout: 120_000,
  }, async () => {
    for (const [index, filter] of filters().entries()) {
      const expected = matching(filter);
      for (const [sortIndex, sort] of sorts.entries()) {
        const sorted = expected.toSorted(orders[sort]).map(({ id }) => id);
        const last = Math.max(1, Math.ceil(sorted.length / 10));
        const pages = [1, Math.ceil((2 * last) / 3), last];
        for (const page of new Set(isFullSuite ? pages : pages.slice((index + sortIndex) % 3).slice(0, 1))) {
          const { rows, total } = await call()(listFindings, { query: { ...filter, sort, page } });
          expect([filter, sort, page, total]).toEqual([filter, sort, page, sorted.length]);
          expect([filter, sort, page, rows.map(({ id }) => id)]).toEqual([
            filter,
            sort,
            page,
            sorted.slice((page - 1) * 10, page * 10),
          ]);
        }
      }
    }
  });

  test('statistics match the list', { tags: 'full' }, async () => {
    for (const filter of filters()) {
      const expected = matching(filter);
      const stats = await call()(getFindingStats, { query: filter });
      const bySeverity = Object.fromEntries(
        severities.map((one, rank) => [
          one,
          matching(filter, 'severity').filter(({ severity }) => severity === rank).length,
        ]),
      );
      expect([filter, stats]).toMatchObject([
        filter,
        {
          total: expected.length,
          repositories: new Set(expected.map(({ repository }) => repository)).size,
          countBySeverity: bySeverity,
        },
      ]);
      if (
        filter.search === undefined &&
        [
          filter.discoveredFrom,
          filter.fixedFrom,
          filter.overdue,
          filter.introducedBy,
          filter.assignee,
          filter.label,
          filter.component,
        ].every((one) => one === undefined) &&
        matching({ ...filter, status: ['open'] }).length > 0
      ) {
        expect(stats.trend.at(-1)?.open).toBe(matching({ ...filter, status: ['open'] }).length);
        expect(stats.trend).toHaveLength(30);
      }
    }
  });

  test('each filter counts its options under the other filters', { tags: 'full' }, async () => {
    const nameOfCategory: Record<FindingCategory, string> = {
      sast: 'Code Security (SAST)',
      sca: 'Software Composition Analysis',
      iac: 'Infrastructure as Code',
      container: 'Container Security',
      secret: 'Secrets Management',
      scorecard: 'Security Scorecard',
    };
    const part = {
      severities: 'severity',
      categories: 'category',
      dataSources: 'dataSource',
      repositories: 'repository',
      statuses: 'status',
      assignees: 'assignee',
      labels: 'label',
    } as const;
    const values: Record<(typeof findingFilterNames)[number], (one: ExpectedFinding) => string[]> = {
      severities: ({ severity }) => [severities[severity] ?? ''],
      categories: ({ category }) => [category],
      dataSources: ({ tools }) => tools,
      repositories: ({ repository }) => [repository],
      statuses: ({ status }) => [status],
      assignees: ({ assignee }) => [assignee ?? 'none'],
      labels: ({ labels }) => labels,
    };
    for (const filter of filters()) {
      for (const name of findingFilterNames) {
        const choices = await call()(listFindingFilter, { params: { name }, query: filter });
        const rows = matching(filter, part[name]);
        if (name === 'categories')
          for (const { value, label } of choices) expect(label).toBe(nameOfCategory[value as FindingCategory]);
        const counted = Object.fromEntries(
          choices.filter(({ count }) => count > 0).map(({ value, count }) => [value, count]),
        );
        const expected: Record<string, number> = {};
        for (const value of rows.flatMap(values[name])) expected[value] = (expected[value] ?? 0) + 1;
        expect([filter, name, counted]).toEqual([filter, name, expected]);
      }
    }
  });

  test('counts groups under every filter, and each group has the findings of its filter', {
    tags: 'full',
    timeout: 120_000,
  }, async () => {
    const groupOf: Record<FindingGrouping, (one: ExpectedFinding) => string | null> = {
      rule: ({ title }) => title,
      repository: ({ repository }) => repository,
      assignee: ({ assignee }) => assignee ?? 'none',
      component: ({ component }) => component,
    };
    for (const filter of filters()) {
      for (const by of findingGroupings) {
        const { groups, others } = await call()(listFindingGroups, { query: { ...filter, by } });
        const rows = matching(filter);
        const expected = Map.groupBy(rows, groupOf[by]);
        expect([filter, by, others + groups.reduce((sum, { count }) => sum + count, 0)]).toEqual([
          filter,
          by,
          rows.length,
        ]);
        expect(groups.map(({ count }) => count)).toEqual(groups.map(({ count }) => count).toSorted((a, b) => b - a));
        for (const { value, label, count } of groups) {
          const key = by === 'rule' ? label : value;
          expect([filter, by, key, count]).toEqual([filter, by, key, expected.get(key)?.length ?? 0]);
        }
        const [first] = groups;
        if (!first || first.value === null) continue;
        const { total } = await call()(listFindings, { query: { ...filter, [by]: [first.value] } });
        expect([filter, by, total]).toEqual([filter, by, first.count]);
      }
    }
  });

  const neighborsAt = (sorted: readonly ExpectedFinding[], position: number) => ({
    previous: sorted[position - 1]?.id ?? null,
    next: sorted[position + 1]?.id ?? null,
    position: position + 1,
    total: sorted.length,
  });

  test('returns the position of a finding and its neighbors in the list', async () => {
    for (const [index, filter] of filters().entries()) {
      const both = [sorts[index % 6] ?? 'date-desc', sorts[(index + 3) % 6] ?? 'date-desc'];
      for (const sort of isFullSuite ? both : both.slice(0, 1)) {
        const sorted = matching(filter).toSorted(orders[sort]);
        const positions = [...new Set([0, Math.floor(sorted.length / 2), sorted.length - 1])];
        for (const position of sampleUnlessFull(positions, 1, index)) {
          const one = sorted[position];
          if (!one) continue;
          const answer = await call()(getFindingNeighbors, {
            params: { findingId: one.id },
            query: { ...filter, sort },
          });
          const neighbors = neighborsAt(sorted, position);
          expect([filter, sort, position, answer]).toEqual([filter, sort, position, neighbors]);
        }
      }
    }
  });

  test('places a finding outside the filters between its neighbors in the order', async () => {
    const [one] = matching({ status: ['dismissed'] });
    if (!one) throw new Error('none is dismissed');
    for (const sort of sorts) {
      const sorted = matching({}).toSorted(orders[sort]);
      const order = orders[sort] as Order;
      const answer = await call()(getFindingNeighbors, { params: { findingId: one.id }, query: { sort } });
      const position = sorted.findIndex((other) => order(one, other) < 0);
      expect([sort, answer]).toEqual([
        sort,
        {
          previous: (position < 0 ? sorted.at(-1) : sorted[position - 1])?.id ?? null,
          next: (position < 0 ? undefined : sorted[position])?.id ?? null,
          position: null,
          total: sorted.length,
        },
      ]);
    }
  });
});

test('a row contains the attributes of its finding', async () => {
  const { rows } = await call()(listFindings, { query: { dataSource: ['checkmarx'], perPage: 100 } });
  const both = rows.find(({ tools }) => tools.length === 2) as Finding;
  expect(both).toMatchObject({
    dataSource: 'Checkmarx',
    tools: [
      { id: 'checkmarx', name: 'Checkmarx' },
      { id: 'codeql', name: 'Codeql' },
    ],
    category: 'sast',
    status: 'open',
    unread: true,
    ref: { ref: 'refs/heads/main' },
    introducedBy: null,
    exception: null,
  });
});
