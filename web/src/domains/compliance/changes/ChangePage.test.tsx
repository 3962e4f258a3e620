// @vitest-environment happy-dom
import { getChangeAgents } from '@sightline/contract/compliance/agent-reconciliation.ts';
import {
  type Change,
  getChange,
  getChangeSourceLevel,
  type SourceLevel,
} from '@sightline/contract/compliance/changes.ts';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeApi } from '#testing/fake-api.ts';
import { signIn, visitPage } from '#testing/visitPage.tsx';
import { ChangePage } from './ChangePage.tsx';

const id = '00000000-0000-4000-8000-000000000001';
const fetchedAt = '2026-11-20T10:00:00.000Z';
const known = <Value,>(value: Value) => ({ state: 'complete' as const, reason: null, fetchedAt, value });
const missing = (reason: 'permission' | 'unreachable') => ({
  state: 'missing' as const,
  reason,
  fetchedAt,
  value: null,
});
const person = (name: string, more: object = {}) => ({
  id: name,
  name,
  avatarUrl: null,
  kind: 'human' as const,
  identity: 'resolved' as const,
  ...more,
});
const change: Change = {
  id,
  version: 2,
  repository: { id, provider: 'github', fullName: 'acme/api' },
  branch: 'main',
  isDefaultBranch: true,
  mergeMethod: 'pull_request',
  number: 7,
  title: 'Add invoices',
  url: null,
  mergedAt: fetchedAt,
  mergeSha: 'fedcba9876',
  headSha: '0123456789',
  hasAgent: false,
  authors: [person('Ada')],
  mergedBy: person('Bob'),
  approval: 'no',
  missing: ['checks', 'requiredChecks'],
  approvalReasons: [
    {
      code: 'approved_before_last_push',
      text: 'An approval is for an earlier commit than the merged one.',
      about: null,
      remedy: null,
    },
  ],
  commits: [],
  parts: {
    authors: known([person('Ada')]),
    sessionOwners: known([]),
    ai: known([]),
    headSha: known('0123456789'),
    lastPusher: known(person('Ada')),
    earlierPushers: known([]),
    unattestedCommits: known(0),
    unreviewedFiles: known(0),
    hostActivity: known('pull_request_merge' as const),
    lastPushAt: known(fetchedAt),
    sourceBranch: known('invoices'),
    reviews: known([
      {
        id: 'r',
        by: person('Cleo'),
        verdict: 'approved' as const,
        submittedAt: fetchedAt,
        dismissedAt: null,
        isDismissed: 'no' as const,
        commit: 'old',
        isForHead: 'no' as const,
        wasMember: 'yes' as const,
      },
    ]),
    requiredChecks: missing('permission'),
    checks: missing('unreachable'),
    labels: known([]),
    tickets: known([]),
    namedTickets: known([]),
    linkedIssues: known(1),
    pathMatches: known([]),
    changedLines: known(12),
    configuredServers: known([]),
    mergeRequestedBy: known(person('Ada')),
    mergedBy: known(person('Bob')),
  },
  protection: null,
  attribution: { agents: [], files: [], fileCount: 0, share: null, sources: [] },
  scans: {
    runs: [
      {
        tool: { id: 'codeql', name: 'CodeQL' },
        on: 'merge',
        commit: 'fedcba9876',
        ref: 'refs/heads/main',
        finishedAt: fetchedAt,
        added: 2,
        closed: 1,
        since: '0011223344',
        isSinceBase: false,
      },
    ],
    reason: null,
  },
  versions: [
    { version: 2, recordedAt: fetchedAt, cause: 'retry', approval: 'no', missing: ['checks'], entryId: id, leaf: 41 },
    { version: 1, recordedAt: fetchedAt, cause: 'merge', approval: 'unknown', missing: [], entryId: id, leaf: null },
  ],
};

