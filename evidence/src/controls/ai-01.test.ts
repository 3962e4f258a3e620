import { describe, expect, test } from 'vitest';
import { ai01 } from './ai-01.ts';
import type { JoinedSession, ReconciledAgent } from './change-rows.ts';
import { defaultsOf } from './parameters.ts';
import { agentChange, declaredAgent, session } from './testing/change-variants.ts';
import { completeFact, human, missingFact, partialFact, unresolvedActor } from './testing/facts.ts';
import { isInPopulation } from './testing/in-population.ts';
import { testVerdicts } from './testing/table.ts';
import { passingRowOf } from './testing/variants.ts';

const good = passingRowOf(agentChange);
const lines = (confidence: 'declared' | 'observed' | 'inferred', count = 10) => ({ lines: count, confidence });

const undeclared = (joined: JoinedSession) =>
  completeFact([{ ...declaredAgent, isDeclared: false, sessions: [joined] }]);

testVerdicts(ai01, good, [
  ['passes if declared and approved by another person', {}, 'pass', ['agent_observed', 'independent_approval']],
  [
    'passes if observed and approved by another person',
    { attributions: completeFact([lines('observed')]) },
    'pass',
    ['agent_observed', 'independent_approval'],
  ],
  [
    'passes if partly declared and partly inferred',
    { attributions: completeFact([lines('inferred'), lines('declared')]) },
    'pass',
    ['agent_observed', 'independent_approval'],
  ],
  ['fails without approval', { reviews: completeFact([]) }, 'fail', ['no_independent_approval']],
  ['fails if pushed directly', { mergeMethod: completeFact('direct_push') }, 'fail', ['direct_push']],
  [
    'fails if approved by the owner of the session',
    { sessionOwners: completeFact([human('per_reviewer')]) },
    'fail',
    ['no_independent_approval', 'approved_by_session_owner:rev_1'],
  ],
  [
    'fails without approval, even if not all lines are attributed',
    { reviews: completeFact([]), attributions: partialFact([lines('declared')]) },
    'fail',
    ['no_independent_approval'],
  ],
  [
    'has missing evidence if only inferred',
    { attributions: completeFact([lines('inferred')]) },
    'missing_evidence',
    ['agent_only_inferred'],
  ],
  [
    'has missing evidence if only inferred, without approval',
    { attributions: completeFact([lines('inferred')]), reviews: completeFact([]) },
    'missing_evidence',
    ['agent_only_inferred'],
  ],
  [
    'has missing evidence without attributions',
    { attributions: missingFact },
    'missing_evidence',
    ['attribution_missing'],
  ],
  [
    'has missing evidence if partly attributed',
    { attributions: partialFact([lines('declared')]) },
    'missing_evidence',
    ['attribution_missing'],
  ],
  [
    'has missing evidence if the owner of the session is unresolved',
    { sessionOwners: completeFact([unresolvedActor]) },
    'missing_evidence',
    ['session_owner_unresolved'],
  ],
  [
    'passes if declared, and states that connected telemetry shows no session',
    { agents: completeFact([{ ...declaredAgent, observed: 'no', sessions: [] }]) },
    'pass',
    ['agent_not_observed', 'independent_approval'],
  ],
  [
    'passes if declared, and states that no telemetry is connected',
    { agents: partialFact([{ ...declaredAgent, observed: 'unknown', sessions: [] }]) },
    'pass',
    ['agent_observation_missing', 'independent_approval'],
  ],
  [
    'states missing telemetry if the record has none',
    { agents: missingFact },
    'pass',
    ['agent_observation_missing', 'independent_approval'],
  ],
  [
    'has missing evidence if observed by branch and not declared',
    { attributions: completeFact([]), agents: undeclared({ ...session, confidence: 'medium' }) },
    'missing_evidence',
    ['agent_not_declared'],
  ],
  [
    'has missing evidence if observed with certainty, approved and not declared',
    { attributions: completeFact([]), agents: undeclared(session) },
    'missing_evidence',
    ['agent_not_declared'],
  ],
  [
    'fails if observed with certainty, neither declared nor approved',
    { attributions: completeFact([]), agents: undeclared(session), reviews: completeFact([]) },
    'fail',
    ['no_independent_approval'],
  ],
  [
    'has missing evidence if observed by branch, neither declared nor approved',
    {
      attributions: completeFact([]),
      agents: undeclared({ ...session, confidence: 'medium' }),
      reviews: completeFact([]),
    },
    'missing_evidence',
    ['agent_not_declared'],
  ],
  [
    'fails if approved by the owner of an observed session',
    { agents: completeFact([{ ...declaredAgent, sessions: [{ ...session, owner: human('per_reviewer') }] }]) },
    'fail',
    ['no_independent_approval', 'approved_by_session_owner:rev_1'],
  ],
  [
    'does not refuse the owner of a session that is joined by time alone',
    {
      agents: completeFact([
        {
          ...declaredAgent,
          sessions: [{ ...session, owner: human('per_reviewer'), joins: ['time'], confidence: 'low' }],
        },
      ]),
    },
    'pass',
    ['agent_observed', 'independent_approval'],
  ],
  [
    'has missing evidence if the owner of an observed session is unknown and nothing declares it',
    { attributions: completeFact([]), agents: undeclared({ ...session, owner: null }) },
    'missing_evidence',
    ['agent_not_declared', 'session_owner_unresolved'],
  ],
  ['has missing evidence if reviews are unknown', { reviews: missingFact }, 'missing_evidence', ['reviews_missing']],
]);

