import type { BenchServer } from './process.ts';

const base = '/api/v2/vulnerabilities';
const dayMs = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString();

/** What the filled organization has: values of filters, and sizes for distant pages. */
interface Facts {
  total: number;
  /** Of the newest finding, and of one in the middle of the list. */
  id: string;
  middleId: string;
  largeRepository: string;
  smallRepository: string;
  rule: string;
  assignee: string;
}

/**
 * Returns requests for every list, filter, order and count of findings by name. Several of one name, so that consecutive
 * responses differ.
 */
export async function findingQuestions(server: BenchServer): Promise<Record<string, string[]>> {
  const facts = await factsOf(server);
  return { ...listQuestions(facts), ...conditionQuestions(facts), ...countQuestions(facts) };
}

async function factsOf({ url, token }: BenchServer): Promise<Facts> {
  const ask = (query: string) => fetch(`${url}${base}${query}`, { headers: { authorization: `Bearer ${token}` } });
  const answer = await ask('?perPage=1&sort=date-desc');
  const [{ id } = { id: '' }] = (await answer.json()) as { id: string }[];
  const total = Number(answer.headers.get('x-total-count'));
  // The number of a page is limited.
  const middle = (await (await ask(`?perPage=10&sort=date-desc&page=${Math.ceil(total / 20)}`)).json()) as {
    id: string;
  }[];
  const groupsBy = async (by: string) =>
    ((await (await ask(`/groups?by=${by}`)).json()) as { groups: { value: string }[] }).groups.map(
      ({ value }) => value,
    );
  const repositories = await groupsBy('repository');
  const assignees = await groupsBy('assignee');
  return {
    total,
    id,
    middleId: middle[0]?.id ?? '',
    largeRepository: repositories[0] ?? '',
    smallRepository: repositories.at(-1) ?? '',
    rule: (await groupsBy('rule'))[7] ?? '',
    assignee: assignees.find((value) => value !== 'none') ?? '',
  };
}

const list = (...queries: string[]) => queries.map((query) => `${base}?${query}`);

function listQuestions({ total, largeRepository, smallRepository, id, middleId }: Facts): Record<string, string[]> {
  const middle = Math.floor(total / 20);
  const last = Math.ceil(total / 10);
  return {
    'list, worst first': list('', 'perPage=40', 'page=2'),
    'list, other orders': list('sort=date-desc', 'sort=date-asc', 'sort=severity-asc'),
    'list, by name': list('sort=name-asc', 'sort=name-desc&page=7'),
    'list, one filter': list('severity=critical', 'category=secret', 'dataSource=trivy', 'status=dismissed'),
    'list, a repository': list(`repository=${largeRepository}`, `repository=${smallRepository}`),
    'list, a repository, other orders': ['date-desc', 'date-asc', 'severity-asc', 'name-asc'].map(
      (sort) => `${base}?repository=${largeRepository}&sort=${sort}`,
    ),
    'list, rare category': list('category=scorecard', 'category=scorecard&page=20'),
    'list, several filters': list(
      'severity=high,medium&category=sast,iac&dataSource=codeql,checkov',
      `status=open,fixed&severity=low&repository=${largeRepository}&sort=date-desc`,
      'status=open,dismissed,exception,fixed&sort=date-desc',
    ),
    'list, search': list(
      'search=injection',
      'search=traversal%20header&sort=date-desc',
      'search=query%20177',
      'search=e',
    ),
    'list, search and filters': list('search=hash&severity=critical', `search=token&repository=${largeRepository}`),
    'list, page 1 000': list('page=1000', 'page=1001&sort=date-desc'),
    'list, middle of all': list(`page=${middle}`, `page=${middle + 7}&sort=date-desc`),
    'list, middle of all by name': list(`page=${middle}&sort=name-asc`, `page=${middle + 7}&sort=name-desc`),
    'list, last page': list(`page=${last}`, `page=${last}&sort=date-desc`),
    'list, page 1 000 of a repository': list(
      `repository=${largeRepository}&page=1000`,
      `repository=${largeRepository}&page=1000&sort=date-desc`,
    ),
    'list, page 1 000 of a search': list('search=injection&page=1000', 'search=e&page=1000&sort=date-desc'),
    neighbors: [id, middleId].flatMap((one) =>
      ['', '?sort=date-desc', '?sort=name-asc', '?assignee=none'].map((query) => `${base}/${one}/neighbors${query}`),
    ),
    'one finding': [`${base}/${id}`],
    'repositories, by severity': ['/api/v2/repositories?sort=severity-desc', '/api/v2/repositories'],
  };
}

