import * as client from 'openid-client';
import type { UpstreamConfig } from '../../config-logins.ts';
import { UpstreamRefused } from './upstream.ts';

/** Seconds an upstream may take for one answer. */
export const timeout = 10;

/** Plain http only where the operator wrote it so: a sandbox, or an issuer in a network of their own. */
export const rulesFor = ({ url }: Pick<UpstreamConfig, 'url'>): ((config: client.Configuration) => void)[] =>
  url.startsWith('http://') ? [client.allowInsecureRequests] : [];

/** What openid-client threw, as a refusal where the person or the upstream said no. */
export function refusalOf(error: unknown): unknown {
  if (error instanceof client.AuthorizationResponseError || error instanceof client.ResponseBodyError) {
    return new UpstreamRefused(error.error);
  }
  // GitHub says no with status 200; and an answer that fails a check is no proof of anybody.
  if (error instanceof client.ClientError) return new UpstreamRefused(error.code ?? error.message);
  return error;
}

/** Text of an upstream as we can keep and show it: no control characters, at most `max` long. */
export const clean = (value: unknown, max = 200): string | undefined => {
  if (typeof value !== 'string') return undefined;
  const text = value
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, max)
    .toWellFormed();
  return text === '' ? undefined : text;
};

/** An https address; anything else could not be drawn, or should not. */
export const cleanUrl = (value: unknown): string | undefined => {
  const text = clean(value, 1000);
  return text !== undefined && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? text : undefined;
};

/** Only the fields that are there. */
export const present = <T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
