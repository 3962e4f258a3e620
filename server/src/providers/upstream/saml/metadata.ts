import { X509Certificate } from 'node:crypto';
import { parseXml, type XmlElement } from './libraries.ts';

/** What an identity provider publishes about itself. */
export interface SamlMetadata {
  entityId: string;
  signInUrl: string;
  certificates: string[];
}

const METADATA_NAMESPACE = 'urn:oasis:names:tc:SAML:2.0:metadata';
const SIGNATURE_NAMESPACE = 'http://www.w3.org/2000/09/xmldsig#';
const REDIRECT_BINDING = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
export const MAX_METADATA_LENGTH = 500_000;
const MAX_CERTIFICATES = 5;

/** Reads the metadata of one identity provider. Returns a sentence fragment for metadata that cannot be used. */
export function parseMetadata(xml: string): SamlMetadata | { problem: string } {
  if (xml.length > MAX_METADATA_LENGTH) return { problem: 'is too large' };
  if (/<!DOCTYPE|<!ENTITY/i.test(xml)) return { problem: 'contains a document type, which is not accepted' };
  const root = parseXml(xml);
  if (!root) return { problem: 'is not valid XML' };
  const all = (parent: XmlElement, namespace: string, name: string): XmlElement[] =>
    Array.from(parent.getElementsByTagNameNS(namespace, name));
  const descriptors = [
    ...(root.localName === 'EntityDescriptor' ? [root] : all(root, METADATA_NAMESPACE, 'EntityDescriptor')),
  ].filter((one) => all(one, METADATA_NAMESPACE, 'IDPSSODescriptor').length > 0);
  const [entity] = descriptors;
  if (!entity || descriptors.length > 1) return { problem: 'must describe exactly one identity provider' };
  const [provider] = all(entity, METADATA_NAMESPACE, 'IDPSSODescriptor');
  const entityId = entity.getAttribute('entityID') ?? '';
  if (!provider || entityId === '' || entityId.length > 1000) return { problem: 'names no entity ID' };
  const service = all(provider, METADATA_NAMESPACE, 'SingleSignOnService').find(
    (one) => one.getAttribute('Binding') === REDIRECT_BINDING,
  );
  const signInUrl = service?.getAttribute('Location') ?? '';
  if (signInUrl === '') return { problem: 'names no single sign-on service with the binding HTTP-Redirect' };
  const keys = all(provider, METADATA_NAMESPACE, 'KeyDescriptor').filter(
    (one) => one.getAttribute('use') !== 'encryption',
  );
  const texts = keys
    .flatMap((one) => all(one, SIGNATURE_NAMESPACE, 'X509Certificate'))
    .map((one) => one.textContent ?? '');
  const certificates = [...new Set(texts.flatMap((text) => pemOf(text) ?? []))];
  if (certificates.length === 0) return { problem: 'contains no valid signing certificate' };
  if (certificates.length > MAX_CERTIFICATES) return { problem: `contains more than ${MAX_CERTIFICATES} certificates` };
  return { entityId, signInUrl, certificates };
}

/** A certificate in base64 or PEM as PEM; undefined if it is none. */
function pemOf(text: string): string | undefined {
  const base64 = text.replace(/-----(BEGIN|END) CERTIFICATE-----/g, '').replace(/\s+/g, '');
  try {
    return new X509Certificate(Buffer.from(base64, 'base64')).toString();
  } catch {
    return undefined;
  }
}