/** Lists by conditions on single findings, which lanes do not contain. */
function conditionQuestions({ largeRepository, assignee, rule }: Facts): Record<string, string[]> {
  const fixedFrom = `status=fixed&fixedFrom=${daysAgo(7)}`;
  return {
    'list, discovered since a date': list(
      `discoveredFrom=${daysAgo(7)}`,
      `discoveredFrom=${daysAgo(90)}&sort=date-asc`,
      `discoveredFrom=${daysAgo(300)}&severity=high`,
    ),
    'list, fixed since a date': list(fixedFrom, `${fixedFrom}&sort=date-desc`, `${fixedFrom}&severity=critical`),
    'list, overdue': list('overdue=true', 'overdue=true&severity=critical', 'overdue=true&sort=date-desc'),
    'list, introduced by me': list('introducedBy=me', 'introducedBy=me&sort=date-desc', 'introducedBy=me&severity=low'),
    'list, without assignee': list('assignee=none', 'assignee=none&severity=critical&sort=date-desc'),
    'list, an assignee': list(`assignee=${assignee}`, `assignee=${assignee}&sort=date-desc`, 'assignee=me'),
    'list, label': list('label=team-1', 'label=team-2,team-3&sort=date-desc', 'label=team-4&severity=critical'),
    'list, component': list('component=package-1', 'component=package-2,package-4&sort=date-desc'),
    'list, rule': list(`rule=${rule}`, `rule=${rule}&sort=date-desc&severity=high,low`),
    'list, conditions by name': list('assignee=none&sort=name-asc', 'label=team-1&sort=name-asc'),
    'list, conditions of a repository': list(
      `assignee=none&repository=${largeRepository}`,
      `overdue=true&repository=${largeRepository}`,
      `discoveredFrom=${daysAgo(90)}&repository=${largeRepository}`,
    ),
    'list, conditions of a search': list(
      'assignee=none&search=injection',
      'overdue=true&search=injection',
      'label=team-1&search=injection',
    ),
    'list, two conditions': list('assignee=none&overdue=true', `label=team-1&discoveredFrom=${daysAgo(90)}`),
  };
}

function countQuestions({ largeRepository }: Facts): Record<string, string[]> {
  const filtersOf = (...names: string[]) =>
    names.flatMap((name) => [`${base}/filters/${name}`, `${base}/filters/${name}?severity=high&search=injection`]);
  const groupsBy = (by: string) =>
    ['', '&severity=high,critical', '&search=injection', `&repository=${largeRepository}`, '&assignee=none'].map(
      (query) => `${base}/groups?by=${by}${query}`,
    );
  const conditions = ['assignee=none', 'overdue=true', 'label=team-1'];
  return {
    filters: filtersOf('severities', 'categories', 'dataSources', 'repositories', 'statuses'),
    'filters with conditions': ['severities', 'statuses', 'repositories'].flatMap((name) =>
      conditions.map((condition) => `${base}/filters/${name}?${condition}`),
    ),
    // Counted over assigned and labeled findings, not over stored counts.
    'filter of assignees': filtersOf('assignees'),
    'filter of labels': filtersOf('labels'),
    'groups by rule': groupsBy('rule'),
    'groups by repository': groupsBy('repository'),
    'groups by assignee': groupsBy('assignee'),
    'groups by component': groupsBy('component'),
    stats: ['', 'severity=high', `repository=${largeRepository}`, 'category=sca&status=fixed'].map(
      (query) => `${base}/stats?${query}`,
    ),
    'stats, search': ['search=injection', 'search=query%20177', 'search=e'].map((query) => `${base}/stats?${query}`),
    'stats with conditions': conditions.map((condition) => `${base}/stats?${condition}`),
    trend: ['30', '90'].map((days) => `${base}/trend?days=${days}`),
  };
}
