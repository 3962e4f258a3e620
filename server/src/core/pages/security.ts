import type { FastifyReply } from 'fastify';
import type { Config } from '#config.ts';
import { isSecure } from '../cookies.ts';
import { permissionsPolicy } from '../permissions-policy.ts';

export interface PageRights {
  /** Who may show it in a frame. */
  frames: 'none' | 'self';
  /** One of our own script files. */
  script: boolean;
  /** Mails shown as their recipient sees them carry their style in attributes. */
  inlineStyle?: boolean;
  /** Where a form may lead in the end, beside this site: the registered redirect URI of a client. */
  formTarget?: string | undefined;
}

/** Sends a page with the headers that keep it to itself. */
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

/** The security headers of a page of the identity provider: style and fonts from here, and nothing inline. */
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
      `form-action 'self'${formTarget === undefined ? '' : ` ${sourceOf(formTarget)}`}`,
      "base-uri 'none'",
      `frame-ancestors '${frames}'`,
    ].join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'permissions-policy': permissionsPolicy,
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': 'no-store',
    ...(isSecure(config) && {
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
    }),
    ...(!config.production && { 'x-robots-tag': 'noindex' }),
  };
}

function sourceOf(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  return /^https?:$/.test(protocol) ? `${protocol}//${host}` : protocol;
}
