import { UpstreamRefused } from '../upstream.ts';

/** The size of a response before it is decoded. Assertions with many groups have some ten kilobytes. */
export const MAX_RESPONSE_LENGTH = 200_000;

/**
 * Decodes a response and refuses every form that no identity provider needs, but attacks on signatures do: a second
 * response or assertion anywhere (signature wrapping), comments and other nodes that split texts, definitions of
 * entities, encrypted parts, and weak hashes. Only then does the library read it.
 */
export function decodeResponse(encoded: string): string {
  if (encoded.length > MAX_RESPONSE_LENGTH) throw new UpstreamRefused('the response is too large');
  const xml = Buffer.from(encoded, 'base64').toString('utf8');
  const withoutDeclaration = xml.replace(/^\s*<\?xml[^?>]*\?>/, '');
  for (const [form, reason] of forbiddenForms) if (form.test(withoutDeclaration)) throw new UpstreamRefused(reason);
  for (const name of ['Response', 'Assertion']) {
    if (countElements(withoutDeclaration, name) !== 1)
      throw new UpstreamRefused(`the response contains more or less than one ${name}`);
  }
  return xml;
}

const forbiddenForms: readonly (readonly [RegExp, string])[] = [
  [/<!--/, 'the response contains a comment'],
  [/<!\[CDATA\[/, 'the response contains a CDATA section'],
  [/<!/, 'the response contains a declaration'],
  [/<\?/, 'the response contains a processing instruction'],
  [/EncryptedAssertion|EncryptedID|EncryptedAttribute/, 'the response is encrypted'],
  [/xmldsig#(?:rsa-|dsa-|hmac-)?sha1\b|md5/i, 'the response uses a weak hash'],
];

const countElements = (xml: string, name: string): number =>
  xml.match(new RegExp(`<(?:[^\\s<>/"'=]+:)?${name}(?=[\\s/>])`, 'g'))?.length ?? 0;

/** A part of an assertion as the library parses it: attributes under `$`, text under `_`, elements as lists. */
export type Parsed = { readonly $?: Record<string, string>; readonly _?: string } & {
  readonly [name: string]: unknown;
};

/** The elements with a name. */
export const elementsOf = (parent: Parsed | undefined, name: string): Parsed[] => {
  const found = parent?.[name];
  return Array.isArray(found) ? found.map((one) => (typeof one === 'string' ? { _: one } : (one as Parsed))) : [];
};

/**
 * Refuses a verified assertion that is not for this request, this service and a bearer: what the library leaves to its
 * caller. `AuthnInstant` is required if `fresh`.
 */
export function checkAssertion(
  assertion: Parsed,
  {
    entityId,
    requestId,
    callbackUrl,
    audience,
    fresh,
  }: { entityId: string; requestId: string; callbackUrl: string; audience: string; fresh: boolean },
): void {
  // The library compares the issuer of logout messages only.
  const [issuer] = elementsOf(assertion, 'Issuer');
  if (issuer?._ !== entityId) throw new UpstreamRefused('the assertion is of another identity provider');
  const [subject] = elementsOf(assertion, 'Subject');
  const confirmations = elementsOf(subject, 'SubjectConfirmation').filter(
    ({ $ }) => $?.Method === 'urn:oasis:names:tc:SAML:2.0:cm:bearer',
  );
  const isConfirmed = confirmations
    .flatMap((one) => elementsOf(one, 'SubjectConfirmationData'))
    .some(
      ({ $ }) =>
        $?.InResponseTo === requestId &&
        $.Recipient === callbackUrl &&
        $.NotOnOrAfter !== undefined &&
        Date.parse($.NotOnOrAfter) > Date.now() - CLOCK_SKEW_MS,
    );
  if (!isConfirmed) throw new UpstreamRefused('the assertion does not belong to this sign-in');
  const [conditions, ...more] = elementsOf(assertion, 'Conditions');
  if (!conditions || more.length > 0) throw new UpstreamRefused('the assertion has no conditions');
  const audiences = elementsOf(conditions, 'AudienceRestriction').map((one) =>
    elementsOf(one, 'Audience').map(({ _ }) => _),
  );
  if (audiences.length === 0 || !audiences.every((names) => names.includes(audience)))
    throw new UpstreamRefused('the assertion is for another service');
  const expiry = conditions.$?.NotOnOrAfter;
  if (expiry === undefined || Date.parse(expiry) <= Date.now() - CLOCK_SKEW_MS)
    throw new UpstreamRefused('the assertion is expired');
  const [statement] = elementsOf(assertion, 'AuthnStatement');
  if (!statement) throw new UpstreamRefused('the assertion states no sign-in');
  const at = Date.parse(statement.$?.AuthnInstant ?? '');
  if (fresh && !(Date.now() - at < MAX_AGE_MS)) throw new UpstreamRefused('the sign-in is too long ago');
}

/** Clocks of identity providers may differ by this. */
export const CLOCK_SKEW_MS = 60_000;
const MAX_AGE_MS = 300_000;
