import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { hostCookie, hostCookieOptions } from '#core/cookies.ts';

export interface Csrf {
  /** The secret for a form of this browser; sets its cookie if it has none. */
  issue: (request: FastifyRequest, reply: FastifyReply) => string;
  /** A name for this browser; sets its cookie if it has none. */
  browserOf: (request: FastifyRequest, reply: FastifyReply) => string;
  /** Whether a posted form came from a page of ours, shown to the same browser. */
  check: (request: FastifyRequest) => boolean;
}

const posted = z.object({ csrf: z.string() });

/** Binds forms to a cookie of the browser with the first of the keys; forms made with an older key still pass. */
export function createCsrf(keysOfNow: () => readonly [string, ...string[]], secure: boolean): Csrf {
  const cookie = hostCookie('sightline_csrf', secure);
  const sign = (key: string, value: string) => createHmac('sha256', key).update(`form ${value}`).digest('base64url');
  const start = (reply: FastifyReply) => {
    const value = randomBytes(18).toString('base64url');
    reply.setCookie(cookie, value, hostCookieOptions(secure));
    return value;
  };
  const nameOf = (value: string) => createHash('sha256').update(`browser ${value}`).digest('base64url');
  return {
    issue(request, reply) {
      return sign(keysOfNow()[0], request.cookies[cookie] ?? start(reply));
    },
    browserOf(request, reply) {
      return nameOf(request.cookies[cookie] ?? start(reply));
    },
    check(request) {
      const value = request.cookies[cookie];
      const body = posted.safeParse(request.body);
      if (value === undefined || !body.success) return false;
      const given = Buffer.from(body.data.csrf);
      return keysOfNow().some((key) => {
        const expected = Buffer.from(sign(key, value));
        return expected.length === given.length && timingSafeEqual(expected, given);
      });
    },
  };
}