test('shows the facts of each step, and missing parts with the action that adds them', async () => {
  signIn('rol_owner');
  fakeApi.answer(getChange, () => change);
  visitPage('/changes/$changeId', ChangePage, `/changes/${id}`);
  await screen.findByRole('heading', { name: 'Add invoices', level: 1 });
  const step = (name: string) => within(screen.getByRole('heading', { name, level: 3 }).closest('li') as HTMLElement);
  step('Authored').getByText('Ada');
  expect(step('Reviewed').getByText('for an earlier commit')).toBeDefined();
  const checked = step('Checked');
  expect(checked.getByText(/required checks not recorded.*Grant the permission to the connection/)).toBeDefined();
  expect(checked.getByText(/Sightline tries again/)).toBeDefined();
  step('Branch protection at that time').getByText(/^Missing evidence/);
  expect(step('Scanned').getByText(/^CodeQL: 2 new, 1 closed/).textContent).toContain(
    'since 0011223, including commits in between',
  );
  step('Merged').getByText(/Requested by Ada/);
  screen.getByText('An approval is for an earlier commit than the merged one.');
  expect(screen.getByRole('link', { name: 'ledger entry 41' }).getAttribute('href')).toBe('/ledger?entry=41');
  screen.getByText(/pending in the ledger/);
});

const requirement = { level: 3, title: 'Continuous technical controls', fact: 'Every snapshot required a review.' };
const sourceLevel: SourceLevel = {
  revision: 'fedcba9876',
  level: 2,
  result: 'FAILED',
  verifiedLevels: ['FAILED'],
  violations: [{ code: 'required_check_failed', text: 'A required check failed or was skipped.' }],
  requirements: [
    { id: 'history', level: 2, title: 'History', fact: 'The push is recorded.', state: 'met', reasons: [] },
    {
      ...requirement,
      id: 'technical-controls',
      state: 'unmet',
      reasons: [{ code: 'required_check_failed', text: 'A required check failed or was skipped.' }],
    },
    {
      ...requirement,
      id: 'protected-refs',
      title: 'Protected named references',
      state: 'unknown',
      reasons: [{ code: 'protection_missing', text: 'The branch protection is unknown or incomplete.' }],
    },
  ],
  controls: [{ control: 'history', since: { revision: 'abc', at: fetchedAt, isBounded: true } }],
};

test('shows the SLSA source level with unmet requirements, and offers the signed statements', async () => {
  signIn('rol_owner');
  fakeApi.answer(getChange, () => change);
  fakeApi.answer(getChangeSourceLevel, () => sourceLevel);
  visitPage('/changes/$changeId', ChangePage, `/changes/${id}`);
  await screen.findByText('Failed');
  screen.getByText('Not met: A required check failed or was skipped.');
  screen.getByText('Missing evidence: The branch protection is unknown or incomplete.');
  screen.getByText('1 of 3 requirements met');
  expect(screen.getByText(/^History protected since at least/)).toBeDefined();
  screen.getByRole('button', { name: 'Download verification summary' });
  screen.getByRole('button', { name: 'Download source provenance' });
});

test('offers no statement for an unknown commit', async () => {
  signIn('rol_owner');
  fakeApi.answer(getChange, () => change);
  fakeApi.answer(getChangeSourceLevel, () => ({
    ...sourceLevel,
    revision: null,
    level: 0,
    result: 'PASSED' as const,
    verifiedLevels: ['SLSA_SOURCE_LEVEL_0'],
    controls: [],
  }));
  visitPage('/changes/$changeId', ChangePage, `/changes/${id}`);
  await screen.findByText('Level 0');
  screen.getByText(/the merged commit is unknown/);
  screen.getByText('No control was continuously in force.');
  expect(screen.queryByRole('button', { name: /^Download/ })).toBeNull();
});

test('shows no pull request steps for a direct push', async () => {
  signIn('rol_contributor');
  fakeApi.answer(getChange, () => ({ ...change, mergeMethod: 'direct_push' as const, number: null, title: null }));
  visitPage('/changes/$changeId', ChangePage, `/changes/${id}`);
  await screen.findByRole('heading', { name: 'Direct push fedcba9', level: 1 });
  expect(screen.queryByRole('heading', { name: 'Reviewed' })).toBeNull();
  screen.getByRole('heading', { name: 'Pushed', level: 3 });
  expect(screen.queryByRole('link', { name: /ledger entry/ })).toBeNull();
});

