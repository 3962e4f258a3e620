import type { FastifyReply } from 'fastify';
import type { Provider } from 'oidc-provider';
import { hostCookieName, hostCookieOptions, usesSecureCookies } from '#core/cookies.ts';
import { renderNoticePage } from '#core/pages/frame.ts';
import { sendPage } from '#core/pages/security.ts';
import type { Services } from '#core/services.ts';
import type { SigningKeys } from '#core/signing-keys.ts';
import type { Csrf } from './csrf.ts';
import type { Devices } from './devices.ts';

/** The dependencies of every page of the identity provider. */
export interface SignInContext {
  services: Services;
  /** The provider for the current keys. */
  readonly provider: Provider;
  /** The keys that sign tokens of this provider. */
  keys: SigningKeys;
  csrf: Csrf;
  devices: Devices;
  /** Shown for a form or link that is no longer valid. */
  expiredPage: string;
}

export const signUpCookie = ({ services }: SignInContext): string =>
  hostCookieName('sightline_sign_up', usesSecureCookies(services.config));

/** Allows this browser to confirm the address without its password. */
export const rememberSignUp = (site: SignInContext, reply: FastifyReply, proof: string) =>
  reply.setCookie(signUpCookie(site), proof, {
    ...hostCookieOptions(usesSecureCookies(site.services.config)),
    maxAge: 86_400,
  });

/** Responds with 429 and a page. */
export const sendTooManyAttempts = (site: SignInContext, reply: FastifyReply, seconds: number): FastifyReply =>
  sendPage(
    site.services.config,
    reply.status(429).header('retry-after', seconds),
    renderNoticePage('Too many attempts', [`Try again in ${durationText(seconds)}.`]),
  );

function durationText(seconds: number): string {
  const [amount, unit] =
    seconds < 90
      ? [seconds, 'second']
      : seconds < 5400
        ? [Math.ceil(seconds / 60), 'minute']
        : [Math.ceil(seconds / 3600), 'hour'];
  return `${amount} ${unit}${amount === 1 ? '' : 's'}`;
}
