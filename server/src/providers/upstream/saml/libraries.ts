import { createRequire } from 'node:module';

/*
 * The types of both libraries add those of browsers to the whole program, where they change unrelated code. Only what is used
 * is declared here.
 */

export interface SamlOptions {
  entryPoint: string;
  callbackUrl: string;
  issuer: string;
  audience: string;
  idpIssuer: string;
  idpCert: string[];
  privateKey: string;
  signatureAlgorithm: 'sha256' | 'sha512';
  digestAlgorithm: 'sha256' | 'sha512';
  wantAssertionsSigned: boolean;
  wantAuthnResponseSigned: boolean;
  validateInResponseTo: 'always';
  cacheProvider: {
    saveAsync: (key: string, value: string) => Promise<null>;
    getAsync: (key: string | null) => Promise<string | null>;
    removeAsync: (key: string | null) => Promise<null>;
  };
  generateUniqueId: () => string;
  acceptedClockSkewMs: number;
  maxAssertionAgeMs: number;
  identifierFormat: null;
  disableRequestedAuthnContext: boolean;
  forceAuthn: boolean;
}

export interface SamlClient {
  getAuthorizeUrlAsync: (relayState: string, host: undefined, options: object) => Promise<string>;
}

interface SamlLibrary {
  SAML: new (options: SamlOptions) => SamlClient;
  generateServiceProviderMetadata: (options: {
    issuer: string;
    callbackUrl: string;
    wantAssertionsSigned: boolean;
    publicCerts: string | null;
    privateKey?: string;
    identifierFormat: null;
  }) => string;
}

/** An element of a parsed document. */
export interface XmlElement {
  readonly localName: string | null;
  readonly namespaceURI: string | null;
  readonly textContent: string | null;
  getAttribute: (name: string) => string | null;
  readonly childNodes: ArrayLike<XmlElement>;
  getElementsByTagNameNS: (namespace: string, name: string) => ArrayLike<XmlElement>;
}

interface XmlLibrary {
  DOMParser: new (options: {
    errorHandler: Record<'warning' | 'error' | 'fatalError', (message: string) => void>;
  }) => { parseFromString: (text: string, type: 'text/xml') => { documentElement: XmlElement | null } };
}

const require = createRequire(import.meta.url);

/** For threads, which load the library themselves. */
export const libraryPath = require.resolve('@node-saml/node-saml');
export const { SAML, generateServiceProviderMetadata } = require('@node-saml/node-saml') as SamlLibrary;
const { DOMParser } = require('@xmldom/xmldom') as XmlLibrary;

/** The root element of a document; undefined for a document that is not well-formed. Callers refuse document types. */
export function parseXml(text: string): XmlElement | undefined {
  const failures: string[] = [];
  const fail = (message: string) => failures.push(message);
  try {
    const parser = new DOMParser({ errorHandler: { warning: () => {}, error: fail, fatalError: fail } });
    const root = parser.parseFromString(text, 'text/xml').documentElement;
    return failures.length > 0 || !root ? undefined : root;
  } catch {
    return undefined;
  }
}
