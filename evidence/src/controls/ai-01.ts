import {
  type AgentContributions,
  allSessionOwners,
  contributionsOf,
  isProof,
  mayHaveAgents,
  observationsOf,
} from './agents-of-change.ts';
import { assessApproval } from './approval.ts';
import type { AgentChangeRow, ReconciledAgent } from './change-rows.ts';
import { control } from './control.ts';
import { completeValue, type Fact, knownItems } from './facts.ts';
import { everything, type Parameters, type SettingOf } from './parameters.ts';
import type { Reason } from './reasons.ts';
import { branches, matchesPattern, scopeExclusionOf } from './scope.ts';
import { decideVerdict } from './verdicts.ts';
import { waiversAt } from './waivers.ts';

const allowed = { kind: 'patterns', default: [everything], stricter: 'fewer', everythingIsLeastStrict: true } as const;

const parameters = {
  branches,
  agents: { title: 'Allowed agents', ...allowed },
  models: { title: 'Allowed models', ...allowed },
  mcpServers: { title: 'Allowed MCP servers', ...allowed },
  approvals: {
    kind: 'number',
    title: 'Required independent approvals',
    unit: 'approvals',
    default: 1,
    min: 0,
    max: 5,
    stricter: 'higher',
  },
  unreviewedLines: {
    kind: 'number',
    title: 'Largest agent change without review',
    unit: 'lines',
    default: 0,
    min: 0,
    max: 100_000,
    stricter: 'lower',
  },
  protectedPaths: { kind: 'patterns', title: 'Files that agents may not change', default: [], stricter: 'more' },
} as const satisfies Parameters;
type Setting = SettingOf<typeof parameters>;

/** Agents that a declaration does not name. */
const unnamed: readonly string[] = ['an agent', 'a bot'];

/**
 * A certain agent contribution that breaks a rule is a failure, even if other attributions are missing. Inferred,
 * undeclared or missing attributions yield at most missing evidence, and so does every unknown fact that a rule needs.
 * Rules that allow everything need no facts. Missing telemetry is stated, and does not change the verdict otherwise.
 */
export const ai01 = control<AgentChangeRow>()({
  id: 'AI-01',
  title: 'Agent changes declared and reviewed by humans',
  rule: 'Every change with agent contributions declares them, comes from allowed agents with allowed models and MCP servers, is approved by a human who does not own an agent session, and touches no protected file. No change configures an MCP server that is not allowed.',
  population:
    'Every change to a branch in scope in the period with declared or observed agent contributions, every change in a repository without a source of agent attribution, and if MCP servers are restricted every change of an agent configuration with MCP servers.',
  verdicts: {
    pass: 'The agent contribution is declared, what it used is allowed, no protected file is touched, and the change has the independent approvals as defined by CHG-01, or at most the lines that need none. Owners of agent sessions cannot approve. The reasons state whether telemetry shows the agent too, does not, or is not connected.',
    fail: 'The agent contribution is declared, or proven by a session ID or commit in telemetry, and lacks the independent approvals, touches a protected file, or used an agent, model or MCP server that is not allowed; or the change configures such an MCP server.',
    missing_evidence:
      'The agent contribution is only inferred, or observed but not declared, the repository has no source of agent attribution, or a fact is unknown that a rule needs: agents, models, MCP servers, changed files and lines, or evidence that CHG-01 requires.',
  },
  parameters,
  sources: ['attribution', 'pull_requests', 'identities', 'members'],
  policies: ['ai-provenance'],
  digest: 'flagged',
  events: ['merge'],
  happenedAt: ({ mergedAt }) => mergedAt,
  isApplicable: (row) =>
    mayHaveAgents(row) || row.configuredServers.state !== 'complete' || row.configuredServers.value.length > 0,
  excludedBy: (row, setting) => [
    ...scopeExclusionOf(row, setting.branches),
    ...(!mayHaveAgents(row) && allowsEverything(setting.mcpServers) ? (['mcpServers'] as const) : []),
  ],
  evaluate: (row, setting) => {
    const contributions = contributionsOf(row);
    const rules = [
      { failures: [], missing: contributions.missing, passes: [] },
      agentRule(row, setting, contributions),
      modelRule(row, setting),
      serverRule(row, setting),
      configurationRule(row, setting),
      ...(mayHaveAgents(row) ? [reviewRule(row, setting, contributions), fileRule(row, setting, contributions)] : []),
    ];
    return decideVerdict({
      failures: rules.flatMap(({ failures }) => failures),
      missing: rules.flatMap(({ missing }) => missing),
      passes: [
        ...(isRestricted(setting) ? (['agent_policy_met'] as const) : []),
        ...rules.flatMap(({ passes = [] }) => passes),
        ...(mayHaveAgents(row) ? observationsOf(row) : []),
      ],
      waivers: waiversAt(row.waivers, row.mergedAt),
    });
  },
});

interface RuleResult {
  readonly failures: readonly Reason[];
  readonly missing: readonly Reason[];
  readonly passes?: readonly Reason[];
}
const nothing: RuleResult = { failures: [], missing: [] };

