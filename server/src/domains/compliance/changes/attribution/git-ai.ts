import { z } from 'zod';
import { agentDisplayName } from '#core/agents.ts';
import type { HostPerson } from '../../../../providers/host-facts.ts';
import {
  type AttributionClaim,
  isLineRange,
  isRepositoryPath,
  type LineRange,
  sanitizeText,
} from './attribution-claim.ts';

const agentId = z.looseObject({
  tool: z.string().min(1),
  id: z.string().max(500).nullish(),
  model: z.string().nullish(),
});
const session = z.looseObject({ agent_id: agentId, human_author: z.string().nullish() });
const metadata = z.looseObject({
  schema_version: z.string().startsWith('authorship/').optional(),
  prompts: z.record(z.string(), z.unknown()).default({}),
  sessions: z.record(z.string(), z.unknown()).default({}),
});

export interface ParsedNote {
  attributed: AttributionClaim[];
  /** Number of malformed lines and sessions. */
  malformed: number;
}

/**
 * Parses a git-ai note (authorship/3.0.0): for each file lines by session, then `---`, then the sessions as JSON. A
 * session without lines counts for the entire commit. Null if the text is no such note.
 */
export function parseGitAiNote(commit: string, note: string): ParsedNote | null {
  const text = note.replaceAll('\r\n', '\n');
  const at = text.startsWith('---\n') ? 0 : text.indexOf('\n---\n') + 1;
  const hasLines = at > 0 || text.startsWith('---\n');
  const known = sessionsIn(hasLines ? text.slice(at + 4) : text);
  if (!known) return null;
  const { attributed, malformed } = attributionsIn(hasLines ? text.slice(0, at) : '', known.sessions, commit);
  const named = new Set(attributed.map(({ session }) => session));
  for (const session of known.sessions.values())
    if (!named.has(session.session)) attributed.push({ ...session, commit, path: null, lines: [] });
  return { attributed, malformed: known.malformed + malformed };
}

/** The claims of a note by file and session, and the number of malformed lines. */
function attributionsIn(text: string, sessions: ReadonlyMap<string, NoteSession>, commit: string): ParsedNote {
  const attributed: AttributionClaim[] = [];
  let malformed = 0;
  let path: string | undefined;
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const entry = /^ {2}(\S+) (\S+)$/.exec(line);
    if (!entry) {
      path = pathIn(line);
      if (path === undefined) malformed += 1;
      continue;
    }
    const [, key = '', ranges = ''] = entry;
    // Lines typed by a human.
    if (key.startsWith('h_')) continue;
    const session = sessions.get(key.split('::')[0] ?? '');
    const lines = linesIn(ranges);
    if (session && lines && path !== undefined) attributed.push({ ...session, commit, path, lines });
    else malformed += 1;
  }
  return { attributed, malformed };
}

type NoteSession = Omit<AttributionClaim, 'commit' | 'path' | 'lines'>;

function sessionsIn(text: string): { sessions: Map<string, NoteSession>; malformed: number } | null {
  const read = metadata.safeParse(maybeJson(text)).data;
  if (!read) return null;
  const sessions = new Map<string, NoteSession>();
  let malformed = 0;
  for (const [key, value] of [...Object.entries(read.prompts), ...Object.entries(read.sessions)]) {
    const found = session.safeParse(value).data;
    if (!found || !/^\w{1,40}$/.test(key)) {
      malformed += 1;
      continue;
    }
    sessions.set(key, {
      agent: agentDisplayName(sanitizeText(found.agent_id.tool)),
      model: sanitizeText(found.agent_id.model ?? '') || null,
      session: key,
      ...(found.agent_id.id ? { reportedSessions: [found.agent_id.id] } : {}),
      owner: maybePerson(found.human_author ?? ''),
      source: 'git-ai',
      confidence: 'declared',
    });
  }
  return { sessions, malformed };
}

function maybeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function pathIn(line: string): string | undefined {
  if (/^\s/.test(line)) return undefined;
  const path = /^"(.*)"$/.exec(line)?.[1] ?? line;
  return isRepositoryPath(path) ? path : undefined;
}

/** `1-4,9,12-14`. */
function linesIn(text: string): LineRange[] | undefined {
  const lines = text.split(',').map((part) => {
    const [, from = '', to = from] = /^(\d{1,8})(?:-(\d{1,8}))?$/.exec(part) ?? [];
    return { from: Number(from), to: Number(to) };
  });
  return lines.every(isLineRange) ? lines : undefined;
}

/** `Name <address>`, or an address alone. */
function maybePerson(text: string): HostPerson | null {
  const [, name = '', email = ''] = /^([^<]*)<([^<>\s]+@[^<>\s]+)>$/.exec(sanitizeText(text)) ?? [];
  const address = email || (/^[^\s<>@]+@[^\s<>@]+$/.exec(sanitizeText(text))?.[0] ?? '');
  return address === '' ? null : { name: name.trim(), email: address.toLowerCase(), login: null, avatarUrl: null };
}
