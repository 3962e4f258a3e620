import * as client from 'openid-client';
import type { UpstreamConfig } from '../../config-logins.ts';
import { UpstreamRefused } from './upstream.ts';

/** The timeout of a request to an identity provider in seconds. */
export const TIMEOUT_SECONDS = 10;

/** Allows http only if the operator configured it, for a sandbox or an internal issuer. */
export const configurationRulesFor = ({
  url,
}: Pick<UpstreamConfig, 'url'>): ((config: client.Configuration) => void)[] =>
  url.startsWith('http://') ? [client.allowInsecureRequests] : [];

/** Converts an error of openid-client into UpstreamRefused if the user or the identity provider refused. */
export function upstreamRefusal(error: unknown): unknown {
  if (error instanceof client.AuthorizationResponseError || error instanceof client.ResponseBodyError) {
    return new UpstreamRefused(error.error);
  }
  // GitHub refuses with status 200, and a response that fails verification proves no identity.
  if (error instanceof client.ClientError) return new UpstreamRefused(error.code ?? error.message);
  return error;
}

/** Sanitizes a text: no control characters, at most `max` characters. */
export const cleanProfileText = (value: unknown, max = 200): string | undefined => {
  if (typeof value !== 'string') return undefined;
  const text = value
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, max)
    .toWellFormed();
  return text === '' ? undefined : text;
};

/** Sanitizes an http or https URL; undefined for anything else. */
export const sanitizeUrl = (value: unknown): string | undefined => {
  const text = cleanProfileText(value, 1000);
  return text !== undefined && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? text : undefined;
};

/** Removes undefined fields. */
export const withoutUndefined = <T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