const only = (name: 'agents' | 'models' | 'mcpServers', ...patterns: string[]) => ({ [name]: patterns });
const using = (agent: Partial<ReconciledAgent>) => ({ agents: completeFact([{ ...declaredAgent, ...agent }]) });
const met = ['agent_observed', 'agent_policy_met', 'independent_approval'] as const;
const unreviewed = { reviews: completeFact([]) };

testVerdicts(ai01, good, [
  ['passes an allowed agent', {}, 'pass', met, only('agents', 'Claude')],
  ['fails another agent', {}, 'fail', ['agent_not_allowed'], only('agents', 'Codex')],
  ['fails any agent if none is allowed', {}, 'fail', ['agent_not_allowed'], only('agents')],
  [
    'fails an undeclared agent that telemetry proves',
    { agents: undeclared(session), attributions: completeFact([]) },
    'fail',
    ['agent_not_allowed'],
    only('agents', 'Codex'),
  ],
  [
    'has missing evidence if another agent is only observed by its branch',
    { agents: undeclared({ ...session, confidence: 'medium' }), attributions: completeFact([]) },
    'missing_evidence',
    ['agent_not_declared'],
    only('agents', 'Codex'),
  ],
  [
    'has missing evidence if the declaration does not name the agent',
    using({ agent: 'an agent' }),
    'missing_evidence',
    ['agent_name_unknown'],
    only('agents', 'Claude'),
  ],
  [
    'has missing evidence if the agents are unknown',
    { agents: missingFact },
    'missing_evidence',
    ['agent_name_unknown'],
    only('agents', 'Claude'),
  ],
  ['passes an allowed model', {}, 'pass', met, only('models', 'claude-*')],
  ['fails another model', {}, 'fail', ['agent_model_not_allowed'], only('models', 'gpt-*')],
  [
    'fails another model among incomplete ones',
    using({ models: partialFact(['gpt-5', 'claude-sonnet-5']) }),
    'fail',
    ['agent_model_not_allowed'],
    only('models', 'claude-*'),
  ],
  [
    'has missing evidence without models',
    using({ models: missingFact }),
    'missing_evidence',
    ['agent_model_unknown'],
    only('models', 'claude-*'),
  ],
  [
    'has missing evidence if other models may have been used',
    using({ models: partialFact(['claude-sonnet-5']) }),
    'missing_evidence',
    ['agent_model_unknown'],
    only('models', 'claude-*'),
  ],
  ['passes without MCP servers', {}, 'pass', met, only('mcpServers')],
  [
    'fails a session that used another MCP server',
    using({ mcpServers: completeFact(['linear']) }),
    'fail',
    ['mcp_server_not_allowed'],
    only('mcpServers', 'github'),
  ],
  [
    'has missing evidence if the MCP servers are unknown',
    using({ mcpServers: missingFact }),
    'missing_evidence',
    ['mcp_servers_unknown'],
    only('mcpServers', 'github'),
  ],
  [
    'passes a configuration with an allowed MCP server',
    { configuredServers: completeFact(['npm:@acme/server']) },
    'pass',
    met,
    only('mcpServers', 'npm:@acme/*'),
  ],
  [
    'fails a configuration with another MCP server',
    { configuredServers: completeFact(['https://mcp.example.com']) },
    'fail',
    ['mcp_server_not_allowed'],
    only('mcpServers', 'npm:@acme/*'),
  ],
  [
    'fails the configuration of a change without agents',
    { attributions: completeFact([]), agents: completeFact([]), configuredServers: completeFact(['npm:other']) },
    'fail',
    ['mcp_server_not_allowed'],
    only('mcpServers', 'npm:@acme/*'),
  ],
  [
    'has missing evidence if a configuration could not be read',
    { configuredServers: partialFact(['npm:@acme/server']) },
    'missing_evidence',
    ['configured_servers_unknown'],
    only('mcpServers', 'npm:@acme/*'),
  ],
  ['needs no review if none is required', unreviewed, 'pass', ['agent_observed'], { approvals: 0 }],
  ['fails with too few approvals', {}, 'fail', ['no_independent_approval'], { approvals: 2 }],
  [
    'passes a change within the limit without review',
    unreviewed,
    'pass',
    ['agent_change_within_limit', 'agent_observed'],
    { unreviewedLines: 40 },
  ],
  [
    'fails a change above the limit without review',
    unreviewed,
    'fail',
    ['no_independent_approval'],
    { unreviewedLines: 39 },
  ],
  [
    'has missing evidence if the size is unknown and there is no review',
    { ...unreviewed, changedLines: missingFact },
    'missing_evidence',
    ['changed_lines_unknown'],
    { unreviewedLines: 40 },
  ],
  [
    'passes a change of unknown size with a review',
    { changedLines: missingFact },
    'pass',
    ['agent_observed', 'independent_approval'],
    { unreviewedLines: 40 },
  ],
  [
    'fails if the reviewer above the limit started the session',
    { sessionOwners: completeFact([human('per_reviewer')]) },
    'fail',
    ['approved_by_session_owner:rev_1', 'no_independent_approval'],
    { unreviewedLines: 39 },
  ],
  ['passes a change outside protected paths', {}, 'pass', met, { protectedPaths: ['.github/**'] }],
  [
    'fails a change of a protected file',
    { pathMatches: completeFact([{ pattern: '.github/**', isTouched: true }]) },
    'fail',
    ['agent_changed_protected_path'],
    { protectedPaths: ['.github/**'] },
  ],
  [
    'has missing evidence if not all changed files are known',
    { pathMatches: partialFact([]) },
    'missing_evidence',
    ['changed_files_unknown'],
    { protectedPaths: ['.github/**'] },
  ],
  [
    'fails a change of a protected file among incomplete ones',
    { pathMatches: partialFact([{ pattern: '.github/**', isTouched: true }]) },
    'fail',
    ['agent_changed_protected_path'],
    { protectedPaths: ['.github/**'] },
  ],
  [
    'has missing evidence if a pattern was not compared with the changed files',
    {},
    'missing_evidence',
    ['changed_files_unknown'],
    { protectedPaths: ['infra/**'] },
  ],
  [
    'does not fail a protected file of an inferred contribution',
    {
      attributions: completeFact([lines('inferred')]),
      pathMatches: completeFact([{ pattern: '.github/**', isTouched: true }]),
    },
    'missing_evidence',
    ['agent_only_inferred'],
    { protectedPaths: ['.github/**'] },
  ],
]);