const allowsEverything = (patterns: readonly string[]): boolean => patterns.includes(everything);
const matchesAny = (name: string, patterns: readonly string[]): boolean =>
  patterns.some((pattern) => matchesPattern(pattern, name));

/** Whether a rule about the use of agents applies, beside review. */
const isRestricted = ({ agents, models, mcpServers, protectedPaths }: Setting): boolean =>
  protectedPaths.length > 0 || [agents, models, mcpServers].some((patterns) => !allowsEverything(patterns));

/** The agents that a declaration names or telemetry shows. */
const agentsOf = ({ agents }: AgentChangeRow): readonly ReconciledAgent[] =>
  knownItems(agents).filter(({ isDeclared, observed }) => isDeclared || observed === 'yes');
const isCertain = ({ isDeclared, sessions }: ReconciledAgent): boolean => isDeclared || sessions.some(isProof);

function agentRule(
  row: AgentChangeRow,
  setting: Setting,
  contributions: Pick<AgentContributions, 'isCertain'>,
): RuleResult {
  if (allowsEverything(setting.agents)) return nothing;
  const agents = agentsOf(row);
  const others = agents.filter(({ agent }) => !matchesAny(agent, setting.agents));
  const isNameless = others.some(({ agent }) => unnamed.includes(agent)) || !agents.some(isCertain);
  return {
    failures: others.some((one) => isCertain(one) && !unnamed.includes(one.agent)) ? ['agent_not_allowed'] : [],
    missing: contributions.isCertain && isNameless ? ['agent_name_unknown'] : [],
  };
}

/** Compares one list of names of each agent with the allowed ones. */
function nameRule(
  row: AgentChangeRow,
  patterns: readonly string[],
  namesOf: (agent: ReconciledAgent) => Fact<readonly string[]>,
  reasons: { readonly failure: Reason; readonly unknown: Reason },
): RuleResult {
  if (allowsEverything(patterns) || !mayHaveAgents(row)) return nothing;
  const agents = agentsOf(row);
  const hasOther = agents.some(
    (agent) => isCertain(agent) && knownItems(namesOf(agent)).some((name) => !matchesAny(name, patterns)),
  );
  const isUnknown = agents.length === 0 || agents.some((agent) => completeValue(namesOf(agent)) === undefined);
  return { failures: hasOther ? [reasons.failure] : [], missing: isUnknown ? [reasons.unknown] : [] };
}

const modelRule = (row: AgentChangeRow, setting: Setting): RuleResult =>
  nameRule(row, setting.models, ({ models }) => models, {
    failure: 'agent_model_not_allowed',
    unknown: 'agent_model_unknown',
  });

const serverRule = (row: AgentChangeRow, setting: Setting): RuleResult =>
  nameRule(row, setting.mcpServers, ({ mcpServers }) => mcpServers, {
    failure: 'mcp_server_not_allowed',
    unknown: 'mcp_servers_unknown',
  });

function configurationRule({ configuredServers }: AgentChangeRow, { mcpServers }: Setting): RuleResult {
  if (allowsEverything(mcpServers)) return nothing;
  const hasOther = knownItems(configuredServers).some((source) => !matchesAny(source, mcpServers));
  return {
    failures: hasOther ? ['mcp_server_not_allowed'] : [],
    missing: completeValue(configuredServers) === undefined ? ['configured_servers_unknown'] : [],
  };
}

function reviewRule(row: AgentChangeRow, setting: Setting, contributions: AgentContributions): RuleResult {
  if (setting.approvals === 0) return nothing;
  const lines = completeValue(row.changedLines);
  const isSmall = setting.unreviewedLines > 0 && lines !== undefined && lines <= setting.unreviewedLines;
  if (isSmall) return { ...nothing, passes: ['agent_change_within_limit'] };
  const { failures, missing } = assessApproval({ ...row, sessionOwners: allSessionOwners(row) }, setting.approvals);
  if (setting.unreviewedLines > 0 && lines === undefined) {
    const isApproved = failures.length === 0 && missing.length === 0;
    return isApproved
      ? { ...nothing, passes: ['independent_approval'] }
      : { ...nothing, missing: ['changed_lines_unknown'] };
  }
  return contributions.isCertain ? { failures, missing, passes: ['independent_approval'] } : nothing;
}

function fileRule(
  { pathMatches }: AgentChangeRow,
  { protectedPaths }: Setting,
  contributions: AgentContributions,
): RuleResult {
  if (protectedPaths.length === 0) return nothing;
  const matches = new Map(knownItems(pathMatches).map(({ pattern, isTouched }) => [pattern, isTouched]));
  const touches = protectedPaths.some((pattern) => matches.get(pattern) === true);
  const isUnknown = pathMatches.state !== 'complete' || protectedPaths.some((pattern) => !matches.has(pattern));
  return {
    failures: touches && contributions.isCertain ? ['agent_changed_protected_path'] : [],
    missing: isUnknown ? ['changed_files_unknown'] : [],
  };
}
