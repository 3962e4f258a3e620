import { z } from 'zod';

/** An external identity provider. */
export interface UpstreamConfig {
  /** The name in addresses and in the database: `github`, `google-oauth2`, or the name of the operator. */
  connection: string;
  kind: 'github' | 'google' | 'oidc';
  /** The label of buttons: 'GitHub'. */
  label: string;
  /** The issuer; for GitHub its web address. */
  url: string;
  /** The root of the API, only for GitHub. */
  apiUrl?: string;
  clientId: string;
  clientSecret: string;
  /** Treats its email addresses as confirmed even if it does not state so. */
  trustEmail: boolean;
  /** The claim with the groups of a user; undefined: groups are not read. */
  groupsClaim?: string | undefined;
  sandbox: boolean;
}

/** An external issuer whose tokens this server accepts directly, such as Auth0. */
export interface DirectConfig {
  /** The value in tokens, with a trailing slash if the issuer uses one. */
  issuer: string;
  clientId: string;
  audience: string;
  /** The claim with the organization. */
  orgClaim: string;
  emailClaim: string;
}

const reserved = new Set(['github', 'google-oauth2', 'username-password-authentication', 'direct']);

const oidcLogin = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]{1,38}[a-z0-9]$/, { error: 'must be 3 to 40 small letters, digits and hyphens' })
    .refine((name) => !reserved.has(name), { error: 'is the name of a login of its own' }),
  label: z.string().min(1).max(40),
  issuer: z.url({ protocol: /^https?$/ }),
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  trustEmail: z.boolean().default(false),
  groupsClaim: z.string().min(1).max(200).optional(),
});

/** `OIDC_LOGINS`: a JSON list of issuers. Reports a problem in one line. */
export const oidcLogins = z.string().transform((text, context): z.output<typeof oidcLogin>[] => {
  const refuse = (message: string) => {
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return refuse('must be a JSON list, such as [{"name":"acme","label":"Acme","issuer":"https://…",…}]');
  }
  const { data, error } = z.array(oidcLogin).safeParse(json);
  if (error) return refuse(error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; '));
  if (new Set(data.map(({ name }) => name)).size < data.length) return refuse('names one login twice');
  return data;
});

interface LoginVariables {
  GITHUB_URL: string;
  GITHUB_API_URL: string;
  GITHUB_LOGIN_CLIENT_ID: string | undefined;
  GITHUB_LOGIN_CLIENT_SECRET: string | undefined;
  GOOGLE_ISSUER: string;
  GOOGLE_LOGIN_CLIENT_ID: string | undefined;
  GOOGLE_LOGIN_CLIENT_SECRET: string | undefined;
  OIDC_LOGINS: z.output<typeof oidcLogin>[] | undefined;
}

/** Returns the configured identity providers, in the order of their buttons. */
export function upstreamConfigsOf(values: LoginVariables): UpstreamConfig[] {
  const own = { trustEmail: false, sandbox: false };
  const { GITHUB_LOGIN_CLIENT_ID, GITHUB_LOGIN_CLIENT_SECRET, GOOGLE_LOGIN_CLIENT_ID, GOOGLE_LOGIN_CLIENT_SECRET } =
    values;
  const github =
    GITHUB_LOGIN_CLIENT_ID !== undefined && GITHUB_LOGIN_CLIENT_SECRET !== undefined
      ? {
          ...own,
          ...githubLogin,
          url: values.GITHUB_URL,
          apiUrl: values.GITHUB_API_URL,
          clientId: GITHUB_LOGIN_CLIENT_ID,
          clientSecret: GITHUB_LOGIN_CLIENT_SECRET,
        }
      : undefined;
  const google =
    GOOGLE_LOGIN_CLIENT_ID !== undefined && GOOGLE_LOGIN_CLIENT_SECRET !== undefined
      ? {
          ...own,
          ...googleLogin,
          url: values.GOOGLE_ISSUER,
          clientId: GOOGLE_LOGIN_CLIENT_ID,
          clientSecret: GOOGLE_LOGIN_CLIENT_SECRET,
        }
      : undefined;
  const others = (values.OIDC_LOGINS ?? []).map(({ name, issuer, ...rest }) => ({
    ...own,
    ...rest,
    connection: name,
    kind: 'oidc' as const,
    url: issuer,
  }));
  return [github, google, ...others].filter((upstream) => upstream !== undefined);
}

interface DirectValues {
  OIDC_ISSUER: string | undefined;
  OIDC_CLIENT_ID: string | undefined;
  OIDC_AUDIENCE: string | undefined;
  OIDC_ORG_CLAIM: string;
  OIDC_EMAIL_CLAIM: string;
}

export function directConfigOf(values: DirectValues, publicUrl: string): DirectConfig | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_AUDIENCE: audience = `${publicUrl}/api` } = values;
  if (issuer === undefined || clientId === undefined) return undefined;
  return { issuer, clientId, audience, orgClaim: values.OIDC_ORG_CLAIM, emailClaim: values.OIDC_EMAIL_CLAIM };
}

/** Returns the contradictions between the variables of logins. */
export function loginProblems(values: Omit<LoginVariables, 'GITHUB_API_URL'> & DirectValues): string[] {
  return pairs.flatMap(([one, other]) => {
    const [first, second] = [values[one], values[other]];
    if ((first === undefined) === (second === undefined)) return [];
    return first === undefined ? [`${one}: is needed with ${other}`] : [`${other}: is needed with ${one}`];
  });
}

const pairs = [
  ['GITHUB_LOGIN_CLIENT_ID', 'GITHUB_LOGIN_CLIENT_SECRET'],
  ['GOOGLE_LOGIN_CLIENT_ID', 'GOOGLE_LOGIN_CLIENT_SECRET'],
  ['OIDC_ISSUER', 'OIDC_CLIENT_ID'],
] as const;

export const githubLogin = { connection: 'github', kind: 'github', label: 'GitHub' } as const;
export const googleLogin = { connection: 'google-oauth2', kind: 'google', label: 'Google' } as const;