test('shows agents with lines, confidence, files and unreadable notes', async () => {
  signIn('rol_owner');
  const claude = { agent: 'Claude', model: 'claude-opus-4-5', carried: false, commits: 1, files: 1, lines: 12 };
  fakeApi.answer(getChange, () => ({
    ...change,
    hasAgent: true,
    attribution: {
      agents: [
        { ...claude, source: 'git-ai' as const, confidence: 'declared' as const },
        {
          ...claude,
          agent: 'Cursor',
          model: null,
          files: 0,
          lines: 0,
          source: 'trailer' as const,
          confidence: 'declared' as const,
        },
      ],
      files: [
        {
          path: 'src/app.ts',
          lines: 12,
          ranges: [
            { from: 1, to: 11, commit: 'abc', agent: 'Claude', confidence: 'declared' as const },
            { from: 20, to: 20, commit: 'abc', agent: 'Claude', confidence: 'declared' as const },
          ],
        },
      ],
      fileCount: 1,
      share: { lines: 12, of: 40 },
      sources: [
        {
          source: 'agent-trace' as const,
          readAt: fetchedAt,
          records: 3,
          malformed: 2,
          unmatched: 1,
          dropped: 0,
          foreign: 3,
        },
      ],
    },
  }));
  visitPage('/changes/$changeId', ChangePage, `/changes/${id}`);
  const heading = await screen.findByRole('heading', { name: 'Agents', level: 3 });
  const agents = within(heading.closest('li') as HTMLElement);
  expect(agents.getByText(/Claude [(]claude-opus-4-5[)], 12 lines in 1 file/).textContent).toContain(
    'declared by a git-ai note',
  );
  expect(agents.getByText(/Cursor, 1 commit/).textContent).toContain('declared by a commit trailer');
  agents.getByText('12 of 40 added lines (30 %) are attributed to agents.');
  agents.getByText('12 lines: 1–11, 20, Claude');
  agents.getByText(
    'Of the Agent Trace records, 2 entries could not be read, 1 record names no commit, 3 lines are not in the named commit.',
  );
});

test('shows each agent with its status and the joins of its sessions, and what is missing', async () => {
  signIn('rol_owner');
  fakeApi.answer(getChange, () => change);
  const session = {
    id,
    isOpenable: true,
    agent: 'Claude',
    person: person('Ada'),
    models: ['claude-sonnet-5'],
    joins: ['session_id', 'branch'] as ('session_id' | 'branch')[],
    confidence: 'high' as const,
    cost: 0.5,
    otherChanges: 1,
    firstAt: fetchedAt,
    lastAt: fetchedAt,
  };
  const agent = { models: [], mcpServers: null, missing: null, hiddenSessions: 0 };
  fakeApi.answer(getChangeAgents, () => ({
    agents: [
      {
        ...agent,
        agent: 'Claude',
        mcpServers: ['linear'],
        status: 'declared_and_observed' as const,
        sessions: [session],
        hiddenSessions: 2,
      },
      { ...agent, agent: 'Codex', status: 'missing_evidence' as const, missing: 'telemetry' as const, sessions: [] },
    ],
    sessions: 2,
    sessionsWithoutCost: 1,
    cost: 0.5,
    sessionLinks: 1,
    policy: {
      verdict: 'fail' as const,
      explanations: [
        { code: 'mcp_server_not_allowed', text: 'An MCP server is not allowed.', about: null, remedy: null },
      ],
      policy: { id: 'p', version: 2, name: 'Agent rules', mode: 'enforce' as const },
      rules: {
        agents: ['Claude'],
        models: ['**'],
        mcpServers: [],
        approvals: 1,
        unreviewedLines: 20,
        protectedPaths: ['infra/**'],
      },
    },
    configuredServers: ['npm:@acme/server'],
  }));
  visitPage('/changes/$changeId', ChangePage, `/changes/${id}`);
  const link = await screen.findByRole('link', { name: 'Session of Ada' });
  expect(link.getAttribute('href')).toBe(`/agent-sessions/${id}`);
  screen.getByText('Declared and observed');
  screen.getByText(
    /High confidence: session ID in the commit, note or trace, branch and time. Also joined to 1 other change/,
  );
  screen.getByText('An MCP server is not allowed.');
  expect(screen.getByRole('link', { name: 'Agent rules, version 2' }).getAttribute('href')).toBe('/policies/p');
  screen.getByText(
    /1 independent approval above 20 changed lines. Agents: Claude. MCP servers: none. Protected files: infra/,
  );
  screen.getByText('MCP servers: linear');
  screen.getByText('Configures MCP servers: npm:@acme/server');
  screen.getByText('2 sessions of other people');
  screen.getByText('No telemetry is connected.');
  screen.getByText('Cost of the observed sessions: $0.50. 1 session reports no cost');
  screen.getByText(/1 commit message links to an agent session/);
});
