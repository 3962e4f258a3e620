import { z } from 'zod';
import { agentDisplayName } from '#core/agents.ts';
import { sha256 } from '#core/hmac.ts';
import {
  type AttributionClaim,
  isLineRange,
  isRepositoryPath,
  type ReadingStatistics,
  sanitizeText,
} from './attribution-claim.ts';

/** The file of Agent Trace records in a repository, one JSON object per line. */
export const agentTracePath = '.agent-trace/traces.jsonl';

const contributor = z.looseObject({
  type: z.enum(['human', 'ai', 'mixed', 'unknown']),
  model_id: z.string().max(250).nullish(),
});
const range = z.looseObject({
  start_line: z.number(),
  end_line: z.number(),
  contributor: contributor.nullish(),
});
const conversation = z.looseObject({
  url: z.string().nullish(),
  contributor: contributor.nullish(),
  ranges: z.array(range),
});
const record = z.looseObject({
  version: z.string().regex(/^\d+\.\d+/),
  id: z.string().min(1),
  timestamp: z.string().min(1),
  vcs: z.looseObject({ type: z.string(), revision: z.string() }).nullish(),
  tool: z.looseObject({ name: z.string().nullish() }).nullish(),
  files: z.array(z.looseObject({ path: z.string(), conversations: z.array(conversation) })),
});
type Record = z.output<typeof record>;

/**
 * Reads Agent Trace records (0.1) about commits, oldest first. A record names the commit of its lines. Tools that write
 * during an edit name the preceding commit, so that the position of these lines is inferred.
 */
export function readAgentTraces(
  text: string,
  commits: readonly { sha: string; parents: readonly string[] | null }[],
): { attributed: AttributionClaim[]; reading: ReadingStatistics } {
  const reading: ReadingStatistics = {
    source: 'agent-trace',
    records: 0,
    malformed: 0,
    unmatched: 0,
    dropped: 0,
    foreign: 0,
  };
  const own = new Set(commits.map(({ sha }) => sha));
  const after = new Map(commits.toReversed().flatMap(({ sha, parents }) => (parents?.[0] ? [[parents[0], sha]] : [])));
  const attributed: AttributionClaim[] = [];
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const read = record.safeParse(maybeJson(line)).data;
    if (!read) {
      reading.malformed += 1;
      continue;
    }
    reading.records += 1;
    const revision = read.vcs?.type === 'git' ? read.vcs.revision.toLowerCase() : undefined;
    if (revision === undefined) reading.unmatched += 1;
    else if (own.has(revision))
      addRecord(attributed, { reading, record: read, commit: revision, confidence: 'declared' });
    else {
      const commit = after.get(revision);
      if (commit !== undefined) addRecord(attributed, { reading, record: read, commit, confidence: 'inferred' });
    }
  }
  return { attributed, reading };
}

function addRecord(
  attributed: AttributionClaim[],
  {
    reading,
    record: { files, tool },
    commit,
    confidence,
  }: { reading: ReadingStatistics; record: Record; commit: string; confidence: AttributionClaim['confidence'] },
): void {
  const name = sanitizeText(tool?.name ?? '');
  const agent = name === '' ? 'an agent' : agentDisplayName(name);
  for (const { path, url, from, to, contributor } of rangesIn(files)) {
    if (!contributor || contributor.type === 'human' || contributor.type === 'unknown') continue;
    if (!isRepositoryPath(path) || !isLineRange({ from, to })) {
      reading.malformed += 1;
      continue;
    }
    attributed.push({
      commit,
      path,
      lines: [{ from, to }],
      agent,
      model: sanitizeText(contributor.model_id ?? '') || null,
      ...reportedSessionOf(url),
      session: url ? `c_${sha256(url).toString('hex').slice(0, 14)}` : null,
      owner: null,
      source: 'agent-trace',
      confidence,
    });
  }
}

/** The ID of the session: the last segment of the path. The URL itself may grant access. */
function reportedSessionOf(url: string | null | undefined): Pick<AttributionClaim, 'reportedSessions'> {
  const id =
    url && URL.canParse(url) ? new URL(url).pathname.split('/').findLast((segment) => segment !== '') : undefined;
  return id === undefined ? {} : { reportedSessions: [id] };
}

/** All line ranges of a record. A range without a contributor has that of its conversation. */
const rangesIn = (files: Record['files']) =>
  files.flatMap(({ path, conversations }) =>
    conversations.flatMap(({ url, contributor, ranges }) =>
      ranges.map(({ start_line: from, end_line: to, contributor: own }) => ({
        path,
        url,
        from,
        to,
        contributor: own ?? contributor,
      })),
    ),
  );

function maybeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
