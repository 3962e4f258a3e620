import type { AgentChangeRow } from '@sightline/evidence/controls/change-rows.ts';
import { agentOfCommit, sessionReferencesIn } from '#core/agents.ts';
import { type CodeHost, HostRefused } from '#providers/code-host.ts';
import type { HostCommit, HostRef } from '../../../../providers/host-facts.ts';
import { answerOf, type HostAnswer, requestFromHost } from '../host-answer.ts';
import { addedLinesOf, type CommitDifferences, intersect, readDifferences } from './added-lines.ts';
import { agentTracePath, readAgentTraces } from './agent-trace.ts';
import { ATTRIBUTION_LIMITS, type AttributionClaim, countLines, type ReadingStatistics } from './attribution-claim.ts';
import { parseGitAiNote } from './git-ai.ts';
import { carryClaims, readPreviousCommits } from './rewritten.ts';

/** Attribution sources of a host besides the commits. Null marks content above the size limit. */
export interface AttributionSources {
  /** Notes on commits and previous commits, by commit. */
  notes: HostAnswer<ReadonlyMap<string, string | null>>;
  /** The trace file; empty if there is none. */
  traces: HostAnswer<string | null>;
  /** Commits that were rewritten to those of the change. */
  previous: readonly HostCommit[];
  /** What the commits change that notes or traces can be about, as far as the host returns it. */
  differences: CommitDifferences;
}

interface CommitsOfChange {
  commits: readonly HostCommit[];
  /** The last commit; null or empty if unknown. */
  head: string | null;
  /** Commits that the branch pointed to before, newest first. */
  previousHeads: readonly string[];
}

/** Fetches the notes and traces of commits from a host. Throws HostLimited. */
export async function fetchAttributionSources(
  host: CodeHost | undefined,
  ref: HostRef,
  { commits, head, previousHeads }: CommitsOfChange,
): Promise<AttributionSources> {
  const notesOf = host?.evidence?.notesOf;
  const isRead = host !== undefined && head !== null && head !== '';
  const previous = isRead ? await readPreviousCommits(host, ref, { commits, head, previousHeads }) : [];
  const shas = [...commits, ...previous].map(({ sha }) => sha);
  const [notes, traces] = await Promise.all([
    requestFromHost(notesOf && (() => notesOf(ref, shas))),
    requestFromHost(isRead ? () => tracesAt(host, ref, head) : undefined),
  ]);
  // A note can be copied to another commit, and a trace can name lines that were never committed.
  const noted = answerOf(notes) ?? new Map<string, string | null>();
  const traced = answerOf(traces) ?? '';
  const isNamed = ({ sha }: HostCommit) => noted.has(sha) || traced.includes(sha);
  const isCarried = previous.some(isNamed);
  const compared = commits.filter((commit) => traced !== '' || isCarried || noted.has(commit.sha));
  const differences = await readDifferences(host, ref, [...previous.filter(isNamed), ...compared]);
  return { notes, traces, previous, differences };
}

async function tracesAt(host: CodeHost, ref: HostRef, commit: string): Promise<string | null> {
  try {
    const file = await host.readFile(ref, commit, agentTracePath);
    return file.byteLength > ATTRIBUTION_LIMITS.traces ? null : file.toString('utf8');
  } catch (error) {
    if (!(error instanceof HostRefused)) throw error;
    if (error.status === 404) return '';
    if (error.status === 413) return null;
    throw error;
  }
}

/** All claims about commits, with reading statistics. */
export interface AttributionReadings {
  attributed: readonly AttributionClaim[];
  readings: readonly ReadingStatistics[];
}

export function readAttributions(
  commits: readonly HostCommit[],
  { notes, traces, previous, differences }: AttributionSources,
): AttributionReadings {
  const all = [...commits, ...previous];
  const text = answerOf(traces);
  const fromNotes = readNotes(all, answerOf(notes) ?? new Map());
  const fromTraces = readAgentTraces(text ?? '', all);
  if (text === null) fromTraces.reading.dropped += 1;
  const read = [fromNotes, fromTraces].map((source) =>
    carryOver(commits, withinCommits(source, differences), differences),
  );
  const readings = read.map(({ attributed, reading }) => {
    const ranges = attributed.reduce((sum, { lines }) => sum + Math.max(1, lines.length), 0);
    return { ...reading, dropped: reading.dropped + Math.max(0, ranges - ATTRIBUTION_LIMITS.stretches) };
  });
  return {
    attributed: [...declaredBy(commits), ...read.flatMap(({ attributed }) => limitRanges(attributed))],
    readings: readings.filter(({ records, malformed, dropped }) => records + malformed + dropped > 0),
  };
}

