import { countWeekHours, groupEvents } from '@sightline/contract/timeline/event-groups.ts';
import type { Parameter } from '@sightline/contract/timeline/events.ts';
import { getEvent, queryEvents } from '@sightline/contract/timeline/events.ts';
import { countEvents, getHistogram } from '@sightline/contract/timeline/explore.ts';
import { parseQuery, parseQueryOrThrow } from '@sightline/contract/timeline/query-language/parse.ts';
import { printQuery } from '@sightline/contract/timeline/query-language/print.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Actor } from '#core/actor.ts';
import { factId, newId } from '#core/ids.ts';
import type { Database } from '#database/database.ts';
import { createTestRepository } from '#testing/findings.ts';
import { shareTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { isFullSuite } from '../../../../../scripts/full-suite.ts';
import type { ArchivedEvent } from './archive/archived-event.ts';
import { SegmentCache } from './archive/cache.ts';
import type { SegmentEvaluation } from './archive/evaluate.ts';
import { findOrdinals } from './archive/find.ts';
import { readRows } from './archive/rows.ts';
import { itemsOf, storedIn } from './archive/segment.fixture.ts';
import { openSegment, type Segment } from './archive/segment.ts';
import { encodeSegments } from './archive/segment-writer.ts';
import { appendFacts, storeContext } from './commands.ts';
import { withDenseHours } from './dense.fixture.ts';
import { matchesQuery, type PlainEvent, type QueryPeople } from './evaluate.fixture.ts';
import { eventJobs } from './jobs.ts';
import { arbitraryEvent, arbitraryQuery, type ChosenEvent, queryVocabulary } from './language.fixture.ts';
import type { NewEvent } from './new-event.ts';
import { resolveQuestion } from './queries.ts';
import { expireEventsOf } from './retention.ts';
import { retentionPeriodOf } from './retention-start.ts';
import { archiveEventsOf } from './segments/archive-events.ts';
import { readAllEventRows } from './segments/pages.ts';
import type { Cursor } from './store/keys.ts';
import { readEventRows } from './store/pages.ts';
import { planBranches } from './store/plan.ts';
import { conditionSql, listColumnSql } from './store/tests.ts';

let server: TestServer;
let acme: TestOrganization;
let people: QueryPeople;
/** The ID of another account. */
let contributor: string;
const persons = new Map<string, string>();
const repositories = new Map<string, string>();
const plainEvents: PlainEvent[] = [];
/** Pull requests that already have a merge event. */
const merged = new Set<string>();
const recorded = new Set<string>();
/** The code hosts of repositories, and their owners with parent groups. */
const providers: Readonly<Record<string, string>> = {
  'acme/api': 'github',
  'acme/web': 'github',
  'other/tool': 'gitlab',
};
const ownersOf: Readonly<Record<string, readonly string[]>> = {
  'acme/api': ['acme'],
  'acme/web': ['acme', 'acme/front'],
  'other/tool': ['other'],
};
const contexts = queryVocabulary.context;
const offset = 60;

beforeAll(async () => {
  server = await shareTestServer();
  acme = await server.make.organization('Acme');
  await makePeople();
  await makeContexts();
  for (const fullName of ['acme/api', 'acme/web', 'other/tool']) repositories.set(fullName, await makeNamed(fullName));
  const choices = fc.sample(arbitraryEvent, { numRuns: 240, seed: 7 });
  await write(choices.slice(0, 120));
  // The first half is in the posting lists, the second half is still pending.
  await index();
  await write(choices.slice(120));
});
afterAll(() => server.close());

const index = async () => {
  for (const job of eventJobs(server.services)) if (job.name === 'events.index') await job.handle({ orgId: acme.id });
};

async function makePeople(): Promise<void> {
  const { services } = server;
  ({ id: contributor } = await server.make.member(acme.id, 'rol_contributor'));
  const claims = {
    ada: {
      names: [
        ['github', 'ada'],
        ['email', 'ada@example.org'],
      ],
      display: 'Ada Lovelace',
    },
    grace: {
      names: [
        ['account', contributor],
        ['github', 'ghopper'],
        ['email', 'grace@example.org'],
      ],
      display: 'Grace Hopper',
    },
    linus: {
      names: [
        ['gitlab', 'linus'],
        ['email', 'linus@example.org'],
      ],
      display: 'Ada',
    },
    me: {
      names: [
        ['account', acme.owner.id],
        ['email', acme.owner.email],
      ],
      display: acme.owner.name,
    },
  } as const;
  const ids = await services.database.withOrg(acme.id, (tx) =>
    services.people.resolve(
      tx,
      acme.id,
      Object.values(claims).map(({ names, display }) => ({
        names: names.map(([kind, value]) => ({ kind, value })),
        display,
        picture: null,
        source: 'test',
      })),
    ),
  );
  for (const [place, key] of Object.keys(claims).entries()) persons.set(key, ids[place] ?? '');
  const rows = await services.database.withOrg(acme.id, ({ db }) =>
    db
      .selectFrom('identity')
      .select(['person_id', 'kind', 'value', 'display'])
      .where('kind', '<>', 'account')
      .execute(),
  );
  const by = (pick: (row: (typeof rows)[number]) => string | null) =>
    new Map(ids.map((id) => [id, rows.flatMap((row) => (row.person_id === id ? (pick(row) ?? []) : []))] as const));
  people = { me: persons.get('me') ?? '', handles: by(({ value }) => value), names: by(({ display }) => display) };
}

async function makeNamed(fullName: string): Promise<string> {
  const id = await createTestRepository(server, acme);
  const owner = ownersOf[fullName]?.at(-1) ?? '';
  const hostFields = {
    full_name: fullName,
    owner,
    provider: providers[fullName] ?? '',
    is_private: fullName === 'acme/web',
  };
  await server.services.database.withOrg(acme.id, ({ db }) =>
    db.updateTable('repository').set(hostFields).where('id', '=', id).execute(),
  );
  return id;
}

const makeContexts = () =>
  server.services.database.withOrg(acme.id, async (tx) => {
    const [ofApi = '', ofTools = ''] = contexts;
    await storeContext(tx, acme.id, ofApi, [
      { within: 'repository', field: 'fullName', predicate: 'is', arguments: ['acme/api'] },
    ]);
    await storeContext(tx, acme.id, ofTools, [
      { within: 'event', field: 'kind', predicate: 'in', arguments: ['tool', 'commit'] },
    ]);
  });

/** Stores related rows of events: agent shares of commits, and notifications. */
async function storeRelatedRows(created: readonly { event: NewEvent; plain: PlainEvent }[]): Promise<void> {
  await server.services.database.withOrg(acme.id, async ({ db }) => {
    const shares = created.flatMap(({ plain: { id, share } }) =>
      share === null ? [] : [{ org_id: acme.id, event_id: id, share }],
    );
    const side = { org_id: acme.id, account_id: contributor, side: 'ide' };
    await db
      .insertInto('presence_side')
      .values(side)
      .onConflict((known) => known.doNothing())
      .execute();
    await db.insertInto('ai_share').values(shares).execute();
    const unread = created.flatMap(({ plain: { id, states } }) => (states.includes('unread') ? [id] : []));
    const notification = (account: string, status: string, events: string[]) => ({
      org_id: acme.id,
      account_id: account,
      id: newId(),
      status,
      event_ids: events,
      scope_key: newId(),
      type: 'finding.new',
      severity: 1,
      title: '',
      titles: '',
      body: '',
      link: '/',
      reason: 'rule',
      count: 1,
      in_app: true,
      subject: '{}',
      created_at: new Date(),
      updated_at: new Date(),
    });
    const read = created.flatMap(({ plain: { id } }) => (unread.includes(id) ? [] : [id]));
    await db
      .insertInto('notification')
      .values([
        notification(acme.owner.id, 'unread', unread),
        notification(acme.owner.id, 'read', read),
        notification(contributor, 'unread', read),
      ])
      .execute();
  });
}

async function write(choices: readonly ChosenEvent[]): Promise<void> {
  const created = choices.map(eventOf);
  await server.services.database.withOrg(acme.id, (tx) =>
    appendFacts(
      server.services,
      tx,
      acme.id,
      created.map(({ event }) => event),
    ),
  );
  await recordApprovals();
  await storeRelatedRows(created);
  const rows = await server.services.database.withOrg(acme.id, ({ db }) =>
    db.selectFrom('event').select(['id', 'received_at']).execute(),
  );
  const received = new Map(rows.map((row) => [row.id, row.received_at.getTime()]));
  plainEvents.push(...created.map((one) => ({ ...one.plain, receivedAt: received.get(one.plain.id) ?? 0 })));
}

/** The first merge of each pull request gets the ID of its merge event. */
function idOfEvent({ kind, status, repo, pr }: ChosenEvent): string {
  const key = `${repo} ${pr}`;
  const isMerge = kind === 'pull_request' && status === 'merged' && repo !== null && pr !== null && !merged.has(key);
  if (!isMerge) return newId();
  merged.add(key);
  return mergeOf({ repo, pr });
}

const mergeOf = ({ repo, pr }: Pick<ChosenEvent, 'repo' | 'pr'>): string =>
  factId('pull_request.merged', repositories.get(repo ?? '') ?? '', pr ?? 0);

/**
 * Stores change records. Pull requests with even numbers are self-approved and lack checks. The others were
 * self-approved in an older version, and are unreviewed in the current one.
 */
async function recordApprovals(): Promise<void> {
  for (const key of [...merged].filter((one) => !recorded.has(one))) {
    recorded.add(key);
    const [repo = '', pr = ''] = key.split(' ');
    const isOwn = Number(pr) % 2 === 0;
    const id = newId();
    for (const [version, isSelfApproved] of [[1, true] as const, [2, isOwn] as const]) {
      await server.services.database.withOrg(acme.id, (tx) =>
        tx.query({
          name: '',
          text: `insert into change_record (org_id, id, version, repository_id, branch, is_default_branch, merge_method, number, merged_at, parts, sources,
                   authors, persons, missing, approval, self_approved, has_agent, cause, entry_id)
                 values ($1, $2, $3, $4, 'main', true, 'pull_request', $5, now(), $8, '{}', '{}', '{}', $7, 'no', $6, false, 'merge', $2)`,
          values: [
            acme.id,
            id,
            version,
            repositories.get(repo),
            Number(pr),
            isSelfApproved,
            isSelfApproved ? ['checks'] : [],
            isSelfApproved ? '{}' : JSON.stringify({ reviews: { state: 'complete', value: [] } }),
          ],
        }),
      );
    }
  }
}

function eventOf(choice: ChosenEvent): { event: NewEvent; plain: PlainEvent } {
  const at = choice.isNow ? Date.now() - 60_000 : Date.UTC(2026, 0, 1) + choice.at * 300_000;
  const summary = summaryOf(choice);
  const detail = detailOf(choice);
  const event: NewEvent = {
    id: idOfEvent(choice),
    kind: choice.kind,
    asOf: new Date(at).toISOString(),
    actor: choice.actor === null ? null : (persons.get(choice.actor) ?? null),
    repositoryId: choice.repo === null ? null : (repositories.get(choice.repo) ?? null),
    pullRequest: choice.pr,
    source: choice.source,
    summary: { phrase: summary.map((_, place) => `{${place}}`).join(' '), parameters: summary },
    detail,
    words: 'told',
    fields: {
      file: choice.files,
      ...(choice.status === null ? {} : { status: [choice.status] }),
      ...(choice.category === null ? {} : { category: [choice.category] }),
      ...foundBy(choice),
      ...(choice.tag === null ? {} : { tag: [choice.tag] }),
      review: choice.reviews,
      ...byAgents(choice),
    },
  };
  return {
    event,
    plain: {
      id: event.id,
      at,
      receivedAt: 0,
      kind: choice.kind,
      actor: event.actor,
      repo: choice.repo,
      pr: choice.pr,
      source: choice.source,
      states: statesOf(choice, event.id),
      share: choice.agents.length === 0 ? null : choice.share,
      fields: fieldsOf(choice),
      texts: [...summary.map(({ display }) => display), 'told'],
      shown: [...summary, ...detail.map((one) => one.parameter)].flatMap(({ display, ident }) => [display, ident]),
    },
  };
}

const parameter = (kind: Parameter['kind'], ident: string, display = ident): Parameter => ({ kind, display, ident });

const summaryOf = (choice: ChosenEvent): Parameter[] => [
  parameter('user', choice.actor ?? 'unknown'),
  ...(choice.branch === null ? [] : [parameter('branch', choice.branch)]),
  ...(choice.repo === null ? [] : [parameter('repository', choice.repo)]),
  ...(choice.sha === null ? [] : [parameter('sha', choice.sha, choice.sha.slice(0, 7))]),
  ...(choice.tool === null ? [] : [parameter('tool', choice.tool[0], choice.tool[1])]),
  ...(choice.site === null ? [] : [parameter('website', choice.site)]),
  parameter('text', '', choice.title),
];

const severitiesOf = (choice: ChosenEvent) => (choice.kind === 'vulnerability' ? choice.severities : []);

const vendorOf = ({ tool }: ChosenEvent): string | null => tool?.[2] ?? null;

function detailOf(choice: ChosenEvent) {
  const vendor = vendorOf(choice);
  return [
    ...(choice.lang === null ? [] : [{ label: 'Language', parameter: parameter('text', choice.lang) }]),
    ...(vendor === null ? [] : [{ label: 'Vendor', parameter: parameter('text', vendor) }]),
    ...severitiesOf(choice).map((one) => ({
      label: `${one[0]?.toUpperCase()}${one.slice(1)}`,
      parameter: parameter('number', '3'),
    })),
  ];
}

const list = (value: string | null) => (value === null ? [] : [value]);

const roles: Readonly<Record<string, string>> = { me: 'owner', grace: 'contributor' };

const fieldsOf = (choice: ChosenEvent): PlainEvent['fields'] => ({
  branch: list(choice.branch),
  ...foundBy(choice),
  tag: list(choice.tag),
  provider: choice.repo === null ? [] : [providers[choice.repo] ?? ''],
  org: ownersOf[choice.repo ?? ''] ?? [],
  extension: choice.actor === 'grace' ? ['ide'] : [],
  role: list(roles[choice.actor ?? ''] ?? null),
  context: contexts.filter((_, place) =>
    place === 0 ? choice.repo === 'acme/api' : choice.kind === 'tool' || choice.kind === 'commit',
  ),
  sha: list(choice.sha),
  file: choice.files,
  ext: choice.files.flatMap((file) => /\.(\w+)$/.exec(file)?.[1] ?? []),
  lang: list(choice.lang),
  severity: severitiesOf(choice),
  category: list(choice.category),
  status: list(choice.status),
  review: choice.reviews,
  tool: choice.tool ? [choice.tool[0], choice.tool[1]] : [],
  vendor: list(vendorOf(choice)),
  ...byAgents(choice),
  site: list(choice.site),
  browser: ['chrome', 'firefox'].includes(choice.source) ? [choice.source] : [],
});

const byAgents = ({ agents }: ChosenEvent) => ({
  agent: [...new Set(agents.flatMap(({ agent, tool }) => [agent, tool]))],
  model: agents.flatMap(({ model }) => model ?? []),
  session: agents.flatMap(({ session }) => session ?? []),
  ai: agents.map(({ confidence }) => confidence),
});

const foundBy = ({ found }: ChosenEvent): Record<'rule' | 'cwe' | 'cve' | 'ghsa', string[]> => ({
  rule: found.flatMap(([kind, value]) => (kind === 'rule' ? value : [])),
  cwe: found.flatMap(([kind, value]) => (kind === 'cwe' ? value : [])),
  cve: found.flatMap(([kind, value]) => (kind === 'cve' ? value : [])),
  ghsa: found.flatMap(([kind, value]) => (kind === 'ghsa' ? value : [])),
});

const statesOf = (choice: ChosenEvent, id: string): string[] => [
  ...(id === mergeOf(choice) && (choice.pr ?? 1) % 2 === 0 ? ['self-approved'] : []),
  ...(choice.repo === 'acme/web' ? ['private'] : []),
  ...(choice.isUnread ? ['unread'] : []),
];

/** The change record applies to all events of a merge, even if it is written later. */
const withRecord = (event: PlainEvent): PlainEvent => ({
  ...event,
  states: [
    ...event.states,
    ...(recorded.has(`${event.repo} ${event.pr}`) ? [(event.pr ?? 0) % 2 === 0 ? 'gap' : 'unreviewed'] : []),
  ],
});

const newestFirst = (one: PlainEvent, other: PlainEvent) => other.at - one.at || (one.id < other.id ? 1 : -1);
const expected = (query: string) => {
  const clock = { now: Date.now(), offset };
  const node = parseQueryOrThrow(query);
  return plainEvents
    .filter((event) => matchesQuery(node, withRecord(event), people, clock))
    .toSorted(newestFirst)
    .map(({ id }) => id);
};

async function found(query: string, events = 200): Promise<string[]> {
  const ids: string[] = [];
  let older: string | undefined;
  for (;;) {
    const body = { query, offset, pagination: { events, cursors: older === undefined ? {} : { older } } };
    const page = await server.as(acme.owner, acme.id)(queryEvents, { body });
    ids.push(...page.events.map(({ uuid }) => uuid));
    if (page.reachedEnd) return ids;
    older = page.cursors.older ?? undefined;
  }
}

const owner = () =>
  ({
    orgId: acme.id,
    accountId: acme.owner.id,
    personId: persons.get('me'),
    formerIds: [],
    reach: () => 'all',
  }) as unknown as Actor;

/** The same query without counts, so that all terms count as frequent and other plans are used. */
async function foundUncounted(query: string, limit: number, direction: 'older' | 'newer'): Promise<string[]> {
  const resolved = await resolveQuestion(server.services, owner(), { query, offset });
  const plan = {
    ...resolved,
    branches: (resolved.branches.length === 0 ? [] : planBranches(resolved.condition, new Map())).map((branch) => ({
      ...branch,
      ...(resolved.branches[0]?.dense && { dense: resolved.branches[0].dense }),
    })),
  };
  const ids: string[] = [];
  let from: Cursor | undefined;
  for (;;) {
    const { rows } = await readAllEventRows(server.services, plan, { direction, from, limit });
    ids.push(...rows.map(({ id }) => id));
    const last = rows.at(-1);
    if (!last || rows.length < limit) return direction === 'older' ? ids : ids.reverse();
    from = { asOf: new Date(last.as_of).toISOString(), id: last.id };
  }
}

// The examples of section 4 of the language description, and sixty more.
const examples = [
  'kind:commit actor:ada repo:acme/api after:2025-01-01',
  'kind:vuln severity:>=high -status:fixed repo:[acme/api,acme/web]',
  '(kind:ide_clipboard OR kind:browser_clipboard) site:*.openai.com after:-700d',
  '"drop table" -kind:web branch:release/* date:2026-01-01..2026-03-31',
  'is:agent kind:pr is:merged no:review',
  'pr:12 repo:acme/api NOT (actor:@me OR is:agent)',
  'control:soc2/CC8.1 is:self-approved after:-700d',
  'kind:tool tool:*copilot* vendor:github',
  '',
  'kind:commit',
  'kind:[commit,pr,vuln]',
  '-kind:commit',
  'kind:tool,tool,vuln',
  'kind:*',
  'actor:@me',
  'actor:ada',
  'actor:"Grace Hopper"',
  'actor:gr*',
  '-actor:*',
  'actor:[ada,linus] kind:commit',
  'repo:acme/api',
  'repo:ACME/api',
  'repo:acme/*',
  'repo:acme/api repo:acme/web',
  '-repo:acme/api',
  'repo:nobody/nothing',
  'pr:12',
  'pr:[1,2] repo:acme/*',
  'pr:>2',
  'pr:1..12',
  'pr:*..2',
  'no:pr has:repo',
  'branch:main',
  'branch:release/* -branch:release/2',
  'branch:*',
  'sha:1f3a',
  'sha:1f3a9c',
  'sha:1f3a9d',
  '-sha:1f3a9c kind:commit',
  'file:src/auth/**',
  'file:src/auth/*',
  'file:*.ts',
  'file:readme.md',
  'file:*login*',
  'ext:ts -ext:tsx',
  'lang:TypeScript',
  'severity:critical',
  'severity:<high',
  'severity:low..high',
  'category:sast OR category:sca',
  'status:merged',
  'is:merged',
  'is:late kind:tool',
  'weekday:sat,sunday',
  'hour:22..5 -weekday:mon',
  'hour:>=18 kind:commit',
  'hour:*..3 OR hour:12',
  '-is:late',
  'is:agent kind:pr no:review',
  'review:approved -review:changes_requested',
  '-is:agent',
  'is:self-approved',
  'kind:pr is:merged -is:self-approved',
  'control:CHG-01 repo:acme/*',
  'control:[tol-01,chg-02] -control:soc2/CC8.1',
  'control:*01 no:repo',
  'provider:gitlab',
  'provider:github,gitlab -org:acme',
  '-provider:*',
  'org:acme kind:commit',
  'org:a* OR org:other',
  'org:acme/front',
  'org:acme/*',
  'role:owner',
  'role:contributor,reviewer -kind:commit',
  'kind:vuln rule:*sql*',
  'rule:"reflected xss"',
  'cwe:79',
  'cwe:CWE-089 -cwe:79',
  'cwe:7*',
  'cve:CVE-2024-*',
  'cve:2021-44228',
  'ghsa:GHSA-jfh8-c2jp-5v3q has:cve',
  'tag:v* no:branch',
  'model:claude-*',
  'model:gpt-5 -session:s1a2b3',
  'session:s1*',
  'file:src/auth/** ai:>=0.5',
  'ai:>0.25 ai:<1',
  'ai:0.25..0.5',
  'ai:*..0.1 kind:commit',
  'has:ai -ai:>=0.5',
  'context:11111111-1111-8111-8111-111111111111',
  'kind:tool -context:11111111-1111-8111-8111-111111111111',
  'context:22222222-2222-8222-8222-222222222222 has:repo',
  'kind:commit no:extension',
  'has:extension no:pr',
  'is:unreviewed',
  'is:gap',
  'kind:pr is:merged -is:gap',
  'is:private -kind:commit',
  '-is:private',
  'is:unread',
  'is:unread,gap repo:acme/*',
  'source:github',
  'source:ch*',
  'tool:claude-code',
  'tool:"GitHub Copilot"',
  'vendor:anthropic tool:*',
  'agent:claude-code',
  'agent:*copilot kind:commit',
  'agent:[cursor,claude] -agent:copilot',
  'ai:declared',
  'ai:observed,inferred kind:commit,pr',
  'ai:any -ai:declared',
  'kind:commit ai:none',
  'has:agent no:repo',
  'site:openai.com',
  'site:*.openai.com',
  'site:*github*',
  'browser:firefox',
  'has:site no:tool',
  'fix',
  'FIX login',
  'refac*',
  '"fix login"',
  '"drop the table" OR "größe über"',
  'login -fix',
  'fix OR table',
  'told -(fix OR drop) kind:commit',
  'on:2026-01-10',
  'after:2026-01-10 before:2026-01-20',
  'date:2026-02',
  'after:-1h',
  'before:today',
  '(login OR table) (kind:commit OR kind:tool)',
  'NOT (kind:commit OR NOT actor:ada)',
  '(kind:commit actor:ada) OR (kind:tool -has:pr)',
];

test.each(examples)('finds the events meant by %s', async (query) => {
  const ids = expected(query);
  expect(await found(query)).toEqual(ids);
  expect(await foundUncounted(query, isFullSuite ? 7 : 40, 'older')).toEqual(ids);
  expect(await foundUncounted(query, 50, 'newer')).toEqual(ids);
  await withDenseHours(async () => {
    expect(await found(query)).toEqual(ids);
    expect(await foundUncounted(query, isFullSuite ? 9 : 45, 'older')).toEqual(ids);
    expect(await foundUncounted(query, 60, 'newer')).toEqual(ids);
  });
});

test('lists have parts of their hours, and walks read them in dense hours only', async () => {
  const { database } = server.services;
  const parts = await database.withOrg(acme.id, ({ db }) =>
    db.selectFrom('posting_list').select('part').distinct().execute(),
  );
  expect(parts.length).toBeGreaterThan(5);
  const statements: string[] = [];
  const recorded: Database = {
    ...database,
    boundedWithOrg: (orgId, statement) => {
      statements.push(statement.text);
      return database.boundedWithOrg(orgId, statement);
    },
  };
  const actor = { orgId: acme.id, reach: () => 'all' } as unknown as Actor;
  const read = async () => {
    const resolved = await resolveQuestion(server.services, actor, { query: 'told branch:main', offset });
    await readEventRows(recorded, resolved, { direction: 'older', from: undefined, limit: 5 });
  };
  await read();
  await withDenseHours(read);
  expect(statements.map((text) => text.includes('h.around'))).toEqual([false, true]);
});

test('most examples match events, and only the plain ones match all', () => {
  const sizes = examples.map((query) => expected(query).length);
  expect(sizes.filter((size) => size === 0).length).toBeLessThan(examples.length / 8);
  expect(sizes.filter((size) => size === plainEvents.length).length).toBeLessThan(4);
});

test('every query matches an evaluation in memory, page by page', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryQuery, fc.constantFrom(30, 200), fc.boolean(), async (node, size, isDense) => {
      const query = printQuery(node);
      const parsed = parseQuery(query);
      fc.pre(!('problem' in parsed) && query.length <= 2048);
      const ids = expected(query);
      const comparePages = async () => {
        expect([query, await found(query, size)]).toEqual([query, ids]);
        for (const direction of ['older', 'newer'] as const)
          expect([query, await foundUncounted(query, size, direction)]).toEqual([query, ids]);
      };
      await (isDense ? withDenseHours(comparePages) : comparePages());
    }),
    { numRuns: isFullSuite ? 60 : 10, endOnFailure: true },
  );
});

