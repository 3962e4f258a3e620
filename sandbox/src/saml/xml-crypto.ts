import { createRequire } from 'node:module';

/** What the sandbox uses of `xml-crypto`, whose types add those of browsers to the whole program. */
interface XmlSignature {
  addReference: (options: { xpath: string; digestAlgorithm: string; transforms: string[] }) => void;
  computeSignature: (xml: string, options: { location: { reference: string; action: 'after' } }) => void;
  getSignedXml: () => string;
}

interface XmlCrypto {
  SignedXml: new (options: {
    privateKey: string;
    publicCert: string;
    signatureAlgorithm: string;
    canonicalizationAlgorithm: string;
  }) => XmlSignature;
}

const require = createRequire(import.meta.url);

export const { SignedXml } = require('xml-crypto') as XmlCrypto;
