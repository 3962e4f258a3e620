import { type EventKind, type Parameter, queryEvents } from '@sightline/contract/timeline/events.ts';
import { countEvents, getHistogram } from '@sightline/contract/timeline/explore.ts';
import type { Node } from '@sightline/contract/timeline/query-language/ast.ts';
import { parseQueryOrThrow } from '@sightline/contract/timeline/query-language/parse.ts';
import { printQuery } from '@sightline/contract/timeline/query-language/print.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#core/ids.ts';
import { hasClickHouse, startClickHouse } from '#testing/clickhouse.ts';
import { createTestRepository } from '#testing/findings.ts';
import { refusalOf, startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { appendFacts } from '../commands.ts';
import { matchesQuery, type PlainEvent } from '../evaluate.fixture.ts';
import { eventJobs } from '../jobs.ts';
import { arbitraryEvent, type ChosenEvent } from '../language.fixture.ts';
import type { NewEvent } from '../new-event.ts';
import { retentionPeriodOf } from '../retention-start.ts';
import { histogramFromCopy } from './buckets.ts';
import { deleteExpiredCopiesOf } from './forget.ts';
import { copyTable } from './table.ts';

const MASTER_KEY = Buffer.alloc(32, 7).toString('base64');

if (!hasClickHouse) {
  console.log(
    'Skipped: parts of words in ClickHouse. `npm ci --prefix bench/clickhouse` installs one for tests (550 MB).',
  );
}

describe.skipIf(!hasClickHouse)('with a copy in ClickHouse', () => {
  let clickhouse: Awaited<ReturnType<typeof startClickHouse>>;
  let server: TestServer;
  let acme: TestOrganization;
  let repositoryId: string;
  const plainEvents: PlainEvent[] = [];

  beforeAll(async () => {
    clickhouse = await startClickHouse();
    server = await startTestServer({ environment: { CLICKHOUSE_URL: clickhouse.url, MASTER_KEY } });
    acme = await server.make.organization('Acme');
    repositoryId = await createTestRepository(server, acme, 'api');
    const choices = fc.sample(arbitraryEvent, { numRuns: 200, seed: 11 });
    await write(acme, choices.slice(0, 120));
    // Half of the events exist before the copy starts.
    await run('events.index');
    await run('events.copy');
    await write(acme, choices.slice(120));
    await run('events.index');
    await run('events.copy');
    const other = await server.make.organization('Other');
    await write(other, choices.slice(0, 20), []);
    await run('events.copy', other.id);
  }, 120_000);
  afterAll(async () => {
    await server?.close();
    await clickhouse?.stop();
  });

  const run = async (name: 'events.index' | 'events.copy', orgId = acme.id) => {
    for (const job of eventJobs(server.services)) if (job.name === name) await job.handle({ orgId });
  };

  async function write(org: TestOrganization, choices: readonly ChosenEvent[], into = plainEvents): Promise<void> {
    const { services } = server;
    const created = choices.map((choice, place) => eventOf(choice, org === acme ? repositoryId : null, place));
    await services.database.withOrg(org.id, (tx) =>
      appendFacts(
        services,
        tx,
        org.id,
        created.map(({ event }) => event),
      ),
    );
    into.push(...created.map((one) => one.plain));
  }

  const people = { me: '', handles: new Map(), names: new Map() };
  const newestFirst = (one: PlainEvent, other: PlainEvent) => other.at - one.at || (one.id < other.id ? 1 : -1);
  const clock = () => ({ now: Date.now(), offset: 0 });
  const matching = (query: string) => {
    const node = parseQueryOrThrow(query, { infixWildcards: true });
    return plainEvents.filter((event) => matchesQuery(node, event, people, clock())).toSorted(newestFirst);
  };
  const asOwner = <Answer>(call: (client: ReturnType<TestServer['as']>) => Promise<Answer>) =>
    call(server.as(acme.owner, acme.id));

  async function found(query: string, events = 200): Promise<string[]> {
    const ids: string[] = [];
    for (let older: string | undefined; ; ) {
      const cursors = older === undefined ? {} : { older };
      const page = await asOwner((client) => client(queryEvents, { body: { query, pagination: { events, cursors } } }));
      ids.push(...page.events.map(({ uuid }) => uuid));
      if (page.reachedEnd) return ids;
      older = page.cursors.older ?? undefined;
    }
  }

  const examples = [
    '*ogi*',
    '*ogin',
    '*OGI*',
    '*fact*',
    'ref*tor',
    '*rop*able*',
    '*größ*',
    '*ber*',
    '*100%*',
    'quo*ted',
    '*cme/ap*',
    '*cme/ap',
    '*absent*',
    '-*ogi*',
    '*ogi* kind:commit',
    '*ogi* -kind:commit',
    '*ogi* fix',
    '*ogi* -fix',
    '*ogi* OR *fact*',
    '*ogi* OR kind:tool',
    '(*ogi* OR table) -*fact*',
    '*ogi* refac*',
    '*ogi* repo:acme/api has:pr',
    '*ogi* -has:pr',
    '*ogi* pr:1..12',
    '*ogi* after:2026-01-20 before:2026-03-01',
    '*ogi* source:github,chrome',
    'NOT (*ogi* kind:commit)',
  ];

  test.each(examples)('finds the events meant by %s', async (query) => {
    expect(await found(query)).toEqual(matching(query).map(({ id }) => id));
  });

  test('most examples match some events, and not all', () => {
    const sizes = examples.map((query) => matching(query).length);
    expect(sizes.filter((size) => size > 0 && size < plainEvents.length).length).toBeGreaterThan(22);
  });

  test('every query matches an evaluation in memory, page by page, and its count', async () => {
    await fc.assert(
      fc.asyncProperty(anyPart, fc.constantFrom(7, 200), async (node, size) => {
        const query = printQuery(node);
        const events = matching(query);
        expect([query, await found(query, size)]).toEqual([query, events.map(({ id }) => id)]);
        const { total } = await asOwner((client) => client(getHistogram, { body: { query } }));
        expect([query, total]).toEqual([query, events.length]);
      }),
      { numRuns: 20, endOnFailure: true },
    );
  }, 240_000);

  test('counts newer events', async () => {
    const [, , third] = matching('*ogi*');
    const newer = `${new Date(third?.at ?? 0).toISOString()}_${third?.id}`;
    expect(await asOwner((client) => client(countEvents, { body: { query: '*ogi*', newer } }))).toEqual({
      count: 2,
      more: false,
    });
  });

  test('counts histograms completely that PostgreSQL would truncate', async () => {
    const plan = {
      orgId: acme.id,
      condition: { is: 'column', column: 'repo', any: [repositoryId] } as const,
      branches: [
        {
          lead: { by: 'walk' } as const,
          tests: [{ is: 'column', column: 'repo', any: [repositoryId] } as const],
          from: null,
          to: null,
        },
      ],
    };
    const { services } = server;
    if (!services.clickhouse) throw new Error('no ClickHouse');
    const day = 86_400_000;
    const counted = await histogramFromCopy(services, {
      clickhouse: services.clickhouse,
      plan,
      buckets: { start: Date.UTC(2026, 0, 1), size: day },
      most: 5,
    });
    const expected = Map.groupBy(
      matching('repo:acme/api'),
      ({ at, kind }) => `${Math.floor((at - Date.UTC(2026, 0, 1)) / day)} ${kind}`,
    );
    expect(counted?.stoppedAt).toBeNull();
    expect(new Map(counted?.counts.map(({ place, kind, n }) => [`${place} ${kind}`, n]))).toEqual(
      new Map([...expected].map(([key, events]) => [key, events.length])),
    );
  });

  test('rejects an invalid part of a word', async () => {
    for (const query of ['*o*', '*a-b*']) {
      expect(await refusalOf(asOwner((client) => client(queryEvents, { body: { query } })))).toMatchObject({
        code: 'query_invalid',
      });
    }
  });

  test('copies again without duplicates and deletes what PostgreSQL deletes', async () => {
    const { clickhouse: store, database } = server.services;
    const rows = async (of: string) =>
      Number(
        (
          await store?.read<[number]>(`select count() from ${copyTable} final where org_id = {org:UUID} ${of}`, {
            org: acme.id,
          })
        )?.[0]?.[0],
      );
    expect(await rows('')).toBe(plainEvents.length);
    // As after a crash between sending the rows and recording that.
    await database.withOrg(acme.id, (tx) =>
      tx.query({
        name: '',
        text: `update event_copy set as_of = 'infinity', whole = false where org_id = $1`,
        values: [acme.id],
      }),
    );
    expect(await refusalOf(found('*ogi*'))).toMatchObject({ status: 503 });
    await run('events.copy');
    expect(await rows('')).toBe(plainEvents.length);
    expect(await found('*ogi*', 7)).toEqual(matching('*ogi*').map(({ id }) => id));
    const retention = { events: Date.UTC(2026, 1, 1), clipboard: Date.UTC(2026, 2, 1) };
    await deleteExpiredCopiesOf(server.services, acme.id, retention);
    const isRetained = ({ kind, at }: PlainEvent) => {
      const end = retentionPeriodOf(kind as EventKind);
      return end === undefined || at >= retention[end];
    };
    expect(plainEvents.filter(isRetained).length).toBeLessThan(plainEvents.length);
    expect(await rows('')).toBe(plainEvents.filter(isRetained).length);
  });

  test('reports an unavailable ClickHouse and continues without it where possible', async () => {
    const beside = await startTestServer({
      beside: server,
      environment: { CLICKHOUSE_URL: 'http://127.0.0.1:1/sightline', MASTER_KEY },
    });
    const client = beside.as(acme.owner, acme.id);
    expect(await refusalOf(client(queryEvents, { body: { query: '*ogi*' } }))).toMatchObject({ code: 'unavailable' });
    expect((await client(queryEvents, { body: { query: 'fix' } })).events.length).toBeGreaterThan(0);
    await beside.close();
  });
});

test('names the setting that enables ClickHouse when rejecting a query without it', async () => {
  const server = await startTestServer();
  const org = await server.make.organization();
  const answer = await server.app.inject({
    method: 'POST',
    url: '/api/v2/events/explore/query',
    headers: { authorization: `Bearer ${await server.token(org.owner, org.id)}` },
    payload: { query: 'kind:commit *ogi*' },
  });
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({
    code: 'query_invalid',
    message: expect.stringContaining('CLICKHOUSE_URL'),
    query: { start: 12, end: 17 },
  });
  await server.close();
});

const nowhere = { start: 0, end: 0 };
const anyPart: fc.Arbitrary<Node> = fc
  .letrec<{ node: Node }>((tie) => {
    const parts = fc.array(tie('node'), { minLength: 2, maxLength: 3 });
    const text = (mode: 'part' | 'word' | 'prefix', ...words: string[]) =>
      fc.constantFrom(...words).map((word): Node => ({ kind: 'text', mode, text: word, ...nowhere }));
    return {
      node: fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        text(
          'part',
          '*ogi*',
          '*ogin',
          'ref*tor',
          '*rop*',
          '*able*',
          '*ßer*',
          '*größ*',
          '*cme/ap*',
          '*absent*',
          '*the*',
        ),
        fc.oneof(text('word', 'fix', 'login', 'table'), text('prefix', 'refac', 'ta')),
        fc.constantFrom('commit', 'tool', 'other').map(
          (kind): Node => ({
            kind: 'qualifier',
            key: 'kind',
            test: { kind: 'any', values: [{ text: kind }] },
            ...nowhere,
          }),
        ),
        tie('node').map((of): Node => ({ kind: 'not', of, ...nowhere })),
        parts.map((of): Node => ({ kind: 'and', of, ...nowhere })),
        parts.map((of): Node => ({ kind: 'or', of, ...nowhere })),
      ),
    };
  })
  .node.filter((node) => {
    const query = printQuery(node);
    return query.length <= 2048 && query.split('*').length <= 8;
  });

