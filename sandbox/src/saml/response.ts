import { randomUUID } from 'node:crypto';
import type { SigningKey } from './certificate.ts';
import { SignedXml } from './xml-crypto.ts';

/** What an assertion states. Times in milliseconds since 1970. */
export type AssertionFacts = {
  issuer: string;
  audience: string;
  recipient: string;
  /** The ID of the request; empty for a response that no request asked for. */
  inResponseTo: string;
  nameId: string;
  nameIdFormat?: string;
  attributes: Record<string, string | readonly string[]>;
  issuedAt?: number;
  expiresAt?: number;
  authenticatedAt?: number;
};

const minute = 60_000;
const instant = (at: number): string => new Date(at).toISOString();
const escapeXml = (text: string): string => text.replaceAll(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`);

const inResponseTo = (facts: AssertionFacts): string =>
  facts.inResponseTo === '' ? '' : ` InResponseTo="${escapeXml(facts.inResponseTo)}"`;

/** An unsigned assertion. */
export const assertionXml = (facts: AssertionFacts, id = `_${randomUUID()}`): string => {
  const now = facts.issuedAt ?? Date.now();
  const expires = instant(facts.expiresAt ?? now + 5 * minute);
  const format = facts.nameIdFormat ?? 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';
  const attributes = Object.entries(facts.attributes).map(
    ([name, value]) =>
      `<saml:Attribute Name="${escapeXml(name)}">${[value]
        .flat()
        .map((one) => `<saml:AttributeValue>${escapeXml(one)}</saml:AttributeValue>`)
        .join('')}</saml:Attribute>`,
  );
  return `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${id}" Version="2.0" IssueInstant="${instant(now)}"><saml:Issuer>${escapeXml(facts.issuer)}</saml:Issuer><saml:Subject><saml:NameID Format="${format}">${escapeXml(facts.nameId)}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="${expires}" Recipient="${escapeXml(facts.recipient)}"${inResponseTo(facts)}/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${instant(now - minute)}" NotOnOrAfter="${expires}"><saml:AudienceRestriction><saml:Audience>${escapeXml(facts.audience)}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="${instant(facts.authenticatedAt ?? now)}" SessionIndex="_s1"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement><saml:AttributeStatement>${attributes.join('')}</saml:AttributeStatement></saml:Assertion>`;
};

type ResponseOptions = { id?: string; status?: 'Success' | 'Responder'; destination?: string };

/** A response around assertions, unsigned. */
export const responseXml = (
  facts: AssertionFacts,
  content: string,
  { id = `_${randomUUID()}`, status = 'Success', destination = facts.recipient }: ResponseOptions = {},
): string =>
  `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${id}" Version="2.0" IssueInstant="${instant(facts.issuedAt ?? Date.now())}" Destination="${escapeXml(destination)}"${inResponseTo(facts)}><saml:Issuer>${escapeXml(facts.issuer)}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${status}"/></samlp:Status>${content}</samlp:Response>`;

type SignOptions = { hash?: 'sha256' | 'sha1' };

/** Signs the element with this local name, and places the signature after its issuer. */
export const signElement = (
  xml: string,
  name: 'Assertion' | 'Response',
  { privateKey, certificate }: SigningKey,
  { hash = 'sha256' }: SignOptions = {},
): string => {
  const signed = new SignedXml({
    privateKey,
    publicCert: certificate,
    signatureAlgorithm:
      hash === 'sha1'
        ? 'http://www.w3.org/2000/09/xmldsig#rsa-sha1'
        : 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    canonicalizationAlgorithm: 'http://www.w3.org/2001/10/xml-exc-c14n#',
  });
  signed.addReference({
    xpath: `//*[local-name(.)='${name}']`,
    digestAlgorithm:
      hash === 'sha1' ? 'http://www.w3.org/2000/09/xmldsig#sha1' : 'http://www.w3.org/2001/04/xmlenc#sha256',
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', 'http://www.w3.org/2001/10/xml-exc-c14n#'],
  });
  signed.computeSignature(xml, {
    location: { reference: `//*[local-name(.)='${name}']/*[local-name(.)='Issuer']`, action: 'after' },
  });
  return signed.getSignedXml();
};

/** A response with a signed assertion, as most identity providers send it. */
export const signedResponse = (facts: AssertionFacts, key: SigningKey): string =>
  responseXml(facts, signElement(assertionXml(facts), 'Assertion', key));

const keyDescriptorXml = ({ certificate }: SigningKey): string =>
  `<md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>${certificate.replace(/-----[A-Z ]+-----/g, '').replace(/\s/g, '')}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`;

/** The metadata of an identity provider with one or more keys. */
export const metadataXml = (entityId: string, signInUrl: string, ...keys: readonly SigningKey[]): string =>
  `<?xml version="1.0"?><md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${escapeXml(entityId)}"><md:IDPSSODescriptor WantAuthnRequestsSigned="true" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">${keys.map(keyDescriptorXml).join('')}<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${escapeXml(signInUrl)}"/></md:IDPSSODescriptor></md:EntityDescriptor>`;
