import { createHash } from 'node:crypto';
import type { SamlProblem } from '@sightline/contract/identity/saml.ts';
import { domainOf, normalizeEmail } from '#core/email-address.ts';
import { cleanProfileText, withoutUndefined } from '../client.ts';
import type { IdentityProvider, IdentityProviderUser } from '../upstream.ts';
import { CLOCK_SKEW_MS, checkAssertion, checkEnvelope, decodeResponse, elementsOf, type Parsed } from './checks.ts';
import { SAML, type SamlClient } from './libraries.ts';
import { SamlRefused } from './refusal.ts';
import { type VerificationOptions, type Verified, verifyResponse } from './verification.ts';

/** The SAML 2.0 identity provider of one organization. */
export interface SamlConfig {
  connection: string;
  label: string;
  /** The entity ID of the identity provider. */
  entityId: string;
  /** Where browsers take requests (HTTP-Redirect). */
  signInUrl: string;
  /** PEM. A response may be signed by any of them, so that the provider can rotate its key. */
  certificates: readonly string[];
  /** The key that signs requests, PEM. */
  privateKey: string;
  /** The verified domains of the organization. It vouches for addresses of these only. */
  domains: readonly string[];
  /** The name of the attribute with the groups. */
  groupsAttribute: string | undefined;
  serviceEntityId: string;
  callbackUrl: string;
}

/** Returns the posted response to the sign-in with this state, once. */
export type TakeResponse = (state: string) => Promise<string | undefined>;

/** The ID of a request, which the response must name. It follows from the secret of the sign-in, which never leaves the server. */
export const requestIdOf = (nonce: string): string => `_${createHash('sha256').update(`saml ${nonce}`).digest('hex')}`;

/** Sign-in by a SAML 2.0 identity provider: signed requests, and responses to them only. */
export function createSamlLogin(config: SamlConfig, takeResponse: TakeResponse): IdentityProvider {
  const { connection, label } = config;
  return {
    connection,
    kind: 'saml',
    label,
    sandbox: false,
    authorizationUrl: ({ state, nonce }, { fresh }) =>
      samlOf(config, requestIdOf(nonce), fresh).getAuthorizeUrlAsync(state, undefined, {}),
    async personOf(_callback, { state, nonce }, { fresh }) {
      const encoded = await takeResponse(state);
      if (encoded === undefined) throw new SamlRefused('unreadable', 'the response is missing');
      checkEnvelope(decodeResponse(encoded), config.callbackUrl);
      const requestId = requestIdOf(nonce);
      const verified = await verifyResponse(optionsOf(config, fresh), requestId, encoded);
      if ('rejected' in verified) throw refusalOf(verified.rejected);
      const assertion = verified.assertion as Parsed | undefined;
      if (!assertion) throw new SamlRefused('unreadable', 'the response contains no assertion');
      const { entityId, callbackUrl, serviceEntityId: audience } = config;
      checkAssertion(assertion, { entityId, requestId, callbackUrl, audience, fresh });
      return personFrom(config, verified, assertion);
    },
  };
}

/** The library with the options for requests. */
const samlOf = (config: SamlConfig, requestId: string, fresh: boolean): SamlClient =>
  new SAML({
    ...optionsOf(config, fresh),
    privateKey: config.privateKey,
    cacheProvider: { saveAsync: async () => null, getAsync: async () => null, removeAsync: async () => null },
    generateUniqueId: () => requestId,
  });

const optionsOf = (config: SamlConfig, fresh: boolean): VerificationOptions => ({
  entryPoint: config.signInUrl,
  callbackUrl: config.callbackUrl,
  issuer: config.serviceEntityId,
  audience: config.serviceEntityId,
  idpIssuer: config.entityId,
  idpCert: [...config.certificates],
  signatureAlgorithm: 'sha256',
  digestAlgorithm: 'sha256',
  // An assertion without a signature of its own is refused, also in a signed response.
  wantAssertionsSigned: true,
  wantAuthnResponseSigned: false,
  validateInResponseTo: 'always',
  acceptedClockSkewMs: CLOCK_SKEW_MS,
  maxAssertionAgeMs: 0,
  identifierFormat: null,
  disableRequestedAuthnContext: true,
  forceAuthn: fresh,
});

/** The reason in an error message of the library. */
const refusalOf = (message: string): SamlRefused =>
  new SamlRefused(messageForms.find(([form]) => form.test(message))?.[1] ?? 'unreadable', message);

const messageForms: readonly (readonly [RegExp, SamlProblem])[] = [
  [/InResponseTo/, 'request'],
  // The library finds no confirmation that is valid now.
  [/expired|not yet valid|clock|No valid subject confirmation/i, 'expired'],
  [/audience/i, 'audience'],
  [/signature|signed data/i, 'signature'],
];

const emailAttributes = [
  'email',
  'mail',
  'emailaddress',
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
];
const nameAttributes = [
  'displayname',
  'name',
  'cn',
  'urn:oid:2.16.840.1.113730.3.1.241',
  'http://schemas.microsoft.com/identity/claims/displayname',
];
/** Microsoft Entra ID: the NameID is the address by default, which can be reassigned. */
const subjectAttributes = ['http://schemas.microsoft.com/identity/claims/objectidentifier'];
const emailFormat = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
const transientFormat = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';
const MAX_GROUPS = 1_000;

function personFrom(config: SamlConfig, { nameID, nameIDFormat }: Verified, assertion: Parsed): IdentityProviderUser {
  const { connection, entityId, domains, groupsAttribute } = config;
  const attributes = attributesOf(assertion);
  const first = (names: readonly string[]) => names.map((name) => attributes.get(name)?.[0]).find((text) => text);
  const id = first(subjectAttributes) ?? (nameIDFormat === transientFormat ? undefined : nameID);
  if (!id || id.length > 500) throw new SamlRefused('subject', 'the assertion names no lasting subject');
  const email = normalizeEmail(first(emailAttributes) ?? (nameIDFormat === emailFormat ? (nameID ?? '') : ''));
  if (email === undefined) throw new SamlRefused('address', 'the assertion names no address');
  // An organization vouches for addresses of its own domains only.
  if (!domains.includes(domainOf(email))) throw new SamlRefused('domain', 'the address is not one of the organization');
  const name = cleanProfileText(first(nameAttributes)) ?? email;
  const groups = groupsAttribute === undefined ? undefined : attributes.get(groupsAttribute.toLowerCase());
  return {
    connection,
    provider: 'saml',
    // Another identity provider of the same organization may use the same names.
    subject: `${createHash('sha256').update(entityId).digest('hex').slice(0, 16)}:${id}`,
    name,
    email,
    emailVerified: true,
    verifiedEmails: [email],
    onlyDomains: domains,
    profile: withoutUndefined({ name, email }),
    login: undefined,
    groups: groupsAttribute === undefined ? undefined : (groups ?? []).slice(0, MAX_GROUPS),
  };
}

/** The values of the attributes of an assertion, by name in lower case. */
function attributesOf(assertion: Parsed): ReadonlyMap<string, readonly string[]> {
  const all = elementsOf(assertion, 'AttributeStatement').flatMap((one) => elementsOf(one, 'Attribute'));
  return new Map(
    all.flatMap((attribute) => {
      const name = attribute.$?.Name?.toLowerCase();
      const values = elementsOf(attribute, 'AttributeValue').flatMap(({ _ }) => _?.trim() || []);
      return name === undefined ? [] : [[name, values] as const];
    }),
  );
}
