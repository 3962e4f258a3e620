import type { PolicyKind, PolicyMode, PolicySettings } from '@sightline/contract/compliance/policies.ts';
import { expect, test } from 'vitest';
import { weakeningsOf } from './weakening.ts';

const policy = (
  settings: PolicySettings,
  {
    mode = 'observe',
    repositories = null,
    kind = 'merge',
  }: { mode?: PolicyMode; repositories?: string[] | null; kind?: PolicyKind } = {},
) => ({
  id: 'p',
  version: 1,
  name: 'Policy',
  kind,
  mode,
  scope: { repositories, branches: [], tools: [] },
  settings,
});
const approvals = (count: number, more = {}) => policy({ 'CHG-01': { approvals: count, branches: [] } }, more);
const exempting = (...exemptBranches: string[]) =>
  policy({ 'CHG-06': { exemptBranches, exemptLabels: [], branches: [] } });
const tools = (kind: PolicyKind, ...ids: string[]) => {
  const made = policy({}, { kind });
  return { ...made, scope: { ...made.scope, tools: ids.map((id) => ({ id, versions: null })) } };
};
const weakened = (before: ReturnType<typeof policy> | undefined, after: ReturnType<typeof policy> | undefined) =>
  weakeningsOf({ others: [], before, after }).map(({ parameter, repositories, before: from, after: to }) =>
    [parameter, repositories, from, to].join(' '),
  );

test.each([
  ['a parameter that is lowered', approvals(2), approvals(1), ['approvals  2 1']],
  ['a new policy with an exemption', undefined, exempting('**'), ['exemptBranches  none **']],
  ['an archived policy that is stricter than the defaults', approvals(2), undefined, ['approvals  2 1']],
  ['a scope without a repository', approvals(2), approvals(2, { repositories: ['r'] }), ['approvals  2 1']],
  [
    'fewer repositories',
    approvals(2, { repositories: ['r', 's'] }),
    approvals(2, { repositories: ['r'] }),
    ['approvals 1 2 1'],
  ],
  ['a milder mode', approvals(1, { mode: 'enforce' }), approvals(1, { mode: 'warn' }), ['mode  enforce warn']],
  ['an allowed tool more', tools('tool-allow', 'a'), tools('tool-allow', 'a', 'b'), ['tools  a a, b']],
  ['a denied tool less', tools('tool-deny', 'a', 'b'), tools('tool-deny', 'a'), ['tools  a, b a']],
])('reports %s', (_name, before, after, expected) => {
  expect(weakened(before as never, after as never)).toEqual(expected);
});

test.each([
  ['a parameter that is raised', approvals(1), approvals(2)],
  ['a new policy that is stricter than the defaults', undefined, approvals(2)],
  ['an archived exemption', exempting('**'), undefined],
  ['a denied tool more', tools('tool-deny', 'a'), tools('tool-deny', 'a', 'b')],
  ['a stricter mode', approvals(1), approvals(1, { mode: 'enforce' })],
])('reports nothing for %s', (_name, before, after) => {
  expect(weakened(before as never, after as never)).toEqual([]);
});
