import { expect, test } from 'vitest';
import { createOutbound } from '#core/outbound.ts';
import { startJsonServer } from '#testing/json-server.ts';
import type { PartResult } from '../scanner-connector.ts';
import code from './fixtures/issues-code.json' with { type: 'json' };
import packages from './fixtures/issues-package.json' with { type: 'json' };
import projects from './fixtures/projects.json' with { type: 'json' };
import { scanner } from './scanner.ts';

const [npm, sast] = projects.data;

async function readProject(id: string) {
  const { url } = await startJsonServer(({ path }) => {
    if (path.includes('/projects?')) return projects;
    return path.includes(`scan_item.id=${sast?.id}`) ? code : packages;
  });
  const session = await scanner
    .create(createOutbound([url]), '')
    .open({ tenant: 'org', apiKey: 'token', baseURL: url });
  const results: PartResult[] = [];
  for await (const scan of session.scans({ projectId: id }))
    for await (const page of session.results({ id }, scan)) results.push(...page);
  return { session, results };
}

test('reads projects with the repository of their target', async () => {
  const { session } = await readProject(npm?.id ?? '');
  const pages = [];
  for await (const page of session.projects()) pages.push(...page);
  expect(pages).toMatchObject([
    { id: npm?.id, repoUrl: 'https://github.com/acme/widgets', mainBranch: 'main', importedName: 'acme/widgets' },
    { id: sast?.id, name: 'acme/widgets' },
  ]);
});

test('reads vulnerable packages with the score of Snyk, and no licenses', async () => {
  expect((await readProject(npm?.id ?? '')).results).toMatchObject([
    {
      part: 'sca',
      result: {
        ruleId: 'SNYK-JS-LODASH-567746',
        title: 'Prototype Pollution',
        severity: 'high',
        path: 'package.json',
        package: { name: 'lodash', version: '4.17.15' },
        codes: [{ id: 'CWE-1321' }, { id: 'CVE-2020-8203' }],
        assessment: { cvss: { score: 8.2, vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:L/A:H/E:P' } },
        state: 'suppressed',
      },
    },
  ]);
});

test('reads issues of Code with their lines', async () => {
  expect((await readProject(sast?.id ?? '')).results).toMatchObject([
    {
      part: 'sast',
      result: {
        ruleId: 'Use of Hardcoded Passwords',
        content: '7b1c0a52-0000-4000-8000-0000000000c1',
        severity: 'low',
        cwes: [259, 798],
        path: 'src/login.js',
        line: 94,
        endLine: 96,
        package: null,
        state: 'open',
      },
    },
  ]);
});
