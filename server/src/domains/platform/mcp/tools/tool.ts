import type { CallOutput, Endpoint } from '@sightline/contract/core/endpoint.ts';
import type { McpAnswer, McpToolName, MissingFact } from '@sightline/contract/platform/mcp.ts';
import { z } from 'zod';
import type { EndpointInput } from '#core/route.ts';
import type { MarkOptions } from '../untrusted.ts';

/** What a tool reads with: the endpoints of the API, as the calling member. */
export interface ToolReader {
  /**
   * Calls an endpoint with the permissions of the member. Texts of the response are delimited as untrusted, except the
   * fields at the top that `trusted` names. Lists are cut, except pages of a list that are `whole`.
   */
  read: <E extends Endpoint>(
    endpoint: E,
    input: EndpointInput,
    options?: Partial<Pick<MarkOptions, 'trusted' | 'whole'>>,
  ) => Promise<CallOutput<E>>;
}

/** The content of a tool's result. */
export interface ToolAnswer {
  question: string;
  answer: McpAnswer;
  missingEvidence: MissingFact[];
  /** The ledger size at which the result was evaluated, with its epoch. Undefined: the current one. */
  ledgerSize?: string | undefined;
  /** Path and query of the page in the web application. */
  path: string;
  nextCursor?: string | null;
  result: Record<string, unknown>;
}

/** A read-only tool of the MCP server. */
export interface Tool {
  name: McpToolName;
  description: string;
  input: z.ZodObject;
  run: (reader: ToolReader, input: unknown) => Promise<ToolAnswer>;
}

/** Declares a tool with the type of its input, which `createServer` parses. */
export const tool = <Input extends z.ZodObject>(definition: {
  name: McpToolName;
  description: string;
  input: Input;
  run: (reader: ToolReader, input: z.output<Input>) => Promise<ToolAnswer>;
}): Tool => definition as unknown as Tool;

/** The cursor of a page of a list: `p2`. */
export const pageCursor = z
  .string()
  .regex(/^p[1-9]\d{0,4}$/, { error: 'must be the nextCursor of an earlier result' })
  .transform((text) => Number(text.slice(1)))
  .optional()
  .describe('nextCursor of the previous result');

/** The cursor of the page after this one; null at the end. */
export const nextPage = (page: number, perPage: number, total: number): string | null =>
  page * perPage < total ? `p${page + 1}` : null;

/** A missing fact without a known reason or remedy. */
export const missingFact = (fact: string, more: Partial<MissingFact> = {}): MissingFact => ({
  fact,
  reason: null,
  remedy: null,
  ...more,
});