const asArchived: Record<string, string> = {
  id: 'e.id',
  asOf: '(extract(epoch from e.as_of) * 1000000)::float8',
  receivedAt: '(extract(epoch from e.received_at) * 1000000)::float8',
  leafHash: 'e.leaf_hash',
  ...Object.fromEntries(
    ['kind', 'source', 'actor', 'repo', 'pr', 'summary', 'detail', 'proof'].map((one) => [one, `e.${one}`]),
  ),
};

/** All events with their terms, as segments. */
async function archivedSegments(): Promise<Segment[]> {
  const columns = Object.entries(asArchived).map(([name, sql]) => `${sql} as "${name}"`);
  const events = await server.services.database.onceWithOrg<ArchivedEvent>(acme.id, {
    name: '',
    text: ` select page.* from tenant cross join lateral (
      select ${columns.join(', ')}, array(
        select distinct t.term::float8 from (
          select p.term, unnest(${listColumnSql('id')}) as id from posting_list p where p.org_id = tenant.org
          union all
          select w.term, p.id[w.place] from posting_pending p cross join lateral unnest(p.terms, p.places) as w(term, place) where p.org_id = tenant.org
        ) t where t.id = e.id) as terms
      from event e where e.org_id = tenant.org order by e.as_of, e.id) page`,
    values: [],
  });
  const segments = await itemsOf(encodeSegments(acme.id, events));
  const cache = new SegmentCache();
  return Promise.all(segments.map((bytes, place) => openSegment(storedIn(bytes, String(place)), cache)));
}

