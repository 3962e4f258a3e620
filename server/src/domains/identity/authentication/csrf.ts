import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { hostCookieName, hostCookieOptions } from '#core/cookies.ts';

export interface Csrf {
  /** Returns the secret for a form of this browser, and sets its cookie if it has none. */
  issue: (request: FastifyRequest, reply: FastifyReply) => string;
  /** Returns an ID of this browser, and sets its cookie if it has none. */
  browserOf: (request: FastifyRequest, reply: FastifyReply) => string;
  /** Whether a posted form came from our own page in the same browser. */
  check: (request: FastifyRequest) => boolean;
}

const posted = z.object({ csrf: z.string() });

/** Binds forms to a cookie of the browser by the first key. Forms created with an older key are still valid. */
export function createCsrf(currentKeys: () => readonly [string, ...string[]], secure: boolean): Csrf {
  const cookie = hostCookieName('sightline_csrf', secure);
  const sign = (key: string, value: string) => createHmac('sha256', key).update(`form ${value}`).digest('base64url');
  const start = (reply: FastifyReply) => {
    const value = randomBytes(18).toString('base64url');
    reply.setCookie(cookie, value, hostCookieOptions(secure));
    return value;
  };
  const nameOf = (value: string) => createHash('sha256').update(`browser ${value}`).digest('base64url');
  return {
    issue(request, reply) {
      return sign(currentKeys()[0], request.cookies[cookie] ?? start(reply));
    },
    browserOf(request, reply) {
      return nameOf(request.cookies[cookie] ?? start(reply));
    },
    check(request) {
      const value = request.cookies[cookie];
      const body = posted.safeParse(request.body);
      if (value === undefined || !body.success) return false;
      const given = Buffer.from(body.data.csrf);
      return currentKeys().some((key) => {
        const expected = Buffer.from(sign(key, value));
        return expected.length === given.length && timingSafeEqual(expected, given);
      });
    },
  };
}
