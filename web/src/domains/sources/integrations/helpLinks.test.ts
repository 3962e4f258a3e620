import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pages } from 'virtual:user-docs';
import { expect, test } from 'vitest';
import { helpHrefOf, requirementsHrefOf, troubleshootingHrefOf } from './helpLinks.ts';

// Integrations are the files of this folder, so a new one is tested automatically.
const manifests = readdirSync(join(process.cwd(), 'server/src/domains/sources/integrations/manifest'));
const names = manifests.map((file) => file.replace('.ts', ''));

const exists = (href: string | undefined) => {
  const [, name, id] = /^\/docs\/([^#]+)#?(.*)$/.exec(href ?? '') ?? [];
  const page = pages.find((one) => one.name === name);
  return page !== undefined && (id === '' || page.headings.some((heading) => heading.id === id));
};

test.each(names)('explains %s and how to troubleshoot it', (name) => {
  expect(exists(helpHrefOf(name))).toBe(true);
  expect(exists(troubleshootingHrefOf(name))).toBe(true);
});

test.each([
  'github',
  'gitlab',
  'bitbucket',
  'checkmarx',
  'sonarqube',
  'semgrep',
  'snyk',
  'dependency-track',
  'jira-cloud',
  'jira-data-center',
  'linear',
])('explains the requirements of %s', (name) => {
  expect(exists(requirementsHrefOf(name))).toBe(true);
});