/** Tests the conditions on other tables with the SQL of the table `event`. */
const evaluation: SegmentEvaluation = {
  resolve: async (condition, candidates) => {
    const values: unknown[] = [];
    const bind = (value: unknown, type: string) => `$${values.push(value) + 1}::${type}`;
    const ids = bind(
      candidates.map(({ id }) => id),
      'uuid[]',
    );
    const rows = await server.services.database.onceWithOrg<{ id: string }>(acme.id, {
      name: '',
      text: ` select page.* from tenant cross join lateral (
        select k.id from event k where k.org_id = tenant.org and k.id = any(${ids}) and ${conditionSql(condition, 'k', bind)}) page`,
      values,
    });
    const matching = new Set(rows.map(({ id }) => id));
    return candidates.map(({ id }) => matching.has(id));
  },
};

async function foundInSegments(segments: readonly Segment[], query: string): Promise<string[]> {
  const { condition } = await resolveQuestion(server.services, owner(), { query, offset });
  const walk = { direction: 'newer', from: undefined, limit: 1000 } as const;
  const ids: string[] = [];
  for (const segment of segments) {
    const ordinals = await findOrdinals(segment, condition, walk, evaluation);
    ids.push(...(await readRows(segment, ordinals, ['id'])).map(({ id }) => id));
  }
  return ids.reverse();
}

