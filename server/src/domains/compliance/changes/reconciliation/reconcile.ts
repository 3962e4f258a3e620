import type { ReconciliationStatus } from '@sightline/contract/compliance/agent-reconciliation.ts';
import type { JoinedSession, ReconciledAgent, SessionJoin } from '@sightline/evidence/controls/change-rows.ts';
import type { Fact } from '@sightline/evidence/controls/facts.ts';
import { agentDisplayName } from '#core/agents.ts';
import type { TelemetrySession } from '../../../tools/agent-sessions/queries.ts';
import type { ChangeWork, DeclaredAgent } from './work.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Work on a change begins before its first commit. */
export const WORK_BEFORE_MS = DAY_MS;
/** Telemetry within this time before the work or after the merge shows that it is connected. */
export const CONNECTED_MS = 30 * DAY_MS;
// An author with many sessions at the time of a change has the latest as hints.
const MAX_LOW = 20;

/** A session that is joined to a change. */
export interface SessionOfChange {
  session: TelemetrySession;
  agent: string;
  joins: readonly SessionJoin[];
  confidence: JoinedSession['confidence'];
}

/** One agent of a change, or with an empty name the change without agents. */
export interface AgentStatus {
  agent: string;
  status: ReconciliationStatus;
  missing: 'telemetry' | 'declarations' | null;
}

export interface Reconciliation {
  sessions: readonly SessionOfChange[];
  statuses: readonly AgentStatus[];
  /** As the change record contains it. */
  fact: Fact<readonly ReconciledAgent[]>;
}

/** The agents whose telemetry arrives for each person within the time of a change. */
export type ConnectedAgents = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Joins sessions to a change and compares them with its declarations. Only a session that is joined by more than time
 * counts as observed. Without connected telemetry the observation is unknown.
 */
export function reconcile(
  work: ChangeWork,
  {
    sessions,
    connected,
    files,
    isAuthor,
  }: {
    sessions: readonly TelemetrySession[];
    connected: ConnectedAgents;
    /** Keys of the files of the change. */
    files: ReadonlySet<string>;
    isAuthor: (person: string) => boolean;
  },
): Reconciliation {
  const joined = limitLow(sessions.flatMap((session) => joinSession(work, session, { files, isAuthor }) ?? []));
  const names = [...new Set([...work.declared.map(({ agent }) => agent), ...joined.map(({ agent }) => agent)])].sort();
  const agents = names.flatMap((agent): ReconciledAgent[] => {
    const isDeclared = work.declared.some((one) => one.agent === agent);
    const ofAgent = joined.filter((one) => one.agent === agent);
    const isObserved = ofAgent.some(({ confidence }) => confidence !== 'low');
    // Sessions at the same time say nothing about a change that declares no agent.
    if (!isDeclared && !isObserved) return [];
    const isConnected = work.authors.some((author) => isConnectedTo(connected.get(author), agent));
    return [
      {
        agent,
        isDeclared,
        observed: isObserved ? 'yes' : isConnected ? 'no' : 'unknown',
        ...usedBy(
          work.declared.find((one) => one.agent === agent),
          ofAgent.filter(({ confidence }) => confidence !== 'low').map(({ session }) => session),
        ),
        sessions: ofAgent.map(asJoined).toSorted((one, other) => (one.session < other.session ? -1 : 1)),
      },
    ];
  });
  const connectedAuthors = work.authors.filter((author) => connected.has(author));
  const isWhole =
    work.areAuthorsKnown &&
    work.authors.length > 0 &&
    connectedAuthors.length === work.authors.length &&
    agents.every(({ observed }) => observed !== 'unknown');
  const isKnown = agents.length > 0 || connectedAuthors.length > 0;
  return {
    sessions: joined,
    statuses: statusesOf(agents, { isWhole, areDeclarationsKnown: work.areDeclarationsKnown }),
    fact: isWhole
      ? { state: 'complete', value: agents }
      : isKnown
        ? { state: 'partial', value: agents }
        : { state: 'missing' },
  };
}

/** The models and MCP servers of an agent. Only a session tells which MCP servers were called. */
function usedBy(
  declared: DeclaredAgent | undefined,
  sessions: readonly TelemetrySession[],
): Pick<ReconciledAgent, 'models' | 'mcpServers'> {
  const models = [...(declared?.models ?? []), ...sessions.flatMap((session) => session.models)];
  const areObserved = sessions.length > 0 && sessions.every((session) => session.models.length > 0);
  return {
    models: namesFact(models, areObserved || declared?.areModelsKnown === true),
    mcpServers: namesFact(
      sessions.flatMap(({ mcpServers }) => mcpServers),
      sessions.length > 0 && sessions.every(({ areMcpServersKnown }) => areMcpServersKnown),
    ),
  };
}

function namesFact(names: readonly string[], isWhole: boolean): Fact<readonly string[]> {
  const value = [...new Set(names)].toSorted();
  if (isWhole) return { state: 'complete', value };
  return value.length > 0 ? { state: 'partial', value } : { state: 'missing' };
}