describe('AI-01: has as population', () => {
  test.each([
    ['a change with lines by an agent', { attributions: completeFact([lines('inferred', 1)]) }, true],
    ['a change with missing attributions', { attributions: missingFact }, true],
    ['a change with incomplete attributions', { attributions: partialFact([]) }, true],
    ['not a change without lines by an agent', { attributions: completeFact([lines('declared', 0)]) }, false],
    [
      'not a change without declared agents and telemetry',
      { attributions: completeFact([]), agents: missingFact },
      false,
    ],
    ['a change with an observed agent', { attributions: completeFact([]), agents: undeclared(session) }, true],
    ['not a change into a branch out of scope', { isDefaultBranch: false, branch: 'try' }, false],
    [
      'not a change of an agent configuration while every MCP server is allowed',
      { attributions: completeFact([]), agents: missingFact, configuredServers: completeFact(['npm:a']) },
      false,
    ],
  ])('%s', (_name, change, isIn) => {
    expect(isInPopulation(ai01, { ...good, ...change }, defaultsOf(ai01.parameters))).toBe(isIn);
  });

  test.each([
    ['a change of an agent configuration', completeFact(['npm:a']), true],
    ['a change whose agent configuration is unknown', missingFact, true],
    ['not a change of something else', completeFact([]), false],
  ])('%s if MCP servers are restricted', (_name, configuredServers, isIn) => {
    const row = { ...good, attributions: completeFact([]), agents: missingFact, configuredServers };
    expect(isInPopulation(ai01, row, { ...defaultsOf(ai01.parameters), mcpServers: [] })).toBe(isIn);
  });
});
