import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { scenarioHosts, scenariosOn } from '../hosts.ts';
import { scenarioPage } from './scenario-page.ts';
import { scenarioTable } from './scenario-table.ts';

test('docs/control-scenarios.md has the results of the table', () => {
  expect(readFileSync(new URL('../../../../docs/control-scenarios.md', import.meta.url), 'utf8')).toBe(scenarioPage());
});

test('the differences of code hosts are about rows of the table', () => {
  const names = new Set(scenarioTable.map(({ name }) => name));
  const unknown = scenarioHosts.flatMap((on) =>
    Object.keys(scenariosOn(on).differences).filter((name) => !names.has(name)),
  );
  expect(unknown).toEqual([]);
});

test('has the scenarios of the review and more than thirty others, each once', () => {
  const names = scenarioTable.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(scenarioTable.filter(({ source }) => source === 'own').length).toBeGreaterThan(30);
  expect(scenarioTable.filter(({ source }) => source === 'review').length).toBeGreaterThan(20);
});
