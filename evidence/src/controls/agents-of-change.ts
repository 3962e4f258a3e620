import type { AgentChangeRow, JoinedSession, ReconciledAgent } from './change-rows.ts';
import { completeValue, type Fact, knownItems, type Truth } from './facts.ts';
import type { Actor } from './persons.ts';
import type { Reason } from './reasons.ts';

/** What is known of agent contributions to a change. */
export interface AgentContributions {
  /** Whether every source of declarations was read. */
  readonly isKnown: boolean;
  /** Whether a declaration, or a session ID or commit in telemetry, proves that an agent contributed. */
  readonly isCertain: boolean;
  /** What keeps the contributions from being certain. */
  readonly missing: readonly Reason[];
}

export function contributionsOf(row: AgentChangeRow): AgentContributions {
  const attributed = knownItems(row.attributions).filter(({ lines }) => lines > 0);
  const isDeclared = attributed.some(({ confidence }) => confidence !== 'inferred');
  const isKnown = completeValue(row.attributions) !== undefined;
  const undeclared = undeclaredAgents(row);
  return {
    isKnown,
    isCertain: isDeclared || undeclared.some(({ sessions }) => sessions.some(isProof)),
    missing: [
      ...(isKnown ? [] : (['attribution_missing'] as const)),
      ...(isKnown && attributed.length > 0 && !isDeclared ? (['agent_only_inferred'] as const) : []),
      ...(isKnown && undeclared.length > 0 ? (['agent_not_declared'] as const) : []),
    ],
  };
}

/** Whether agents may have contributed: unknown facts exclude no change. */
export function mayHaveAgents(row: AgentChangeRow): boolean {
  const { attributions } = row;
  return (
    attributions.state !== 'complete' ||
    attributions.value.some(({ lines }) => lines > 0) ||
    undeclaredAgents(row).length > 0
  );
}

/** Agents that telemetry shows and nothing declares. */
export const undeclaredAgents = ({ agents }: AgentChangeRow): readonly ReconciledAgent[] =>
  knownItems(agents).filter(({ isDeclared, observed }) => !isDeclared && observed === 'yes');

/** Whether a session certainly contributed: the change names its ID, or the session a commit of the change. */
export const isProof = ({ confidence }: JoinedSession): boolean => confidence === 'high';

/** The declared owners, and those of sessions that certainly contributed. */
export function allSessionOwners({ sessionOwners, agents }: AgentChangeRow): Fact<readonly Actor[]> {
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
export function observationsOf({ agents }: AgentChangeRow): readonly Reason[] {
  const declared = knownItems(agents).filter(({ isDeclared }) => isDeclared);
  return declared.length === 0 ? ['agent_observation_missing'] : declared.map(({ observed }) => observations[observed]);
}