test('segments of the same events match every query alike', { timeout: 600_000 }, async () => {
  const segments = await archivedSegments();
  expect(segments.length).toBeGreaterThan(2);
  for (const query of examples)
    expect([query, await foundInSegments(segments, query)]).toEqual([query, expected(query)]);
  await fc.assert(
    fc.asyncProperty(arbitraryQuery, async (node) => {
      const query = printQuery(node);
      const parsed = parseQuery(query);
      fc.pre(!('problem' in parsed) && query.length <= 2048);
      expect([query, await foundInSegments(segments, query)]).toEqual([query, expected(query)]);
    }),
    { numRuns: isFullSuite ? 200 : 20, endOnFailure: true },
  );
});

test.each([
  ['file:src/auth/** ai:>=50', 'query_invalid', [22, 24]],
  ['file:src/auth/** ai:0.5', 'query_invalid', [20, 23]],
  ['kind:tool context:33333333-3333-8333-8333-333333333333', 'query_invalid', [10, 54]],
  ['file:src/auth/** ai:guessed', 'query_invalid', [20, 27]],
  ['kind:tool tool:*copilot* vendor:github first:after:-30d', 'query_invalid', [39, 44]],
  ['control:soc2/CC8.1 is:self-aproved after:-90d', 'query_invalid', [22, 34]],
  ['kind:commt', 'query_invalid', [5, 10]],
  [`(${'a '.repeat(70)})`, 'query_too_complex', [129, 130]],
])('rejects %s with its position', async (query, code, [start, end]) => {
  for (const [endpoint, body] of [
    [queryEvents, { query }],
    [countEvents, { query, newer: '2026-01-01T00:00:00Z_00000000-0000-7000-8000-000000000000' }],
  ] as const) {
    const answer = await server.app.inject({
      method: 'POST',
      url: `/api${endpoint.path}`,
      headers: { authorization: `Bearer ${await server.token(acme.owner, acme.id)}` },
      payload: body,
    });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ code, query: { start, end }, message: expect.stringMatching(/\S/) });
  }
});