/** An event, and the same event for the evaluation in memory. */
function eventOf(
  choice: ChosenEvent,
  repositoryId: string | null,
  place: number,
): { event: NewEvent; plain: PlainEvent } {
  // Several events at one time are ordered by ID.
  const at = Date.UTC(2026, 0, 1) + Math.floor(choice.at / 500) * 150_000_000;
  const inRepository = choice.repo === 'acme/api' && repositoryId !== null;
  // A title that was truncated within a surrogate pair.
  const title = place % 40 === 0 ? `${choice.title} \ud83d` : choice.title;
  const parameters: Parameter[] = [
    { kind: 'user', display: choice.actor ?? 'unknown', ident: '' },
    ...(inRepository ? [{ kind: 'repository' as const, display: 'acme/api', ident: 'acme/api' }] : []),
    { kind: 'text', display: title, ident: '' },
  ];
  const event: NewEvent = {
    id: newId(),
    kind: choice.kind,
    asOf: new Date(at).toISOString(),
    actor: null,
    repositoryId: inRepository ? repositoryId : null,
    pullRequest: choice.pr,
    source: choice.source,
    summary: { phrase: parameters.map((_, index) => `{${index}}`).join(' '), parameters },
    detail: [],
    words: '',
  };
  const plain: PlainEvent = {
    id: event.id,
    at,
    receivedAt: Date.now(),
    kind: choice.kind,
    actor: null,
    repo: inRepository ? 'acme/api' : null,
    pr: choice.pr,
    source: choice.source,
    states: [],
    share: null,
    fields: {},
    texts: parameters.map(({ display }) => display),
    shown: parameters.map(({ display }) => display),
  };
  return { event, plain };
}
