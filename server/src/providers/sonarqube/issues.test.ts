import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createOutbound } from '#core/outbound.ts';
import { openSonarClient } from './client.ts';
import { readIssues } from './issues.ts';
import { markdownOf } from './rules.ts';

interface StoredIssue {
  key: string;
  creationDate: string;
  severity: string;
}

let server: Server | undefined;
afterEach(() => server?.close());

/** A SonarQube that returns at most 10,000 results of a query. `pageOf` changes the number of a page. */
async function sonarWith(issues: readonly StoredIssue[], pageOf = (page: number) => page) {
  server = createServer((request, response) => {
    const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://host');
    const send = (status: number, body: unknown) => response.writeHead(status).end(JSON.stringify(body));
    if (pathname.endsWith('/authentication/validate')) return send(200, { valid: true });
    const [page, size] = [pageOf(Number(query.get('p'))), Number(query.get('ps'))];
    if (page * size > 10_000) return send(400, { errors: [{ msg: 'Can return only the first 10000 results' }] });
    const [after, before] = [query.get('createdAfter'), query.get('createdBefore')].map((text) =>
      Date.parse(text ?? ''),
    );
    const found = issues.filter(({ creationDate, severity }) => {
      const at = Date.parse(creationDate);
      const isIn = (Number.isNaN(after) || at >= (after ?? 0)) && (Number.isNaN(before) || at < (before ?? 0));
      return isIn && (query.get('severities') ?? severity) === severity;
    });
    const shown = found.slice((page - 1) * size, page * size);
    send(200, {
      paging: { pageIndex: page, pageSize: size, total: found.length },
      issues: shown.map((one) => ({ ...one, rule: 'java:S1', component: 'p:a.java' })),
    });
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return openSonarClient(createOutbound([baseURL]), { tenant: '', apiKey: 'token', baseURL }, '', { tries: 1 });
}

const issuesAt = (count: number, timeOf: (index: number) => number, severity = 'MAJOR'): StoredIssue[] =>
  Array.from({ length: count }, (_, index) => ({
    key: `${severity} ${index}`,
    creationDate: new Date(timeOf(index)).toISOString(),
    severity,
  }));

async function keysOf(client: Awaited<ReturnType<typeof sonarWith>>): Promise<string[]> {
  const keys: string[] = [];
  for await (const { issues } of readIssues(client, 'p', 'main')) keys.push(...issues.map(({ key }) => key));
  return keys;
}

const start = Date.UTC(2025, 0, 1);

test('reads more than 10,000 issues, each once, by the time of their creation', async () => {
  const issues = issuesAt(12_500, (index) => start + index * 60_000);
  const keys = await keysOf(await sonarWith(issues));
  expect(keys).toHaveLength(issues.length);
  expect(new Set(keys).size).toBe(issues.length);
});

test('reads more than 10,000 issues of one second by severity, and rejects more of one severity', async () => {
  const issues = [...issuesAt(8000, () => start), ...issuesAt(4000, () => start, 'BLOCKER')];
  expect(new Set(await keysOf(await sonarWith(issues))).size).toBe(12_000);
  server?.close();
  const client = await sonarWith(issuesAt(10_001, () => start));
  await expect(keysOf(client)).rejects.toThrow('has more than 10,000 issues of one severity');
});

test('rejects a list whose pages repeat', async () => {
  const client = await sonarWith(
    issuesAt(1200, (index) => start + index),
    () => 1,
  );
  await expect(keysOf(client)).rejects.toThrow('returned 500 of 1200 items, because it repeated or omitted a page');
});

test('converts the HTML of a rule to Markdown', () => {
  const html = '<h2>Why?</h2><p>Do not use <code>eval</code> &amp; co.</p><pre>a &lt; b</pre><ul><li>CWE-95</li></ul>';
  expect(markdownOf(html)).toBe('## Why?\n\nDo not use `eval` & co.\n\n```\na < b\n```\n\n- CWE-95');
});
