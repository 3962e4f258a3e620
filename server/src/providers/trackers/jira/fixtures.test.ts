import { expect, test } from 'vitest';
import { createOutbound } from '#core/outbound.ts';
import { startJsonServer } from '#testing/json-server.ts';
import { connector as cloud } from '../jira-cloud/tracker.ts';
import { connector as dataCenter } from '../jira-data-center/tracker.ts';
import bulk from './fixtures/cloud-bulkfetch.json' with { type: 'json' };
import changelog from './fixtures/cloud-changelog.json' with { type: 'json' };
import single from './fixtures/cloud-issue.json' with { type: 'json' };
import cloudDelivery from './fixtures/cloud-webhook.json' with { type: 'json' };
import issue from './fixtures/data-center-issue.json' with { type: 'json' };
import delivery from './fixtures/data-center-webhook.json' with { type: 'json' };
import { jiraWebhook } from './jira.ts';

async function openAt(connector: typeof cloud, answers: Readonly<Record<string, unknown>>) {
  const { url, requests } = await startJsonServer(({ path }) => answers[path.split('?')[0] ?? '']);
  return {
    url,
    requests,
    jira: connector.open(createOutbound([url]), { baseURL: url, email: 'a@b.example', token: 't' }),
  };
}

test('reads an issue singly that a bulk read of Jira Cloud could not return', async () => {
  const { jira, url, requests } = await openAt(cloud, {
    '/rest/api/3/issue/bulkfetch': bulk,
    '/rest/api/3/issue/10043': single,
  });
  const found = await jira.findAll(['10042', '10043', '10044']);
  expect([...found.values()]).toEqual([
    {
      id: '10042',
      key: 'PAY-7',
      type: 'Story',
      status: 'In Progress',
      category: 'in_progress',
      assignee: { id: '5b10ac8d82e05b22cc7d4ef5', name: 'Ada Example', email: null },
      url: `${url}/browse/PAY-7`,
      createdAt: '2026-02-03T08:15:30.250Z',
      isDeleted: false,
    },
    expect.objectContaining({ id: '10043', key: 'PAY-8', category: 'done', assignee: null }),
  ]);
  // The third is in neither list: the token does not see it.
  expect(requests.map(({ path }) => path.split('?')[0])).toEqual([
    '/rest/api/3/issue/bulkfetch',
    '/rest/api/3/issue/10043',
  ]);
});

test('does not report an issue as absent that could not be read', async () => {
  const { url } = await startJsonServer(
    ({ path }) => (path.includes('bulkfetch') ? bulk : {}),
    ({ path }) => (path.includes('bulkfetch') ? 200 : 503),
  );
  const jira = cloud.open(createOutbound([url]), { baseURL: url, email: 'a@b.example', token: 't' });
  await expect(jira.findAll(['10042', '10043'])).rejects.toThrow('answered 503');
});

test('reads the history of an issue of Jira Cloud', async () => {
  const { jira } = await openAt(cloud, { '/rest/api/3/issue/10042/changelog': changelog });
  expect(await jira.historyOf('10042')).toEqual([
    { at: '2026-02-03T09:00:00.000Z', field: 'assignee', before: null },
    { at: '2026-02-03T10:30:00.000Z', field: 'status', before: 'To Do' },
  ]);
});

test('reads an issue of Jira Data Center and its history', async () => {
  const { jira } = await openAt(dataCenter, { '/rest/api/2/issue/10300': issue });
  expect((await jira.findAll(['10300'])).get('10300')).toMatchObject({
    key: 'OPS-4',
    category: 'done',
    assignee: { id: 'JIRAUSER10100', email: 'ada@example.com' },
    createdAt: '2026-03-12T22:14:23.580Z',
  });
  expect(await jira.historyOf('10300')).toEqual([
    { at: '2026-03-12T23:00:00.000Z', field: 'assignee', before: 'JIRAUSER10099' },
    { at: '2026-03-12T23:23:01.993Z', field: 'status', before: 'In Progress' },
  ]);
});

test('reads deliveries', () => {
  expect(jiraWebhook.parse(cloudDelivery)).toEqual({ event: 'jira:issue_updated', ids: ['10042'] });
  expect(jiraWebhook.parse(delivery)).toEqual({ event: 'jira:issue_deleted', ids: ['10300'] });
});