function statusesOf(
  agents: readonly ReconciledAgent[],
  { isWhole, areDeclarationsKnown }: { isWhole: boolean; areDeclarationsKnown: boolean },
): AgentStatus[] {
  if (agents.length === 0) {
    if (!areDeclarationsKnown) return [{ agent: '', status: 'missing_evidence', missing: 'declarations' }];
    if (!isWhole) return [{ agent: '', status: 'missing_evidence', missing: 'telemetry' }];
    return [{ agent: '', status: 'neither', missing: null }];
  }
  return agents.map(({ agent, isDeclared, observed }): AgentStatus => {
    if (isDeclared) {
      if (observed === 'unknown') return { agent, status: 'missing_evidence', missing: 'telemetry' };
      return { agent, status: observed === 'yes' ? 'declared_and_observed' : 'declared_only', missing: null };
    }
    return areDeclarationsKnown
      ? { agent, status: 'observed_only', missing: null }
      : { agent, status: 'missing_evidence', missing: 'declarations' };
  });
}

/** A declaration that names no known agent can be any of them. */
const isConnectedTo = (agents: ReadonlySet<string> | undefined, agent: string): boolean =>
  agents !== undefined && (agents.has(agent) || (unnamed.has(agent) && agents.size > 0));
const unnamed: ReadonlySet<string> = new Set(['an agent', 'a bot']);

/** Joins one session to a change; undefined if nothing does. */
function joinSession(
  work: ChangeWork,
  session: TelemetrySession,
  { files, isAuthor }: { files: ReadonlySet<string>; isAuthor: (person: string) => boolean },
): SessionOfChange | undefined {
  const { person } = session;
  const isByAuthor = person !== null && isAuthor(person);
  const isByOther = person !== null && !isByAuthor;
  const declaring = work.declared.find(({ keys }) => keys.includes(session.key));
  const place = placeOf(work, session);
  const isAtWork =
    session.firstAt <= work.mergedAt && session.lastAt.getTime() >= work.startedAt.getTime() - WORK_BEFORE_MS;
  const hasFile = isByAuthor && isAtWork && place !== 'elsewhere' && session.files.some((file) => files.has(file));
  const found: Record<Exclude<SessionJoin, 'time'>, boolean> = {
    session_id: declaring !== undefined,
    commit: place !== 'elsewhere' && hasCommitOf(work, session),
    branch: place === 'branch' && isAtWork,
    file: hasFile,
  };
  const joins = joinOrder.filter((join) => found[join]);
  const agent = declaring?.agent ?? agentOf(work, session);
  if (joins.length === 0) {
    const isHint = isByAuthor && isAtWork && (place === 'branch' || place === 'unknown');
    return isHint ? { session, agent, joins: ['time'], confidence: 'low' } : undefined;
  }
  const isProof = found.commit || (found.session_id && !isByOther);
  // The branch joins a session of another person, such as one that reviewed it, as a hint only.
  const isHint = isByOther && joins.every((join) => join === 'branch');
  return { session, agent, joins, confidence: isProof ? 'high' : isHint ? 'low' : 'medium' };
}

const joinOrder = ['session_id', 'commit', 'branch', 'file'] as const;

/** Where a session worked, as far as its telemetry tells. `unknown`: perhaps on the branch of the change. */
function placeOf(
  { repositoryId, branches }: ChangeWork,
  { repository, branch }: TelemetrySession,
): 'branch' | 'other branch' | 'unknown' | 'elsewhere' {
  if (repository === null) return 'unknown';
  if (repository !== repositoryId) return 'elsewhere';
  if (branch === null) return 'unknown';
  return branches.includes(branch) ? 'branch' : 'other branch';
}

/** Telemetry may shorten the SHA of a commit. */
const hasCommitOf = ({ commits }: ChangeWork, session: TelemetrySession): boolean =>
  session.commits.some((sha) => commits.some((commit) => commit.startsWith(sha)));

/** The agent of a session under the name that the change declares. */
function agentOf({ declared }: ChangeWork, session: TelemetrySession): string {
  const name = agentDisplayName(session.agentName);
  if (declared.some(({ agent }) => agent === name)) return name;
  return declared.find(({ agent }) => unnamed.has(agent))?.agent ?? name;
}

function limitLow(joined: readonly SessionOfChange[]): SessionOfChange[] {
  const low = joined
    .filter(({ confidence }) => confidence === 'low')
    .toSorted((one, other) => other.session.lastAt.getTime() - one.session.lastAt.getTime());
  return [...joined.filter(({ confidence }) => confidence !== 'low'), ...low.slice(0, MAX_LOW)];
}

const asJoined = ({ session, joins, confidence }: SessionOfChange): JoinedSession => ({
  session: session.id,
  owner: session.person === null ? null : { kind: 'human', identity: 'resolved', person: session.person },
  joins,
  confidence,
});
