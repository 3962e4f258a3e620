import { editorAuthority, extensionType } from '@sightline/contract/identity/extensions.ts';
import type { AuthorizeRules } from '#lib/site.ts';

/** The request of an extension, parsed from the address. */
export type AuthorizationRequest =
  /** Passes a code that only the extension with the code verifier can exchange. */
  | { kind: 'code'; side: 'browser' | 'ide'; type: string; device: string; codeChallenge: string; to: CodeDestination }
  /** The variant without a challenge (spec 2.1): passes the access token itself after a manual confirmation. */
  | { kind: 'token'; scheme: string }
  | { kind: 'refused'; reason: 'incomplete' | 'callback' | 'token' };

/** The destination of the code, with the state of the extension. */
export type CodeDestination =
  | { kind: 'scheme'; scheme: string; state: string }
  | { kind: 'callback'; callback: string; state: string }
  | { kind: 'tab'; state: string };

/** Parses the address as untrusted input: it is displayed, and redirects only where the operator allows. */
export function parseAuthorizationRequest(
  scheme: string,
  search: Readonly<Record<string, string | undefined>>,
  rules: AuthorizeRules,
): AuthorizationRequest {
  const { state, code_challenge: codeChallenge, device = '', callback } = search;
  const inBrowser = scheme === 'browser';
  const type = extensionType.safeParse(search.type ?? (inBrowser ? undefined : scheme)).data;
  if (state === undefined && codeChallenge === undefined && !inBrowser) {
    return rules.withToken ? { kind: 'token', scheme } : { kind: 'refused', reason: 'token' };
  }
  const complete = isState(state) && isChallenge(codeChallenge) && type !== undefined;
  if (!complete) return { kind: 'refused', reason: 'incomplete' };
  const request = { kind: 'code', type, device: device.trim().slice(0, 100), codeChallenge } as const;
  if (inBrowser) return { ...request, side: 'browser', to: { kind: 'tab', state } };
  if (callback === undefined) return { ...request, side: 'ide', to: { kind: 'scheme', scheme, state } };
  return isAllowed(callback, rules)
    ? { ...request, side: 'ide', to: { kind: 'callback', callback, state } }
    : { kind: 'refused', reason: 'callback' };
}

/** Returns the redirect address with the code. */
export function redirectAddressOf(to: CodeDestination, code: string): string {
  const answer = new URLSearchParams({ code, state: to.state });
  if (to.kind === 'scheme') return `${to.scheme}://${editorAuthority}/authorize?${answer}`;
  if (to.kind === 'tab') return `/authorize/browser/done?${answer}`;
  const url = new URL(to.callback);
  // A web-based editor passes only this parameter to its extension.
  url.searchParams.set('vscode-query', answer.toString());
  return url.href;
}

/** Returns the link of the variant without a challenge. */
export const tokenLinkOf = (scheme: string, token: string): string =>
  `${scheme}://${editorAuthority}/authorize?${new URLSearchParams({ token })}`;

const isState = (state: string | undefined): state is string =>
  state !== undefined && state.length >= 8 && state.length <= 200;

const isChallenge = (challenge: string | undefined): challenge is string =>
  challenge !== undefined && /^[\w-]{43}$/.test(challenge);

function isAllowed(callback: string, { origins, localOrigins }: AuthorizeRules): boolean {
  if (!URL.canParse(callback)) return false;
  const url = new URL(callback);
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '' || url.hash !== '') return false;
  return origins.includes(url.origin) || (localOrigins && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname));
}