/** Replaces claims about previous commits by claims about the commits that were made from them. */
function carryOver(
  commits: readonly HostCommit[],
  { reading, attributed }: ReadSource,
  differences: CommitDifferences,
): ReadSource {
  const shas = new Set(commits.map(({ sha }) => sha));
  const own = attributed.filter(({ commit }) => shas.has(commit));
  const claimed = new Set(own.map(({ commit }) => commit));
  const unclaimed = commits.filter(({ sha }) => !claimed.has(sha));
  const others = attributed.filter(({ commit }) => !shas.has(commit));
  const { carried, dropped } = carryClaims(unclaimed, others, differences);
  return { reading: { ...reading, dropped: reading.dropped + dropped }, attributed: [...own, ...carried] };
}

interface ReadSource {
  reading: ReadingStatistics;
  attributed: readonly AttributionClaim[];
}

/** Removes lines that the commit does not add, and counts them. A claim without remaining lines attributes nothing. */
function withinCommits({ reading, attributed }: ReadSource, differences: CommitDifferences): ReadSource {
  const added = new Map([...differences].map(([sha, files]) => [sha, addedLinesOf(files)]));
  let foreign = 0;
  const own = attributed.flatMap((claim): AttributionClaim[] => {
    const files = added.get(claim.commit);
    if (!files || claim.path === null || claim.lines.length === 0) return [claim];
    const ofFile = files.has(claim.path) ? files.get(claim.path) : [];
    if (!ofFile) return [claim];
    const lines = intersect(claim.lines, ofFile);
    foreign += countLines(claim.lines) - countLines(lines);
    return lines.length === 0 ? [] : [{ ...claim, lines }];
  });
  return { reading: { ...reading, foreign }, attributed: own };
}

/** Truncates claims to the limit of line ranges. */
function limitRanges(attributed: readonly AttributionClaim[]): AttributionClaim[] {
  let left: number = ATTRIBUTION_LIMITS.stretches;
  return attributed.flatMap((one) => {
    if (left <= 0) return [];
    const lines = one.lines.slice(0, left);
    left -= Math.max(1, lines.length);
    return [{ ...one, lines }];
  });
}

function readNotes(commits: readonly HostCommit[], notes: ReadonlyMap<string, string | null>) {
  const reading: ReadingStatistics = {
    source: 'git-ai',
    records: 0,
    malformed: 0,
    unmatched: 0,
    dropped: 0,
    foreign: 0,
  };
  const attributed: AttributionClaim[] = [];
  for (const { sha } of commits) {
    const note = notes.get(sha);
    if (note === undefined) continue;
    const read = note === null || note.length > ATTRIBUTION_LIMITS.note ? undefined : parseGitAiNote(sha, note);
    if (read === undefined) reading.dropped += 1;
    else if (read === null) reading.malformed += 1;
    else {
      reading.records += 1;
      reading.malformed += read.malformed;
      attributed.push(...read.attributed);
    }
  }
  return { reading, attributed };
}

/** Claims in the commits: by author account, trailer, or reference to a session. */
const declaredBy = (commits: readonly HostCommit[]): AttributionClaim[] =>
  commits.flatMap(({ sha, author, message }) => {
    const references = sessionReferencesIn(message);
    const agent = agentOfCommit({ author, message }) ?? references.find((one) => one.agent !== null)?.agent ?? null;
    if (agent === null) return [];
    const source = author.isAgent || author.login?.endsWith('[bot]') ? 'host' : 'trailer';
    const claim = { commit: sha, path: null, lines: [], model: null, session: null, owner: null } as const;
    const reportedSessions = references.map(({ id }) => id);
    return [
      { ...claim, agent, source, confidence: 'declared', ...(reportedSessions.length > 0 && { reportedSessions }) },
    ];
  });

type Share = Extract<AgentChangeRow['attributions'], { value: unknown }>['value'][number];

/**
 * Counts the lines of each commit that agents wrote, by its most certain and most detailed source. A claim about an
 * entire commit counts the added lines, or 1 if unknown.
 */
export const agentSharesOf = (commits: readonly HostCommit[], { attributed }: AttributionReadings): Share[] =>
  commits.flatMap(({ sha, changes }) => {
    const claims = attributed.filter(({ commit }) => commit === sha);
    const confidence = claims.some((one) => one.confidence === 'declared') ? 'declared' : 'inferred';
    const sure = claims.filter((one) => one.confidence === confidence);
    const source = (['git-ai', 'agent-trace', 'trailer', 'host'] as const).find((name) =>
      sure.some((one) => one.source === name),
    );
    if (source === undefined) return [];
    const byPath = Map.groupBy(
      sure.filter((one) => one.source === source && one.path !== null),
      ({ path }) => path,
    );
    const lineCount = [...byPath.values()].reduce((sum, of) => sum + countLines(of.flatMap(({ lines }) => lines)), 0);
    return [{ lines: byPath.size > 0 ? lineCount : Math.max(1, changes?.additions ?? 1), confidence }];
  });
