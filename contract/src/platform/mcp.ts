import { z } from 'zod';

/** The path of the MCP server, outside `/api`. With the address of the installation it is the resource of RFC 8707. */
export const mcpPath = '/mcp';

/** The OAuth scope of the MCP server: it reads what the member may read. */
export const mcpScope = 'sightline:read';

/** The clients of the MCP server that need no registration, by their OAuth client ID. `mcp` is for any other agent. */
export const mcpClients = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
  'gemini-cli': 'Gemini CLI',
  vscode: 'VS Code',
  mcp: 'MCP client',
} as const;
export type McpClientId = keyof typeof mcpClients;

/** The tools of the MCP server, each with its title. All of them only read. */
export const mcpTools = {
  search_events: 'Search events',
  get_finding: 'Get a vulnerability',
  get_change: 'Get a change',
  get_control: 'Get a control',
  list_gaps: 'List missing evidence',
  get_proof: 'Get a ledger proof',
  what_is_recorded_about_me: 'Get my recorded data',
  simulate_policy: 'Simulate a policy',
} as const;
export type McpToolName = keyof typeof mcpTools;

/**
 * The answer of a tool to its question. `missing_evidence`: a required fact was not recorded. It never stands for yes or
 * no.
 */
export const mcpAnswer = z.enum(['yes', 'no', 'missing_evidence', 'not_applicable']);
export type McpAnswer = z.infer<typeof mcpAnswer>;

/** A fact that was not recorded, with the reason and what would record it; null: unknown. */
const missingFact = z.object({
  fact: z.string(),
  reason: z.string().nullable(),
  remedy: z.string().nullable(),
});
export type MissingFact = z.infer<typeof missingFact>;

/** The structured result of every tool. */
export const mcpResult = z.object({
  /** The delimiters of text from other people and systems. They differ in every result, so that no text contains them. */
  untrustedText: z.object({ begin: z.string(), end: z.string(), meaning: z.string() }),
  question: z.string(),
  answer: mcpAnswer,
  missingEvidence: z.array(missingFact),
  /** The ledger size of the result, preceded by its epoch: `1.4711`; null: the ledger has no checkpoint yet. */
  ledgerSize: z.string().nullable(),
  /** The page of the result in Sightline. */
  link: z.string(),
  /** The input `cursor` of the next part; null: this is the last one. */
  nextCursor: z.string().nullable(),
  /** The lists that are longer than this result, by path, with the number of omitted items. */
  omitted: z.array(z.object({ path: z.string(), items: z.number().int() })),
  result: z.record(z.string(), z.unknown()),
});
export type McpResult = z.infer<typeof mcpResult>;
