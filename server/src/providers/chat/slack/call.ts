import { parseJson } from '#core/json.ts';
import type { Outbound } from '#core/outbound.ts';
import type { ChatFailure } from '../chat.ts';
import { failureOf, sendRequest } from '../send.ts';

/** A response of the Web API. `error` is a code, such as `channel_not_found`. */
export interface SlackAnswer {
  ok: boolean;
  error?: string;
  [field: string]: unknown;
}

interface SlackCall {
  method: string;
  /** For methods that accept JSON. Others are called with `query`. */
  body?: object;
  query?: Record<string, string>;
}

/**
 * Calls a method of the Web API (https://docs.slack.dev/apis/web-api). Errors that concern the token are failures of the
 * workspace; the caller handles all others.
 */
export async function callSlack(
  outbound: Outbound,
  api: string,
  token: string,
  { method, body, query = {} }: SlackCall,
): Promise<{ answer: SlackAnswer } | { failure: ChatFailure }> {
  const url = new URL(method, api.endsWith('/') ? api : `${api}/`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const response = await sendRequest(outbound, 'Slack', url.href, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json; charset=utf-8' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if ('failure' in response) return response;
  const parsed = parseJson(response.body);
  if (typeof parsed !== 'object' || parsed === null || !('ok' in parsed) || typeof parsed.ok !== 'boolean') {
    return failureOf('target', `Slack responded with status ${response.status} and no result.`, { isUnclear: true });
  }
  const result = parsed as SlackAnswer;
  if (result.ok) return { answer: result };
  if (result.error === 'ratelimited' || result.error === 'rate_limited') {
    return failureOf('limit', 'Slack limits the number of messages.', { retryAfterSeconds: 30 });
  }
  const problem = tokenErrors[result.error ?? ''];
  if (problem === undefined) return { answer: result };
  const needed =
    typeof result.needed === 'string' && /^[a-z:._,]{1,200}$/.test(result.needed) ? ` (${result.needed})` : '';
  return failureOf('workspace', `${problem}${result.error === 'missing_scope' ? needed : ''}. ${tokenRemedy}`);
}

const tokenRemedy = 'Reinstall the app in Slack, then enter its new token here. Messages are sent after that.';

const tokenErrors: Readonly<Record<string, string>> = {
  invalid_auth: 'Slack does not accept the token',
  not_authed: 'Slack does not accept the token',
  token_revoked: 'The token was revoked in Slack',
  token_expired: 'The token has expired',
  account_inactive: 'The app was removed from the Slack workspace',
  no_permission: 'The app has no permission in the Slack workspace',
  missing_scope: 'The app lacks a permission',
  org_login_required: 'The Slack workspace is being migrated',
  team_access_not_granted: 'The app has no access to the Slack workspace',
};
