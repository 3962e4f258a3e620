import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { roleIds } from './permissions.ts';

// spec 5; the longest name is 64 characters (the specification's answers, section 8)
const nameCharacters = /^[A-Za-z0-9 !\-@#$]+$/;
export const organizationNameMessage =
  'Unfortunately, the organization name might contain only [A-z] characters and !@#$.';
export const organizationNameMessageInModal =
  'Unfortunately, the organization name might contain only [A-z] characters and !@#$-.';
export const organizationNameMax = 64;

/** The rule for an organisation's name, asked by every form and by the server. Trims both ends. */
export const organizationName = z
  .string()
  .trim()
  .min(1, { error: 'The name must not be empty.' })
  .max(organizationNameMax, { error: `The name may have at most ${organizationNameMax} characters.` })
  .regex(nameCharacters, { error: organizationNameMessage });

/** What is wrong with a name while it is typed; undefined for a good one and for an empty field. */
export function organizationNameError(name: string, message = organizationNameMessage): string | undefined {
  const trimmed = name.trim();
  if (trimmed === '') return undefined;
  if (!nameCharacters.test(trimmed)) return message;
  if (trimmed.length > organizationNameMax) return `The name may have at most ${organizationNameMax} characters.`;
  return undefined;
}

export const organization = z.object({
  id: z.string(),
  name: z.string(),
  displayName: z.string(),
  description: z.string(),
  logoUrl: z.string().nullable(),
  role: z.enum(roleIds),
  /** Account ids of the owners; whoever asks whether somebody owns the organisation asks by id. */
  owners: z.array(z.string()),
  ownerEmails: z.array(z.string()),
  /** Set while this is an invitation not yet answered. */
  invitation: z.object({ invitation_id: z.string(), ticket_id: z.string() }).nullable(),
});
export type Organization = z.infer<typeof organization>;

export const listOrganizations = endpoint({
  method: 'GET',
  path: '/v2/auth0mgm/user/organizations',
  summary: "The account's organisations, with its pending invitations where asked for.",
  scope: 'account',
  query: z.strictObject({ include_invitations: z.enum(['true', 'false']).default('false') }),
  response: z.array(organization),
});

export const getOrganization = endpoint({
  method: 'GET',
  path: '/v2/auth0mgm/org',
  summary: 'The organisation of the token.',
  scope: 'organization',
  permission: 'read:org',
  response: organization,
});

export const createOrganization = endpoint({
  method: 'POST',
  path: '/v2/auth0mgm/org',
  summary: 'Creates an organisation whose first Account Owner is the asking account.',
  scope: 'account',
  body: z.strictObject({ displayName: organizationName }),
  status: 201,
  response: organization,
  errors: ['forbidden'],
});

export const maySetUpOrganization = endpoint({
  method: 'GET',
  path: '/v2/auth0mgm/org/allowed',
  summary: 'Whether the account may create an organisation; refused with the reason where it may not.',
  scope: 'account',
  response: z.object({ allowed: z.literal(true) }),
  errors: ['forbidden'],
});
