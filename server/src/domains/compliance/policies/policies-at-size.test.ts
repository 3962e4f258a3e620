import { createPolicy, deletePolicy, listPolicies, updatePolicy } from '@sightline/contract/compliance/policies.ts';
import { decidePolicyChange } from '@sightline/contract/compliance/policy-changes.ts';
import { listLedgerEntries } from '@sightline/contract/ledger/ledger.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signLedger } from '#testing/ledger.ts';
import { shareTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';

let server: TestServer;
let org: TestOrganization;
const sizes: number[] = [];
const scope = { repositories: null, branches: [], tools: [] };
const secrets = (limit: number) =>
  ({ name: 'Secrets', kind: 'sla', scope, mode: 'observe', settings: { 'VUL-02': { limit } } }) as const;

beforeAll(async () => {
  server = await shareTestServer();
  org = await server.make.organization();
  const second = await server.make.member(org.id, 'rol_owner');
  const sign = async () => sizes.push(await signLedger(server, org));
  await sign();
  const { policy } = await owner()(createPolicy, { body: secrets(2) });
  const params = { policyId: policy?.id ?? '' };
  await sign();
  const { pendingChange } = await owner()(updatePolicy, { params, body: { ...secrets(30), version: 1 } });
  await sign();
  const decision = {
    params: { changeId: pendingChange?.id ?? '' },
    body: { approve: true, reason: 'Agreed in the weekly review.' },
  };
  await server.as(second, org.id)(decidePolicyChange, decision);
  await sign();
  const archived = await owner()(deletePolicy, { params });
  const change = { changeId: archived.pendingChange?.id ?? '' };
  if (archived.pendingChange) {
    await server.as(second, org.id)(decidePolicyChange, {
      params: change,
      body: { approve: true, reason: 'Agreed in the weekly review.' },
    });
  }
  await sign();
});
afterAll(() => server.close());

const owner = () => server.as(org.owner, org.id);
const listAt = async (size: number | undefined, query: object = {}) =>
  (await owner()(listPolicies, { query: { ...query, ledgerSize: `${size}` } })).rows;

test('lists the versions of policies and pending changes at each size', async () => {
  const held = [];
  const ended = [];
  for (const size of sizes) {
    const limits = (await listAt(size)).map(({ version, settings, until, hasPendingChange }) => [
      ...[version, settings['VUL-02']?.limit, until, hasPendingChange],
    ]);
    held.push(limits);
    ended.push((await listAt(size, { state: 'ended' })).map(({ version, until }) => [version, until !== null]));
  }
  expect(held).toEqual([[], [[1, 2, null, false]], [[1, 2, null, true]], [[2, 30, null, false]], []]);
  expect(ended).toEqual([[], [], [], [], [[2, true]]]);
});

test('names the entry that made or ended a version, and permits no action', async () => {
  const kinds = [];
  for (const [size, state] of [
    [sizes[3], 'held'],
    [sizes[4], 'ended'],
  ] as const) {
    const [policy] = await listAt(size, { state });
    expect(policy?.allowed).toEqual({ change: false, delete: false, restore: false });
    expect(policy?.recorded?.missing).toEqual([]);
    const from = policy?.recorded?.entry?.index ?? -1;
    const [entry] = await owner()(listLedgerEntries, { query: { from, to: from + 1 } });
    kinds.push(entry?.kind);
  }
  expect(kinds).toEqual(['audit.policy.changed', 'audit.policy.deleted']);
});

test('searches and filters the recorded versions', async () => {
  expect(await listAt(sizes[1], { search: 'secret', kinds: ['sla'], modes: ['observe'] })).toHaveLength(1);
  expect(await listAt(sizes[1], { search: 'other' })).toEqual([]);
  expect(await listAt(sizes[1], { modes: ['warn'] })).toEqual([]);
});
