import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

export interface Authenticator {
  /** The response of a browser to creation options. */
  create: (options: { challenge: string }) => Record<string, unknown>;
  /** The response of a browser to request options. */
  get: (options: { challenge: string }) => Record<string, unknown>;
  credentialId: string;
}

/** A security key in software for one site. `checksPerson` sets the user verification flag. */
export function createAuthenticator(publicUrl: string, { checksPerson = true, userHandle = '' } = {}): Authenticator {
  const { origin, hostname } = new URL(publicUrl);
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(16);
  const credentialId = id.toString('base64url');
  let counter = 0;

  const authData = (attested: Buffer) => {
    counter += 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const flags = 0x01 | (checksPerson ? 0x04 : 0) | (attested.length > 0 ? 0x40 : 0);
    return Buffer.concat([createHash('sha256').update(hostname).digest(), Buffer.of(flags), count, attested]);
  };
  const clientData = (type: string, challenge: string) => Buffer.from(JSON.stringify({ type, challenge, origin }));
  const answer = (response: Record<string, unknown>) => ({
    id: credentialId,
    rawId: credentialId,
    type: 'public-key',
    clientExtensionResults: {},
    response,
  });
  // A CBOR map of five entries: a P-256 key according to RFC 9052 and RFC 9053.
  const coseKey = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ]);

  return {
    credentialId,
    create({ challenge }) {
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.of(0, id.length), id, coseKey]);
      const data = authData(attested);
      const attestationObject = Buffer.concat([
        // { fmt: 'none', attStmt: {}, authData: … }
        Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
        Buffer.of(0x58, data.length),
        data,
      ]);
      return answer({
        clientDataJSON: clientData('webauthn.create', challenge).toString('base64url'),
        attestationObject: attestationObject.toString('base64url'),
        transports: ['usb'],
      });
    },
    get({ challenge }) {
      const data = authData(Buffer.alloc(0));
      const client = clientData('webauthn.get', challenge);
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()]);
      return answer({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
        userHandle: Buffer.from(userHandle).toString('base64url'),
      });
    },
  };
}
