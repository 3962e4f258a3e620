import { getLedgerSize } from '@sightline/contract/ledger/ledger.ts';
import type { McpResult } from '@sightline/contract/platform/mcp.ts';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '#core/errors.ts';
import { countRequest } from '#core/request-limits.ts';
import { callEndpoint } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import type { McpCaller } from './authenticate.ts';
import { recordToolCall } from './record-call.ts';
import type { Tool, ToolAnswer, ToolReader } from './tools/tool.ts';
import { type MarkOptions, markUntrusted, newDelimiters, untrustedMeaning } from './untrusted.ts';

/** The bounds of a result, tried in this order until its JSON is short enough. */
const bounds = [
  { maxItems: 50, maxCharacters: 2_000 },
  { maxItems: 20, maxCharacters: 300 },
  { maxItems: 5, maxCharacters: 100 },
] as const satisfies readonly Pick<MarkOptions, 'maxItems' | 'maxCharacters'>[];
const MAX_RESULT_CHARACTERS = 60_000;

/**
 * Runs a tool for a member and records the call. A refused call is recorded too. The result leaves this process only
 * after its audit entry was committed.
 */
export async function runTool(
  services: Services,
  caller: McpCaller,
  request: FastifyRequest,
  { tool, input }: { tool: Tool; input: unknown },
): Promise<McpResult> {
  const { accountId, orgId } = caller.claims;
  const call = { tool: tool.name, input };
  await countRequest(services, { request, limit: 'mcpOfAccount', subject: accountId });
  await countRequest(services, { request, limit: 'mcpOfOrganization', subject: orgId });
  try {
    const result = await boundedResult(services, caller, request, { tool, input });
    await recordToolCall(services, caller, request, { ...call, outcome: 'succeeded' });
    return result;
  } catch (error) {
    const outcome = error instanceof Refusal ? error.code : 'failed';
    await recordToolCall(services, caller, request, { ...call, outcome });
    throw error;
  }
}

/** Reads once, and writes the answer with narrower bounds until it is short enough. */
async function boundedResult(
  services: Services,
  { claims }: McpCaller,
  request: FastifyRequest,
  { tool, input }: { tool: Tool; input: unknown },
): Promise<McpResult> {
  const responses = new Map<string, Promise<unknown>>();
  const readOnce: ToolReader['read'] = (endpoint, given) => {
    const key = `${endpoint.method} ${endpoint.path} ${JSON.stringify(given)}`;
    const response = responses.get(key) ?? callEndpoint(services, endpoint, { claims, request }, given);
    responses.set(key, response);
    return response as ReturnType<typeof callEndpoint<typeof endpoint>>;
  };
  const ledgerSize = await currentLedgerSize(readOnce);
  let smallest: McpResult | undefined;
  for (const bound of bounds) {
    smallest = await resultOf({ tool, input, readOnce, bound }, (answer, more) => ({
      untrustedText: more.untrustedText,
      question: answer.question,
      answer: answer.answer,
      missingEvidence: answer.missingEvidence,
      ledgerSize: answer.ledgerSize ?? ledgerSize,
      link: linkOf(services, claims.orgId, answer.path),
      nextCursor: answer.nextCursor ?? null,
      omitted: more.omitted,
      result: answer.result,
    }));
    if (JSON.stringify(smallest).length <= MAX_RESULT_CHARACTERS) return smallest;
  }
  if (smallest === undefined) throw new Error('A result has at least one bound.');
  return smallest;
}

async function resultOf(
  {
    tool,
    input,
    readOnce,
    bound,
  }: { tool: Tool; input: unknown; readOnce: ToolReader['read']; bound: (typeof bounds)[number] },
  complete: (answer: ToolAnswer, more: Pick<McpResult, 'untrustedText' | 'omitted'>) => McpResult,
): Promise<McpResult> {
  const delimiters = newDelimiters();
  const omitted: McpResult['omitted'] = [];
  const read: ToolReader['read'] = async (endpoint, given, { trusted = [], whole = [] } = {}) => {
    const options: MarkOptions = {
      ...delimiters,
      ...bound,
      trusted,
      whole: endpoint.paged ? ['', ...whole] : whole,
      onOmitted: (path, items) => omitted.push({ path, items }),
    };
    const response = await readOnce(endpoint, given);
    if (!endpoint.paged) return markUntrusted(response, endpoint.response, options);
    const { rows, total } = response as { rows: unknown; total: number };
    return { rows: markUntrusted(rows, endpoint.response, options), total } as typeof response;
  };
  const answer = await tool.run({ read }, input);
  return complete(answer, { untrustedText: { ...delimiters, meaning: untrustedMeaning }, omitted });
}

/** The size of the last checkpoint; null without one, which is missing evidence and not the size 0. */
async function currentLedgerSize(read: ToolReader['read']): Promise<string | null> {
  try {
    return (await read(getLedgerSize, {})).ledgerSize;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not_found') return null;
    throw error;
  }
}

function linkOf({ config }: Services, orgId: string, path: string): string {
  const url = new URL(`${config.PUBLIC_URL.replace(/\/$/, '')}${path}`);
  url.searchParams.set('organization', orgId);
  return url.href;
}
