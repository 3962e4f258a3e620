import { z } from 'zod';

/** A way to sign in that somebody else runs. */
export interface UpstreamConfig {
  /** Its name in addresses and in the database: `github`, `google-oauth2`, or as the operator calls it. */
  connection: string;
  kind: 'github' | 'google' | 'oidc';
  /** On buttons: 'GitHub'. */
  label: string;
  /** The issuer; for GitHub its web address. */
  url: string;
  /** Only for GitHub: the root of its API. */
  apiUrl?: string;
  clientId: string;
  clientSecret: string;
  /** Take its addresses as confirmed even where it does not say so. */
  trustEmail: boolean;
  sandbox: boolean;
}

/** Accounts of an outside issuer whose tokens this server takes itself (Auth0 and its kind). */
export interface DirectConfig {
  /** As it stands in tokens, so with a slash at the end where the issuer has one. */
  issuer: string;
  clientId: string;
  audience: string;
  /** The claim that names the organization. */
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
});

/** `OIDC_LOGINS`: a JSON list of issuers. Says in one line what is wrong with it. */
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

/** The logins an operator configured, in the order of their buttons. */
export function upstreamsOf(values: LoginVariables): UpstreamConfig[] {
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

export function directOf(values: DirectValues, publicUrl: string): DirectConfig | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_AUDIENCE: audience = `${publicUrl}/api` } = values;
  if (issuer === undefined || clientId === undefined) return undefined;
  return { issuer, clientId, audience, orgClaim: values.OIDC_ORG_CLAIM, emailClaim: values.OIDC_EMAIL_CLAIM };
}

/** What is wrong with how the variables of logins go together. */
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
