import { globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, posix } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTopics, type Publication, subscribeTo, topic } from '#core/topics.ts';
import { shareTestServer, type TestServer } from '#testing/server.ts';
import { subscriptions } from './subscriptions.ts';

let server: TestServer;
beforeAll(async () => {
  server = await shareTestServer();
});
afterAll(() => server.close());

const documentation = readFileSync(new URL('../../../docs/architecture.md', import.meta.url), 'utf8');
const section = (title: string) => documentation.split(`## ${title}\n`)[1]?.split('\n## ')[0] ?? '';
const rowsOf = (title: string) =>
  [...section(title).matchAll(/^\| `([^`]+)` \| (.*) \|$/gm)].map(([, name = '', rest = '']) => ({ name, rest }));

test('the architecture documents the features of each domain and the domains that it imports', () => {
  const root = import.meta.dirname;
  const names = readdirSync(root, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? entry.name : []));
  const documented = rowsOf('Domains').map(({ name, rest }) => [name, ...rest.split(' |').map((cell) => cell.trim())]);
  const order = documented.map(([name = '']) => name);
  const actual = names.map((domain) => {
    const files = globSync(`${domain}/**/*.ts`, { cwd: root }).filter(
      (file) => !/[.](test|fixture)[.]ts$|\/testing\//.test(file),
    );
    const imported = files.flatMap((file) =>
      [...readFileSync(posix.join(root, file), 'utf8').matchAll(/from '(\.\.\/[^']+)'/g)].map(
        ([, path = '']) => posix.join(dirname(file), path).split('/')[0] ?? '',
      ),
    );
    const others = order.filter((other) => other !== domain && imported.includes(other));
    return [domain, readdirSync(posix.join(root, domain)).toSorted().join(', '), others.join(', ')];
  });
  expect(documented.toSorted()).toEqual(actual.toSorted());
});

test('the architecture documents every topic with its subscribers in the order in which they run', () => {
  const byTopic = Map.groupBy(subscriptions, (subscription) => subscription.topic);
  const rows = [...byTopic]
    .map(([name, all]) => ({ name, rest: all.map(({ subscriber }) => `\`${subscriber}\``).join(', ') }))
    .toSorted((one, other) => one.name.localeCompare(other.name, 'en'));
  expect(rowsOf('Topics')).toEqual(rows);
});

test.each(subscriptions)('$subscriber is in the domain of $topic or in a higher one', (subscription) => {
  const levels = ['core', ...rowsOf('Domains').map(({ name }) => name)];
  const levelOf = (name: string) => levels.indexOf(name.split('.')[0] ?? '');
  expect(levelOf(subscription.topic)).toBeGreaterThanOrEqual(0);
  expect(levelOf(subscription.subscriber)).toBeGreaterThanOrEqual(levelOf(subscription.topic));
});

test('a subscriber that throws rolls back the publisher and the subscribers before it', async () => {
  const { id } = await server.make.organization();
  const happened = topic<{ name: string }>('organization.tested');
  const rename = vi.fn(async ({ tx, orgId }: Publication) => {
    await tx.db.updateTable('organization').set({ description: 'by a subscriber' }).where('id', '=', orgId).execute();
  });
  const topics = createTopics([
    subscribeTo(happened, 'compliance.change', rename),
    subscribeTo(happened, 'compliance.fail', () => Promise.reject(new Error('broken'))),
  ]);
  const { services } = server;
  const publishing = services.database.withOrg(id, (tx) =>
    topics.publish({ services, tx, orgId: id }, happened, { name: 'x' }),
  );
  await expect(publishing).rejects.toThrow('broken');
  expect(rename).toHaveBeenCalledOnce();
  const descriptions = await services.database.withOrg(id, ({ db }) =>
    db.selectFrom('organization').select('description').where('id', '=', id).execute(),
  );
  expect(descriptions).toEqual([{ description: '' }]);
});
