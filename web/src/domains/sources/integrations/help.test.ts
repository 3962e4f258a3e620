import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pages } from 'virtual:user-docs';
import { expect, test } from 'vitest';
import { failureHelpOf, helpOf, needsOf } from './help.ts';

// Integrations are found by being in this folder: a new one shows up here.
const manifests = readdirSync(join(process.cwd(), 'server/src/domains/sources/integrations/manifest'));
const names = manifests.map((file) => file.replace('.ts', ''));

const isThere = (href: string | undefined) => {
  const [, name, id] = /^\/docs\/([^#]+)#?(.*)$/.exec(href ?? '') ?? [];
  const page = pages.find((one) => one.name === name);
  return page !== undefined && (id === '' || page.headings.some((heading) => heading.id === id));
};

test.each(names)('explains %s and how to troubleshoot it', (name) => {
  expect(isThere(helpOf(name))).toBe(true);
  expect(isThere(failureHelpOf(name))).toBe(true);
});

test.each(['github', 'gitlab', 'bitbucket', 'checkmarx'])('explains the requirements of %s', (name) => {
  expect(isThere(needsOf(name))).toBe(true);
});
