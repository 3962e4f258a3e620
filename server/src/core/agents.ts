/**
 * The program that wrote a commit or helped with it, as the commit itself says: its author is a bot's account, or a
 * trailer names one. Null where it says nothing, which does not mean that there was none.
 */
export function agentOf(login: string | null, message: string): string | null {
  if (login?.endsWith('[bot]')) return login.slice(0, -'[bot]'.length);
  for (const [, key = '', value = ''] of message.matchAll(trailer)) {
    const name = /^[^<]*/.exec(value)?.[0].trim() ?? '';
    const known = agents.find(([pattern]) => pattern.test(value))?.[1];
    if (known !== undefined) return known;
    // These say of whatever they name that it is a program.
    if (/^(generated|assisted)-/i.test(key) && name !== '') return name.slice(0, 60);
  }
  return null;
}

const trailer = /^(co-authored-by|generated-by|generated-with|assisted-by):[ \t]*(\S.*)$/gim;

const agents: readonly (readonly [RegExp, string])[] = [
  [/\bclaude\b|@anthropic\.com/i, 'Claude'],
  [/\bcopilot\b/i, 'Copilot'],
  [/\bcursor(agent)?\b/i, 'Cursor'],
  [/\bcodex\b|@openai\.com/i, 'Codex'],
  [/\bdevin( |-)ai\b|devin-ai-integration/i, 'Devin'],
  [/\bgemini\b/i, 'Gemini'],
  [/\bwindsurf\b|\bcodeium\b/i, 'Windsurf'],
  [/\baider\b/i, 'Aider'],
  [/\bopenhands\b/i, 'OpenHands'],
  [/\bamazon q\b/i, 'Amazon Q'],
  [/\bgoogle-labs-jules\b|\bjules\b.*google/i, 'Jules'],
  [/\[bot\]/, 'a bot'],
];
