import { toolKinds } from '@sightline/contract/tools/tools.ts';
import * as icons from 'simple-icons';
import { expect, test } from 'vitest';
import { byAction, byCommand, byExtension, byFile, byHost, byImage, catalogue, entryOf } from './catalogue.ts';
import { categories } from './entry.ts';
import { ownersAToI } from './owners-a-i.ts';
import { ownersJToZ } from './owners-j-z.ts';
import { utilities } from './utilities.ts';

const owners = [...ownersAToI, ...ownersJToZ];
const slugs = new Set(Object.values(icons).flatMap((icon) => ('slug' in icon ? icon.slug : [])));

const lists = [
  ...(['actions', 'images', 'commands', 'packages', 'files', 'orbs', 'tasks', 'hooks', 'extensions', 'hosts'] as const),
];
const repeated = (names: readonly string[]) => names.filter((name, at) => names.indexOf(name) !== at);

test.each(catalogue.map((entry) => [entry.id, entry] as const))('%s is a complete catalog entry', (id, entry) => {
  expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  for (const text of [entry.name, entry.vendor]) expect(text.trim()).toMatch(/./);
  expect(entry.description).toMatch(/^[\p{Lu}\d].*\.$/u);
  expect(toolKinds).toContain(entry.kind);
  expect(entry.categories.length).toBeGreaterThan(0);
  for (const category of entry.categories) expect(categories).toContain(category);
  if (entry.icon !== null) expect(slugs).toContain(entry.icon);
  expect(new URL(entry.website).protocol).toBe('https:');
  for (const action of entry.actions ?? []) expect(action).toMatch(/^[a-z0-9-]+\/[a-z0-9._-]+$/);
  for (const extension of entry.extensions ?? []) expect(extension).toMatch(/^[a-z0-9-]+\.[a-z0-9._-]+$/);
  for (const host of entry.hosts ?? []) expect(host).toMatch(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/);
  for (const image of entry.images ?? []) expect(image).toMatch(/^[a-z0-9._/-]+$/);
});

test('assigns each identifier to only one catalog entry', () => {
  expect(repeated(catalogue.map(({ id }) => id))).toEqual([]);
  expect(repeated(catalogue.map(({ name }) => name))).toEqual([]);
  for (const list of lists)
    expect([list, repeated(catalogue.flatMap((entry) => entry[list] ?? []))]).toEqual([list, []]);
  expect(repeated(utilities.flatMap(({ actions }) => actions))).toEqual([]);
  const products = catalogue.flatMap(({ actions }) => actions ?? []);
  expect(utilities.flatMap(({ actions }) => actions.filter((action) => products.includes(action)))).toEqual([]);
});

test('lists each owner once, with its vendor', () => {
  expect(owners.length).toBeGreaterThan(150);
  expect(repeated(owners.map(({ owner }) => owner))).toEqual([]);
  for (const { owner, vendor, icon } of owners) {
    expect(owner).toMatch(/^[a-z0-9._-]+$/);
    expect(vendor).not.toBe('');
    if (icon !== null) expect(slugs).toContain(icon);
  }
});

test('assigns an action to the vendor that publishes it', () => {
  const vendorOf = new Map(owners.map(({ owner, vendor }) => [owner, vendor]));
  const others = catalogue.flatMap(({ vendor, actions }) =>
    (actions ?? []).filter((action) => (vendorOf.get(action.split('/')[0] ?? '') ?? vendor) !== vendor),
  );
  expect(others).toEqual([]);
});

test.each([
  ['aquasecurity/trivy-action', 'trivy', 'Aqua Security'],
  ['Checkmarx/ast-github-action', 'checkmarx-one', 'Checkmarx'],
  ['SonarSource/sonarqube-scan-action', 'sonarqube', 'SonarSource'],
  ['actions/setup-node', 'action:actions/setup-node', 'GitHub'],
  ['step-security/goreleaser-action', 'action:step-security/goreleaser-action', 'StepSecurity'],
  ['Azure/setup-helm', 'action:azure/setup-helm', 'Microsoft'],
  ['Somebody/their-thing', 'action:somebody/their-thing', 'Somebody'],
])('resolves action %s to %s by %s', (name, id, vendor) => {
  expect(byAction(name)).toMatchObject({ id, vendor });
  expect(entryOf(id)).toMatchObject({ id });
});

test('finds tools by image, command, extension, host and file, and names unknown tools as written', () => {
  expect(byImage('aquasec/trivy').id).toBe('trivy');
  expect(byImage('acme/builder')).toMatchObject({ id: 'image:acme/builder', vendor: 'acme' });
  expect(byCommand('terraform')?.id).toBe('terraform');
  expect(byCommand('toString')).toBeUndefined();
  expect(byExtension('GitHub.copilot-chat').id).toBe('github-copilot');
  expect(byExtension('Acme.thing', 'A thing')).toMatchObject({
    id: 'extension:acme.thing',
    name: 'A thing',
    vendor: 'Acme',
  });
  expect(byHost('www.claude.ai')?.id).toBe('claude');
  expect(byHost('notclaude.ai')).toBeUndefined();
  expect(byHost('gemini.google.com')?.id).toBe('gemini');
  expect(byHost('mail.google.com')).toBeUndefined();
  expect(byFile('.cursor/rules/a.mdc')?.id).toBe('cursor');
  expect(byFile('docs/.cursor/rules/a.mdc')).toBeUndefined();
  expect(byFile('packages/a/CLAUDE.md')?.id).toBe('claude-code');
  expect(byFile('.github/copilot-instructions.md')?.id).toBe('github-copilot');
  expect(entryOf('nothing')).toBeUndefined();
});
