import { codeHosts, providers } from '@sightline/contract/core/providers.ts';
import { scenarioHosts } from '@sightline/sandbox/planted/hosts.ts';
import { expect, test } from 'vitest';
import { loadCodeHostModules } from './code-host-module.ts';

test('every available code host has a folder, and no other has one', async () => {
  expect([...(await loadCodeHostModules()).keys()].toSorted()).toEqual(providers.toSorted());
});

test('every available code host has scenarios', () => {
  expect(scenarioHosts.toSorted()).toEqual(providers.toSorted());
});

test('code hosts without an app can be connected', async () => {
  for (const { provider, createConnector } of (await loadCodeHostModules()).values())
    expect(createConnector !== undefined, provider).toBe(codeHosts[provider].connection === 'grant');
});
