import { expect, test } from 'vitest';
import { createOutbound } from '#core/outbound.ts';
import { HostLimited } from '#providers/code-host.ts';
import { startJsonServer } from '#testing/json-server.ts';
import history from './fixtures/history.json' with { type: 'json' };
import issues from './fixtures/issues.json' with { type: 'json' };
import absent from './fixtures/not-found.json' with { type: 'json' };
import limited from './fixtures/rate-limit.json' with { type: 'json' };
import delivery from './fixtures/webhook.json' with { type: 'json' };
import { connector } from './tracker.ts';

async function openWith(answer: unknown, status = 200) {
  const { url, requests } = await startJsonServer(
    () => answer,
    () => status,
  );
  const linear = connector.open(createOutbound([url]), { baseURL: url, email: null, token: 'lin_api_key' });
  return { linear, requests };
}

const [first, second] = issues.data.issues.nodes;

test('reads issues, and those in the trash as deleted', async () => {
  const { linear, requests } = await openWith(issues);
  const found = await linear.findAll([first?.id ?? '', second?.id ?? '']);
  expect([...found.values()]).toEqual([
    {
      id: first?.id,
      key: 'ENG-12',
      type: null,
      status: 'In Review',
      category: 'in_progress',
      assignee: { id: '00000021-0000-4000-8000-000000000000', name: 'Ada Example', email: 'ada@example.com' },
      url: 'https://linear.app/example/issue/ENG-12/check-totals',
      createdAt: '2026-01-30T11:19:39.427Z',
      isDeleted: false,
    },
    expect.objectContaining({ key: 'ENG-13', category: 'done', assignee: null, isDeleted: true }),
  ]);
  expect(requests).toMatchObject([{ path: '/graphql', body: { variables: { ids: [first?.id, second?.id] } } }]);
});

test('reads changes of status and assignee', async () => {
  const { linear } = await openWith(history);
  expect(await linear.historyOf('ENG-12')).toEqual([
    { at: '2026-01-31T08:00:00.000Z', field: 'status', before: 'Todo' },
    { at: '2026-01-31T09:00:00.000Z', field: 'assignee', before: null },
  ]);
});

test('distinguishes an absent issue from a rate limit, which also has status 400', async () => {
  expect(await (await openWith(absent)).linear.find('ENG-99')).toBeUndefined();
  await expect((await openWith(limited, 400)).linear.find('ENG-12')).rejects.toBeInstanceOf(HostLimited);
});

test('reads a delivery about an issue', () => {
  expect(connector.webhook.parse(delivery)).toEqual({ event: 'Issue.update', ids: [first?.id] });
  expect(connector.webhook.parse({ ...delivery, type: 'Comment' })).toEqual({ event: 'Comment.update', ids: [] });
});
