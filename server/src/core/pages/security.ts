import type { FastifyReply } from 'fastify';
import type { Config } from '#config.ts';
import { usesSecureCookies } from '../cookies.ts';
import { permissionsPolicy } from '../permissions-policy.ts';

export interface PageRights {
  /** The origins that may embed the page in a frame. */
  frames: 'none' | 'self';
  /** Allows our own script files. */
  script: boolean;
  /** Allows style attributes, which previews of emails contain. */
  inlineStyle?: boolean;
  /** An additional target of form redirects: the registered redirect URI of a client. */
  formTarget?: string | undefined;
}

/** Sends a page with its security headers. */
export const sendPage = (
  config: Config,
  reply: FastifyReply,
  page: string,
  rights: Partial<PageRights> = {},
): FastifyReply =>
  reply
    .headers(pageSecurity(config, { frames: 'none', script: false, ...rights }))
    .type('text/html; charset=utf-8')
    .send(page);

/** The security headers of a page of the identity provider: styles and fonts from this server, nothing inline. */
export function pageSecurity(
  config: Config,
  { frames, script, inlineStyle, formTarget }: PageRights,
): Record<string, string> {
  return {
    'content-security-policy': [
      "default-src 'none'",
      `style-src 'self'${inlineStyle === true ? " 'unsafe-inline'" : ''}`,
      "font-src 'self'",
      "img-src 'self'",
      `script-src ${script ? "'self'" : "'none'"}`,
      `form-action 'self'${formTarget === undefined ? '' : ` ${formSourceOf(formTarget)}`}`,
      "base-uri 'none'",
      `frame-ancestors '${frames}'`,
    ].join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'permissions-policy': permissionsPolicy,
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': 'no-store',
    ...(usesSecureCookies(config) && {
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
    }),
    ...(!config.production && { 'x-robots-tag': 'noindex' }),
  };
}

function formSourceOf(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  return /^https?:$/.test(protocol) ? `${protocol}//${host}` : protocol;
}