test('counts newer events', async () => {
  const ids = expected('kind:commit');
  const events = plainEvents.filter(({ kind }) => kind === 'commit').toSorted(newestFirst);
  const from = events[10];
  const newer = `${new Date(from?.at ?? 0).toISOString()}_${from?.id}`;
  const body = { query: 'kind:commit', newer };
  expect(await server.as(acme.owner, acme.id)(countEvents, { body })).toEqual({ count: 10, more: false });
  expect(ids.length).toBeGreaterThan(10);
});

const chartQueries = [
  '',
  'kind:commit,tool',
  'fix',
  'file:*.ts -kind:tool',
  'actor:ada is:late',
  'after:2026-01-10 before:2026-03-02',
];
// Without tools and agents, whose names are those of any event of theirs.
const groupFields = ['kind', 'repo', 'actor', 'source', 'branch', 'ext', 'severity'] as const;

/** All charts of some queries. */
const charts = () =>
  Promise.all(
    chartQueries.map(async (query) => {
      const as = server.as(acme.owner, acme.id);
      const groups = [];
      for (const by of groupFields) groups.push(await as(groupEvents, { body: { query, by, top: 5, compare: false } }));
      const histograms = [
        await as(getHistogram, { body: { query } }),
        await as(getHistogram, { body: { query, offset: 77 } }),
      ];
      return { query, histograms, groups, hours: await as(countWeekHours, { body: { query } }) };
    }),
  );

