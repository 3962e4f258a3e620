import type { SamlProblem } from '@sightline/contract/identity/saml.ts';
import { parseXml, type XmlElement } from './libraries.ts';
import { SamlRefused } from './refusal.ts';

/** The size of a response before it is decoded. Assertions with many groups have some ten kilobytes. */
export const MAX_RESPONSE_LENGTH = 200_000;

/** Tags in a response: an assertion with 1,000 groups has some 2,000. The time of verification grows with their square. */
const MAX_TAGS = 3_000;

/**
 * Decodes a response and refuses every form that no identity provider needs, but attacks on signatures do: a second
 * response or assertion anywhere (signature wrapping), comments and other nodes that split texts, definitions of
 * entities, encrypted parts, and weak hashes. Only then does the library read it.
 */
export function decodeResponse(encoded: string): string {
  if (encoded.length > MAX_RESPONSE_LENGTH) throw new SamlRefused('unreadable', 'the response is too large');
  const xml = Buffer.from(encoded, 'base64').toString('utf8');
  const withoutDeclaration = xml.replace(/^\s*<\?xml[^?>]*\?>/, '');
  if (withoutDeclaration.split('<').length > MAX_TAGS)
    throw new SamlRefused('unreadable', 'the response has too many elements');
  for (const [form, reason, detail] of forbiddenForms)
    if (form.test(withoutDeclaration)) throw new SamlRefused(reason, detail);
  if (isFailure(withoutDeclaration)) throw new SamlRefused('status', 'the response states no success');
  for (const name of ['Response', 'Assertion']) {
    if (countElements(withoutDeclaration, name) !== 1)
      throw new SamlRefused('unreadable', `the response contains more or less than one ${name}`);
  }
  return xml;
}

const forbiddenForms: readonly (readonly [RegExp, SamlProblem, string])[] = [
  [/<!--/, 'unreadable', 'the response contains a comment'],
  [/<!\[CDATA\[/, 'unreadable', 'the response contains a CDATA section'],
  [/<!/, 'unreadable', 'the response contains a declaration'],
  [/<\?/, 'unreadable', 'the response contains a processing instruction'],
  [/<(?:[^\s<>/"'=]+:)?Encrypted(?:Assertion|ID|Attribute)\b/, 'encrypted', 'the response is encrypted'],
  [/xmldsig#(?:rsa-|dsa-|hmac-)?sha1\b|\bmd5\b/i, 'weak_hash', 'the response uses a weak hash'],
];

/** Whether a response without an assertion states a failure. Its signature is not checked, since it is refused anyway. */
const isFailure = (xml: string): boolean =>
  countElements(xml, 'Assertion') === 0 &&
  /<(?:[^\s<>/"'=]+:)?StatusCode\s[^<>]*Value=["'](?![^"']*:Success["'])/.test(xml);

const countElements = (xml: string, name: string): number =>
  xml.match(new RegExp(`<(?:[^\\s<>/"'=]+:)?${name}(?=[\\s/>])`, 'g'))?.length ?? 0;

const PROTOCOL_NAMESPACE = 'urn:oasis:names:tc:SAML:2.0:protocol';
const SIGNATURE_NAMESPACE = 'http://www.w3.org/2000/09/xmldsig#';

/**
 * Refuses a response that names another destination or no success. The envelope may be unsigned: the check finds
 * mistakes, and what an attacker could change there is stated in the assertion too.
 */
export function checkEnvelope(xml: string, callbackUrl: string): void {
  const root = parseXml(xml);
  if (root?.localName !== 'Response' || root.namespaceURI !== PROTOCOL_NAMESPACE)
    throw new SamlRefused('unreadable', 'the response is not valid XML');
  const destination = root.getAttribute('Destination') ?? '';
  if (destination !== '' && destination !== callbackUrl)
    throw new SamlRefused('recipient', 'the response has another destination');
  const [status] = childrenOf(root, PROTOCOL_NAMESPACE, 'Status');
  const [code] = status ? childrenOf(status, PROTOCOL_NAMESPACE, 'StatusCode') : [];
  if (code?.getAttribute('Value') !== 'urn:oasis:names:tc:SAML:2.0:status:Success')
    throw new SamlRefused('status', 'the response states no success');
  const [assertion] = Array.from(root.getElementsByTagNameNS('*', 'Assertion'));
  if (!assertion || childrenOf(assertion, SIGNATURE_NAMESPACE, 'Signature').length === 0)
    throw new SamlRefused('unsigned', 'the assertion has no signature of its own');
}

const childrenOf = (parent: XmlElement, namespace: string, name: string): XmlElement[] =>
  Array.from(parent.childNodes).filter(
    ({ namespaceURI, localName }) => namespaceURI === namespace && localName === name,
  );

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
  if (issuer?._ !== entityId) throw new SamlRefused('issuer', 'the assertion is of another identity provider');
  checkConfirmation(assertion, requestId, callbackUrl);
  const [conditions, ...more] = elementsOf(assertion, 'Conditions');
  if (!conditions || more.length > 0) throw new SamlRefused('audience', 'the assertion has no conditions');
  const audiences = elementsOf(conditions, 'AudienceRestriction').map((one) =>
    elementsOf(one, 'Audience').map(({ _ }) => _),
  );
  if (audiences.length === 0 || !audiences.every((names) => names.includes(audience)))
    throw new SamlRefused('audience', 'the assertion is for another service');
  if (!isAhead(conditions.$?.NotOnOrAfter)) throw new SamlRefused('expired', 'the assertion is expired');
  const [statement] = elementsOf(assertion, 'AuthnStatement');
  if (!statement) throw new SamlRefused('status', 'the assertion states no sign-in');
  const at = Date.parse(statement.$?.AuthnInstant ?? '');
  if (fresh && !(Date.now() - at < MAX_AGE_MS)) throw new SamlRefused('stale', 'the sign-in is too long ago');
}

/** Refuses an assertion unless its bearer may use it for this request, at this address, now. */
function checkConfirmation(assertion: Parsed, requestId: string, callbackUrl: string): void {
  const [subject] = elementsOf(assertion, 'Subject');
  const data = elementsOf(subject, 'SubjectConfirmation')
    .filter(({ $ }) => $?.Method === 'urn:oasis:names:tc:SAML:2.0:cm:bearer')
    .flatMap((one) => elementsOf(one, 'SubjectConfirmationData'));
  const own = data.filter(({ $ }) => $?.InResponseTo === requestId);
  if (own.length === 0) throw new SamlRefused('request', 'the assertion does not belong to this sign-in');
  const here = own.filter(({ $ }) => $?.Recipient === callbackUrl);
  if (here.length === 0) throw new SamlRefused('recipient', 'the assertion is for another address');
  if (!here.some(({ $ }) => isAhead($?.NotOnOrAfter)))
    throw new SamlRefused('expired', 'the confirmation of the subject is expired');
}

/** Whether a time is ahead, with the tolerance for clocks. False for a missing or invalid one. */
const isAhead = (time: string | undefined): boolean => Date.parse(time ?? '') > Date.now() - CLOCK_SKEW_MS;

/** Clocks of identity providers may differ by this. */
export const CLOCK_SKEW_MS = 60_000;
const MAX_AGE_MS = 300_000;
