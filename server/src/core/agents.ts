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