/** Archives the events before a day, of all months. */
const archiveBefore = (day: number) =>
  archiveEventsOf(
    server.services,
    acme.id,
    { occurred: new Date(Date.UTC(2026, 0, 1 + day)), received: new Date(Date.now() + 60_000) },
    1,
  );

test('archived events change no page and no chart', { timeout: 600_000 }, async () => {
  await index();
  const before = await charts();
  const pageOf = (query: string) => server.as(acme.owner, acme.id)(queryEvents, { body: { query, details: true } });
  const [details] = [await pageOf('before:2026-02-01')];
  const [day = 0] = fc.sample(fc.integer({ min: 30, max: 75 }), 1);
  expect(await archiveBefore(day - 10)).toBeGreaterThan(20);
  expect(await archiveBefore(day)).toBeGreaterThan(0);
  expect(await charts()).toEqual(before);
  const { events } = await pageOf('before:2026-02-01');
  expect(events).toEqual(details.events);
  const single = events.at(-1)?.uuid ?? '';
  expect(await server.as(acme.owner, acme.id)(getEvent, { params: { eventId: single } })).toMatchObject({
    uuid: single,
  });
  // Later arrivals of archived months stay in rows until the next run.
  await write(fc.sample(arbitraryEvent, { numRuns: 40, seed: 11 }));
  await index();
  for (const query of isFullSuite ? examples : examples.filter((_query, place) => place % 3 === 0)) {
    const ids = expected(query);
    expect([query, await found(query, 30)]).toEqual([query, ids]);
    expect([query, await foundUncounted(query, 50, 'newer')]).toEqual([query, ids]);
  }
  await fc.assert(
    fc.asyncProperty(arbitraryQuery, fc.constantFrom(30, 200), async (node, size) => {
      const query = printQuery(node);
      const parsed = parseQuery(query);
      fc.pre(!('problem' in parsed) && query.length <= 2048);
      const ids = expected(query);
      expect([query, await found(query, size)]).toEqual([query, ids]);
      for (const direction of ['older', 'newer'] as const)
        expect([query, await foundUncounted(query, size, direction)]).toEqual([query, ids]);
    }),
    { numRuns: isFullSuite ? 60 : 10, endOnFailure: true },
  );
  const late = await charts();
  expect(await archiveBefore(day)).toBeGreaterThan(0);
  expect(await charts()).toEqual(late);
});

