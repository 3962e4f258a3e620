/**
 * The program that wrote a commit or helped with it, as the commit itself says: its author is a bot's account, or a
 * trailer names one. Null where it says nothing, which does not mean that there was none.
 */
export function agentOf(login: string | null, message: string): string | null {
  if (login?.endsWith('[bot]')) return login.slice(0, -'[bot]'.length);
  for (const [, key = '', value = ''] of message.matchAll(trailer)) {
    const name = /^[^<]*/.exec(value)?.[0].trim() ?? '';
    const known = maybeKnown(value);
    if (known !== undefined) return known;
    // These say of whatever they name that it is a program.
    if (/^(generated|assisted)-/i.test(key) && name !== '') return name.slice(0, longest);
  }
  return null;
}

/** What a program goes by here that calls itself so, such as Claude for `claude-code`. */
export const agentCalled = (name: string): string => maybeKnown(name) ?? name.trim().slice(0, longest);

/** What an agent is found by: its name, and the tool that it is in our catalog. Lower case. */
export function namesOfAgent(agent: string): string[] {
  const tools = agents.flatMap(([, name, tool]) => (name === agent && tool !== undefined ? [tool] : []));
  return [...new Set([agent.toLowerCase(), ...tools])];
}

const maybeKnown = (text: string): string | undefined => agents.find(([pattern]) => pattern.test(text))?.[1];

const longest = 60;
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
