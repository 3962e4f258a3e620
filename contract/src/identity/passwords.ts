import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { boundedText } from '../core/text.ts';

export const passwordMin = 12;
export const passwordMax = 128;

/** Why a new password is rejected; undefined if it is acceptable. */
export function passwordProblem(password: string, email: string | undefined): string | undefined {
  if (password.length < passwordMin) return `Use at least ${passwordMin} characters.`;
  if (password.length > passwordMax) return `Use at most ${passwordMax} characters.`;
  if (password.toLowerCase() === email) return 'Do not use your email address.';
  return new Set(password).size < 4 ? 'Use more than a few different characters.' : undefined;
}

export const changePassword = endpoint({
  method: 'PUT',
  path: '/v2/account/password',
  summary: 'Changes the password of an account with a password.',
  scope: 'account',
  body: z.strictObject({
    currentPassword: boundedText(1000).min(1),
    newPassword: boundedText(1000),
    endOtherSessions: z.boolean(),
  }),
  response: z.object({ changed: z.literal(true) }),
  errors: ['rate_limited', 'conflict'],
});

export const requestPasswordLink = endpoint({
  method: 'POST',
  path: '/v2/account/password/link',
  summary: 'Emails a link to set a password, valid for one hour. Using it ends all sessions of the account.',
  scope: 'account',
  status: 202,
  response: z.object({ sent: z.literal(true) }),
  errors: ['rate_limited'],
});