test('finds and counts exactly the remaining events after old ones are deleted', {
  tags: 'full',
  timeout: 600_000,
}, async () => {
  // One hour with half of its events deleted, and some events still pending.
  const [crowded, waiting] = fc.sample(fc.array(arbitraryEvent, { minLength: 40, maxLength: 40 }), {
    numRuns: 2,
    seed: 8,
  });
  await write((crowded ?? []).map((choice, place) => ({ ...choice, isNow: false, at: 45 * 24 * 12 + (place % 12) })));
  await index();
  await write(waiting ?? []);
  const retention = { events: Date.UTC(2026, 1, 1), clipboard: Date.UTC(2026, 2, 1) };
  const before = plainEvents.length;
  await expireEventsOf(server.services, acme.id, retention);
  const remaining = plainEvents.filter(({ kind, at }) => {
    const end = retentionPeriodOf(kind);
    return end === undefined || at >= retention[end];
  });
  plainEvents.splice(0, plainEvents.length, ...remaining);
  expect(before - plainEvents.length).toBeGreaterThan(50);
  for (const [kind, end] of [
    ['tool', retention.clipboard],
    ['commit', retention.events],
  ] as const)
    expect(plainEvents.some((event) => event.kind === kind && event.at < end)).toBe(true);
  for (const query of isFullSuite ? examples : examples.filter((_query, place) => place % 3 === 0))
    expect([query, await found(query, 50)]).toEqual([query, expected(query)]);
  await fc.assert(
    fc.asyncProperty(arbitraryQuery, async (node) => {
      const query = printQuery(node);
      const parsed = parseQuery(query);
      fc.pre(!('problem' in parsed) && query.length <= 2048);
      expect([query, await found(query)]).toEqual([query, expected(query)]);
    }),
    { numRuns: isFullSuite ? 20 : 8, endOnFailure: true },
  );
  for (const query of ['', 'kind:ide_clipboard', 'kind:commit,tool', 'file:*.ts']) {
    const { total } = await server.as(acme.owner, acme.id)(getHistogram, { body: { query } });
    expect([query, total]).toEqual([query, expected(query).length]);
  }
});
