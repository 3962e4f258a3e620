import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { boundedText } from '../core/text.ts';

export const account = z.object({
  nid: z.string(),
  auth0_user_id: z.string(),
  email: z.string(),
  name: z.string(),
  picture: z.string().nullable(),
  traits: z.object({
    alias: z.string(),
    isEmployee: z.boolean(),
    /** Sees the background work of the installation. */
    isOperator: z.boolean(),
    onboardingComplete: z.boolean(),
    hideTips: z.boolean(),
    github: z.object({ login: z.string(), name: z.string().nullable() }).nullable(),
    description: z.object({
      displayName: z.string(),
      bio: z.string(),
      email: z.string(),
      company: z.string(),
      location: z.string(),
    }),
  }),
  linkedIdentities: z.array(
    z.object({
      connection: z.string(),
      provider: z.string(),
      user_id: z.string(),
      profileData: z.object({
        name: z.string().optional(),
        nickname: z.string().optional(),
        email: z.string().optional(),
        html_url: z.string().optional(),
        picture: z.string().optional(),
      }),
    }),
  ),
});
export type Account = z.infer<typeof account>;

export const getAccount = endpoint({
  method: 'GET',
  path: '/account/me',
  summary: 'Returns the signed-in account with its traits and login identities.',
  scope: 'account',
  topics: ['ownAccount'],
  response: account,
});

/** Maximum length of a person's displayed name. */
export const MAX_FULL_NAME_LENGTH = 200;

/** The description fields of an account (spec 3). */
const description = {
  displayName: boundedText(MAX_FULL_NAME_LENGTH),
  bio: boundedText(2000),
  email: boundedText(320),
  company: boundedText(200),
  location: boundedText(200),
};

export const registerAccount = endpoint({
  method: 'POST',
  path: '/v2/auth/register',
  summary: 'Completes a sign-in and returns the account.',
  scope: 'account',
  body: z.strictObject({
    alias: boundedText(200).optional(),
    /** Only `displayName` is stored; the other description fields are accepted and ignored. */
    description: z.strictObject(description).partial().optional(),
  }),
  changes: ['ownAccount'],
  response: account,
});

export const updateAccountDescription = endpoint({
  method: 'POST',
  path: '/account/me/description',
  summary: 'Updates the profile of the account. A display name becomes its full name.',
  scope: 'account',
  body: z
    .strictObject({
      ...description,
      displayName: description.displayName.trim().min(1),
      /** The ID of the requesting account. Any other ID returns 404. */
      id: z.uuid(),
    })
    .partial(),
  changes: ['ownAccount'],
  response: account,
  errors: ['not_found'],
});

export const hideTips = endpoint({
  method: 'PUT',
  path: '/account/me/tips/hide',
  summary: 'Hides the quick tips of the home screen.',
  scope: 'account',
  changes: ['ownAccount'],
  response: account,
});

export const completeOnboarding = endpoint({
  method: 'PUT',
  path: '/account/me/onboarding/complete',
  summary: 'Marks onboarding as finished.',
  scope: 'account',
  changes: ['ownAccount'],
  response: account,
});

export const resendVerification = endpoint({
  method: 'POST',
  path: '/v2/auth/public/verification',
  summary: 'Sends the confirmation email again. The response does not reveal whether the address exists.',
  scope: 'public',
  body: z.strictObject({ userId: boundedText(400).min(1) }),
  status: 202,
  response: z.object({ accepted: z.literal(true) }),
});
