/**
 * Returns the agent that a commit declares: its author is a bot account, or a trailer names an agent. Null means that
 * the commit declares none, not that no agent contributed.
 */
export function declaredAgentOf(login: string | null, message: string): string | null {
  if (login?.endsWith('[bot]')) return login.slice(0, -'[bot]'.length);
  for (const [, key = '', value = ''] of message.matchAll(trailer)) {
    const name = /^[^<]*/.exec(value)?.[0].trim() ?? '';
    const known = maybeKnown(value);
    if (known !== undefined) return known;
    // These trailers name a program whatever their value is.
    if (/^(generated|assisted)-/i.test(key) && name !== '') return name.slice(0, maxNameLength);
  }
  return null;
}

/** The same of a commit with its account, which the code host may call a program whatever its name is. */
export const agentOfCommit = ({
  author,
  message,
}: {
  author: { name: string; login: string | null; isAgent?: boolean };
  message: string;
}): string | null =>
  declaredAgentOf(author.login, message) ?? (author.isAgent ? agentDisplayName(author.name || 'a bot') : null);

/** A reference of a commit message to a session of an agent. */
export interface SessionReference {
  /** Null: the reference names no known agent. */
  agent: string | null;
  /** The ID of the session; of a link, the last segment of its path. */
  id: string;
  /** Whether it is a URL. Such a URL may grant access, so it is flagged and never requested. */
  isLink: boolean;
}

/** The references of a commit message to sessions: trailers such as `Claude-Session`, and links to sessions of known agents. */
export function sessionReferencesIn(message: string): SessionReference[] {
  const found = new Map<string, SessionReference>();
  const add = (agent: string | null, text: string, isTrailer: boolean) => {
    const isLink = /^https?:/i.test(text);
    const id = isLink ? lastSegmentOf(text) : text;
    if (id === undefined || found.size === MAX_REFERENCES || (!isTrailer && agent === null)) return;
    found.set(text, { agent, id, isLink });
  };
  for (const [, key = '', value = ''] of message.matchAll(sessionTrailer)) {
    add(maybeKnown(key.replaceAll('-', ' ')) ?? agentOfLink(value), value, true);
  }
  for (const [link] of message.matchAll(/https?:\/\/[^\s<>()"'\]]+/gi)) add(agentOfLink(link), link, false);
  return [...found.values()];
}

const MAX_REFERENCES = 20;
const sessionTrailer = /^([\w-]*session(?:-id)?):[ \t]*([\x21-\x7e]{8,500})[ \t]*$/gim;

/** Addresses at which agents show sessions: host, the start of the path, and the agent. */
const sessionPages: readonly (readonly [host: string, path: string, agent: string])[] = [
  ['claude.ai', '/code/', 'Claude'],
  ['claude.ai', '/share/', 'Claude'],
  ['chatgpt.com', '/codex/', 'Codex'],
  ['chatgpt.com', '/s/', 'Codex'],
  ['cursor.com', '/agents', 'Cursor'],
  ['cursor.com', '/background-agent', 'Cursor'],
  ['app.devin.ai', '/sessions/', 'Devin'],
  ['ampcode.com', '/threads/', 'Amp'],
  ['jules.google.com', '/', 'Jules'],
];

function agentOfLink(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { hostname, pathname } = new URL(text);
  const host = hostname.replace(/^www\./, '');
  return sessionPages.find(([name, path]) => name === host && pathname.startsWith(path))?.[2] ?? null;
}

function lastSegmentOf(link: string): string | undefined {
  if (!URL.canParse(link)) return undefined;
  const { pathname, searchParams } = new URL(link);
  return searchParams.get('id') ?? pathname.split('/').findLast((segment) => segment !== '');
}

/** The display name of an agent by its own name, such as Claude for `claude-code`. */
export const agentDisplayName = (name: string): string => maybeKnown(name) ?? name.trim().slice(0, maxNameLength);

/** The lower-case names that match an agent in queries: its display name and its ID in the tool catalog. */
export function agentQueryNames(agent: string): string[] {
  const tools = agents.flatMap(([, name, tool]) => (name === agent && tool !== undefined ? [tool] : []));
  return [...new Set([agent.toLowerCase(), ...tools])];
}

/** The name of an agent in queries, by that name or by the ID of its tool: `claude` for `claude-code`. */
export const agentIdOf = (queryName: string): string =>
  agents.find(([, , tool]) => tool === queryName)?.[1].toLowerCase() ?? queryName;

const maybeKnown = (text: string): string | undefined => agents.find(([pattern]) => pattern.test(text))?.[1];

const maxNameLength = 60;
const trailer = /^(co-authored-by|generated-by|generated-with|assisted-by):[ \t]*(\S.*)$/gim;

const agents: readonly (readonly [pattern: RegExp, name: string, tool?: string])[] = [
  [/\bclaude\b|@anthropic\.com/i, 'Claude', 'claude-code'],
  [/\bcopilot\b/i, 'Copilot', 'github-copilot'],
  [/\bcursor(agent)?\b/i, 'Cursor'],
  [/\bcodex\b|@openai\.com/i, 'Codex', 'openai-codex'],
  [/\bdevin( |-)ai\b|devin-ai-integration/i, 'Devin'],
  [/\bgemini\b/i, 'Gemini'],
  [/\bwindsurf\b|\bcodeium\b/i, 'Windsurf'],
  [/\baider\b/i, 'Aider'],
  [/\bopenhands\b/i, 'OpenHands'],
  [/\bamazon q\b/i, 'Amazon Q', 'amazon-q'],
  [/\bgoogle-labs-jules\b|\bjules\b.*google/i, 'Jules'],
  [/\[bot\]/, 'a bot'],
];
