import { assessApproval } from './approval.ts';
import type { AgentChangeRow, JoinedSession, ReconciledAgent } from './change-rows.ts';
import { control } from './control.ts';
import { completeValue, type Fact, knownItems, type Truth } from './facts.ts';
import type { Actor } from './persons.ts';
import type { Reason } from './reasons.ts';
import { branches, scopeExclusionOf } from './scope.ts';
import { decideVerdict } from './verdicts.ts';
import { waiversAt } from './waivers.ts';

/**
 * A certain agent contribution without any independent approval by a human is a failure, even if other attributions are
 * missing. Inferred, undeclared or missing attributions yield at most missing evidence. Missing telemetry is stated, and
 * does not change the verdict.
 */
export const ai01 = control<AgentChangeRow>()({
  id: 'AI-01',
  title: 'Agent changes declared and reviewed by humans',
  rule: 'Every change with agent contributions declares them, and is approved by a human who does not own the agent session.',
  population:
    'Every change to a branch in scope in the period with declared or observed agent contributions, and every change in a repository without a source of agent attribution.',
  verdicts: {
    pass: 'The agent contribution is declared, and the change has an independent approval as defined by CHG-01. Owners of agent sessions cannot give it. The reasons state whether telemetry shows the agent too, does not, or is not connected.',
    fail: 'The agent contribution is declared, or proven by a session ID or commit in telemetry, and the change has no independent approval.',
    missing_evidence:
      'The agent contribution is only inferred, or observed but not declared, the repository has no source of agent attribution, or evidence that CHG-01 requires is missing.',
  },
  parameters: { branches },
  sources: ['attribution', 'pull_requests', 'identities', 'members'],
  policies: ['ai-provenance'],
  digest: 'flagged',
  events: ['merge'],
  happenedAt: ({ mergedAt }) => mergedAt,
  isApplicable: mayHaveAgents,
  excludedBy: (row, setting) => scopeExclusionOf(row, setting.branches),
  evaluate: (row) => {
    const attributed = knownItems(row.attributions).filter(({ lines }) => lines > 0);
    const isDeclared = attributed.some(({ confidence }) => confidence !== 'inferred');
    const isKnown = completeValue(row.attributions) !== undefined;
    const undeclared = undeclaredAgents(row);
    const isCertain = isDeclared || undeclared.some(({ sessions }) => sessions.some(isProof));
    const { failures, missing } = assessApproval({ ...row, sessionOwners: allSessionOwners(row) }, 1);
    return decideVerdict({
      failures: isCertain ? failures : [],
      missing: [
        ...(isKnown ? [] : (['attribution_missing'] as const)),
        ...(isKnown && attributed.length > 0 && !isDeclared ? (['agent_only_inferred'] as const) : []),
        ...(isKnown && undeclared.length > 0 ? (['agent_not_declared'] as const) : []),
        ...(isCertain ? missing : []),
      ],
      passes: ['independent_approval', ...observationsOf(row)],
      waivers: waiversAt(row.waivers, row.mergedAt),
    });
  },
});

function mayHaveAgents(row: AgentChangeRow): boolean {
  const { attributions } = row;
  return (
    attributions.state !== 'complete' ||
    attributions.value.some(({ lines }) => lines > 0) ||
    undeclaredAgents(row).length > 0
  );
}

/** Agents that telemetry shows and nothing declares. */
const undeclaredAgents = ({ agents }: AgentChangeRow): readonly ReconciledAgent[] =>
  knownItems(agents).filter(({ isDeclared, observed }) => !isDeclared && observed === 'yes');

/** Whether a session certainly contributed: the change names its ID, or the session a commit of the change. */
const isProof = ({ confidence }: JoinedSession): boolean => confidence === 'high';

/** The declared owners, and those of sessions that certainly contributed. */
function allSessionOwners({ sessionOwners, agents }: AgentChangeRow): Fact<readonly Actor[]> {
  const owners = knownItems(agents).flatMap(({ isDeclared, sessions }) =>
    sessions.filter(isProof).flatMap(({ owner }): Actor[] => {
      if (owner !== null) return [owner];
      // The declaration names the owner, or its author.
      return isDeclared ? [] : [{ kind: 'unknown', identity: 'unresolved' }];
    }),
  );
  if (owners.length === 0) return sessionOwners;
  return sessionOwners.state === 'missing'
    ? { state: 'partial', value: owners }
    : { state: sessionOwners.state, value: [...sessionOwners.value, ...owners] };
}

const observations = {
  yes: 'agent_observed',
  no: 'agent_not_observed',
  unknown: 'agent_observation_missing',
} as const satisfies Record<Truth, Reason>;

/** Whether telemetry shows each declared agent. */
function observationsOf({ agents }: AgentChangeRow): readonly Reason[] {
  const declared = knownItems(agents).filter(({ isDeclared }) => isDeclared);
  return declared.length === 0 ? ['agent_observation_missing'] : declared.map(({ observed }) => observations[observed]);
}
