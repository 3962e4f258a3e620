import { readFileSync } from 'node:fs';
import * as icons from 'simple-icons';
import { expect, test } from 'vitest';
import {
  findToolEntry,
  toolOfAction,
  toolOfCommand,
  toolOfExtension,
  toolOfFile,
  toolOfHost,
  toolOfImage,
} from './catalog.ts';
import { toolCatalog } from './data.ts';
import { readCatalogSource, serializeCatalog } from './source.ts';

const owners = Object.entries(toolCatalog.owners);
const products = toolCatalog.tools.flatMap(({ actions }) => actions ?? []);
const slugs = new Set(Object.values(icons).flatMap((icon) => ('slug' in icon ? icon.slug : [])));

const lists = [
  ...(['actions', 'images', 'commands', 'packages', 'files', 'orbs', 'tasks', 'hooks', 'extensions', 'hosts'] as const),
];
const repeated = (names: readonly string[]) => names.filter((name, at) => names.indexOf(name) !== at);

test('is built from the YAML files: run `npm run tools:catalog`', () => {
  expect(serializeCatalog(readCatalogSource())).toBe(readFileSync(new URL('./catalog.json', import.meta.url), 'utf8'));
});

test.each(toolCatalog.tools.map((entry) => [entry.id, entry] as const))('%s has valid identifiers', (_, entry) => {
  if (entry.icon !== null) expect(slugs).toContain(entry.icon);
  for (const action of entry.actions ?? []) expect(action).toMatch(/^[a-z0-9-]+\/[a-z0-9._-]+$/);
  for (const extension of entry.extensions ?? []) expect(extension).toMatch(/^[a-z0-9-]+\.[a-z0-9._-]+$/);
  for (const host of entry.hosts ?? []) expect(host).toMatch(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/);
  for (const image of entry.images ?? []) expect(image).toMatch(/^[a-z0-9._/-]+$/);
});

test('assigns each identifier to only one catalog entry', () => {
  expect(repeated(toolCatalog.tools.map(({ id }) => id))).toEqual([]);
  expect(repeated(toolCatalog.tools.map(({ name }) => name))).toEqual([]);
  for (const list of lists)
    expect([list, repeated(toolCatalog.tools.flatMap((entry) => entry[list] ?? []))]).toEqual([list, []]);
  expect(Object.keys(toolCatalog.actions).filter((action) => products.includes(action))).toEqual([]);
});

test('gives owners known icons', () => {
  expect(owners.length).toBeGreaterThan(150);
  for (const [, { icon }] of owners) if (icon !== null) expect(slugs).toContain(icon);
});

test('assigns an action to the vendor that publishes it', () => {
  const vendorOf = new Map(owners.map(([owner, { vendor }]) => [owner, vendor]));
  const others = toolCatalog.tools.flatMap(({ vendor, actions }) =>
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
  expect(toolOfAction(name)).toMatchObject({ id, vendor });
  expect(findToolEntry(id)).toMatchObject({ id });
});

test('finds tools by image, command, extension, host and file, and names unknown tools as written', () => {
  expect(toolOfImage('aquasec/trivy').id).toBe('trivy');
  expect(toolOfImage('acme/builder')).toMatchObject({ id: 'image:acme/builder', vendor: 'acme' });
  expect(toolOfCommand('terraform')?.id).toBe('terraform');
  expect(toolOfCommand('toString')).toBeUndefined();
  expect(toolOfExtension('GitHub.copilot-chat').id).toBe('github-copilot');
  expect(toolOfExtension('Acme.thing', 'A thing')).toMatchObject({
    id: 'extension:acme.thing',
    name: 'A thing',
    vendor: 'Acme',
  });
  expect(toolOfHost('www.claude.ai')?.id).toBe('claude');
  expect(toolOfHost('notclaude.ai')).toBeUndefined();
  expect(toolOfHost('gemini.google.com')?.id).toBe('gemini');
  expect(toolOfHost('mail.google.com')).toBeUndefined();
  expect(toolOfFile('.cursor/rules/a.mdc')?.id).toBe('cursor');
  expect(toolOfFile('docs/.cursor/rules/a.mdc')).toBeUndefined();
  expect(toolOfFile('packages/a/CLAUDE.md')?.id).toBe('claude-code');
  expect(toolOfFile('.github/copilot-instructions.md')?.id).toBe('github-copilot');
  expect(findToolEntry('nothing')).toBeUndefined();
});
