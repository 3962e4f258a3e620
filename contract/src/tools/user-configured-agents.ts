// Without dependencies, because the editor extension contains it.

/** The agents whose user settings the editor extension can read. */
export const userConfiguredAgents = ['claude-code', 'openai-codex', 'gemini-cli'] as const;
export type UserConfiguredAgent = (typeof userConfiguredAgents)[number];
