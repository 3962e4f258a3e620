import { createVerify } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import type { SamlProblem } from '@sightline/contract/identity/saml.ts';
import { createSigningKey, type SigningKey } from '@sightline/sandbox/saml/certificate.ts';
import {
  type AssertionFacts,
  assertionXml,
  metadataXml,
  responseXml,
  signElement,
  signedResponse,
} from '@sightline/sandbox/saml/response.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { createSigningCertificate } from './certificate.ts';
import { parseXml } from './libraries.ts';
import { createSamlLogin, requestIdOf, type SamlConfig } from './login.ts';
import { parseMetadata } from './metadata.ts';

const secrets = { state: 'state', verifier: 'verifier', nonce: 'nonce' };
const entityId = 'https://idp.corp.example/metadata';
const serviceEntityId = 'https://sightline.example/oidc/upstream/saml-1/metadata';
const callbackUrl = 'https://sightline.example/oidc/upstream/saml-1/acs';
const address = 'grace@corp.example';

let key: SigningKey;
let otherKey: SigningKey;
let own: { privateKey: string; certificate: string };
let config: SamlConfig;
beforeAll(async () => {
  [key, otherKey, own] = await Promise.all([
    createSigningKey('idp'),
    createSigningKey('other'),
    createSigningCertificate('Sightline'),
  ]);
  config = {
    connection: 'saml-1',
    label: 'Corp',
    entityId,
    signInUrl: 'https://idp.corp.example/sso',
    certificates: [key.certificate],
    privateKey: own.privateKey,
    domains: ['corp.example'],
    groupsAttribute: 'groups',
    serviceEntityId,
    callbackUrl,
  };
});

const facts = (more: Partial<AssertionFacts> = {}): AssertionFacts => ({
  issuer: entityId,
  audience: serviceEntityId,
  recipient: callbackUrl,
  inResponseTo: requestIdOf(secrets.nonce),
  nameId: 'u-1001',
  attributes: { email: address, displayName: 'Grace Hopper', groups: ['Staff', 'Security'] },
  ...more,
});

const personOf = (
  xml: string,
  { fresh = false, changes = {} }: { fresh?: boolean; changes?: Partial<SamlConfig> } = {},
) =>
  createSamlLogin({ ...config, ...changes }, async () => Buffer.from(xml).toString('base64')).personOf(
    new URL(`${callbackUrl}/../callback`),
    secrets,
    { fresh },
  );

const expectRefused = (xml: string, reason: SamlProblem, options?: Parameters<typeof personOf>[1]) =>
  expect(personOf(xml, options)).rejects.toMatchObject({ name: 'UpstreamRefused', reason });

test('accepts a response with a signed assertion to its own request', async () => {
  expect(await personOf(signedResponse(facts(), key))).toMatchObject({
    connection: 'saml-1',
    provider: 'saml',
    email: address,
    emailVerified: true,
    verifiedEmails: [address],
    onlyDomains: ['corp.example'],
    name: 'Grace Hopper',
    groups: ['Staff', 'Security'],
    subject: expect.stringMatching(/^[0-9a-f]{16}:u-1001$/),
  });
});

test('accepts a response whose assertion and envelope are both signed, and the second certificate of a rotation', async () => {
  const inner = responseXml(facts(), signElement(assertionXml(facts()), 'Assertion', key));
  await personOf(signElement(inner, 'Response', key));
  const changes = { certificates: [otherKey.certificate, key.certificate] };
  await personOf(signedResponse(facts(), key), { changes });
});

describe('signature wrapping', () => {
  /** A form that is no XML would be refused for another reason. */
  const expectUnwrapped = async (xml: string) => {
    expect(parseXml(xml)?.localName).toBe('Response');
    expect(xml).toContain('u-admin');
    await expectRefused(xml, 'unreadable');
  };
  const evil = () => assertionXml(facts({ nameId: 'u-admin', attributes: { email: 'admin@corp.example' } }), '_evil');
  const signatureOf = (xml: string) => /<Signature.*?<\/Signature>/s.exec(xml)?.[0] ?? '';
  const signedAssertion = () => signElement(assertionXml(facts(), '_good'), 'Assertion', key);
  /** Puts content into the signature as an object. */
  const withObject = (signature: string, content: string) =>
    signature.replace('</Signature>', `<Object>${content}</Object></Signature>`);
  const intoEvil = (content: string) => evil().replace('</saml:Assertion>', `${content}</saml:Assertion>`);
  const afterIssuer = (assertion: string, content: string) =>
    assertion.replace('</saml:Issuer>', `</saml:Issuer>${content}`);

  const signedEnvelope = () =>
    signElement(responseXml(facts(), assertionXml(facts(), '_good'), { id: '_response' }), 'Response', key);
  const evilEnvelope = () => responseXml(facts(), evil(), { id: '_evilresponse' });

  test('1: the signed response inside the signature of another response', async () => {
    const signed = signedEnvelope();
    const signature = signatureOf(signed);
    const wrapped = withObject(signature, signed.replace(signature, ''));
    await expectUnwrapped(evilEnvelope().replace('</saml:Issuer>', `</saml:Issuer>${wrapped}`));
  });
  test('2: the signed response beside the signature in another response', async () => {
    const signed = signedEnvelope();
    const signature = signatureOf(signed);
    const detached = `${signed.replace(signature, '')}${signature}`;
    await expectUnwrapped(evilEnvelope().replace('</saml:Issuer>', `</saml:Issuer>${detached}`));
  });
  test('3: another assertion before the signed one', () =>
    expectUnwrapped(responseXml(facts(), `${evil()}${signedAssertion()}`)));
  test('4: the signed assertion inside another one', () =>
    expectUnwrapped(responseXml(facts(), intoEvil(signedAssertion()))));
  test('5: the signature moved into another assertion, the signed one beside it', () => {
    const signed = signedAssertion();
    const signature = signatureOf(signed);
    return expectUnwrapped(responseXml(facts(), `${afterIssuer(evil(), signature)}${signed.replace(signature, '')}`));
  });
  test('6: the signed assertion inside the signature of another one', () => {
    const signed = signedAssertion();
    const signature = signatureOf(signed);
    return expectUnwrapped(
      responseXml(facts(), afterIssuer(evil(), withObject(signature, signed.replace(signature, '')))),
    );
  });
  test('7: another assertion inside extensions, with the same schema', () =>
    expectUnwrapped(responseXml(facts(), `<samlp:Extensions>${evil()}</samlp:Extensions>${signedAssertion()}`)));
  test('8: the signed assertion inside an object of the signature of another assertion', () => {
    const signed = signedAssertion();
    const signature = signatureOf(signed);
    const original = signed.replace(signature, '');
    return expectUnwrapped(
      responseXml(
        facts(),
        afterIssuer(evil(), signature.replace('</Signature>', `<Object><x>${original}</x></Object></Signature>`)),
      ),
    );
  });
  test('another ID of the same value', () =>
    expectRefused(responseXml(facts(), signedAssertion(), { id: '_good' }), 'signature'));
});

describe('refuses', () => {
  test('a comment in the NameID', () => {
    const signed = signedResponse(facts({ nameId: 'admin@corp.example.evil.example' }), key);
    return expectRefused(signed.replace('admin@corp.example.evil', 'admin@corp.example<!---->.evil'), 'unreadable');
  });
  test('the response to another request, or to an earlier one again', () =>
    expectRefused(signedResponse(facts({ inResponseTo: requestIdOf('another nonce') }), key), 'request'));
  test('an assertion for another request in a response that claims this one', () => {
    const assertion = signElement(assertionXml(facts({ inResponseTo: '_other' })), 'Assertion', key);
    return expectRefused(responseXml(facts(), assertion), 'request');
  });
  test('an assertion that no request asked for', () => {
    const unsolicited = signElement(assertionXml(facts({ inResponseTo: '' })), 'Assertion', key);
    return expectRefused(responseXml(facts(), unsolicited), 'request');
  });
  test('a response that no request asked for', () =>
    expectRefused(signedResponse(facts({ inResponseTo: '' }), key), 'request'));
  test('another audience', () =>
    expectRefused(signedResponse(facts({ audience: 'https://other.example' }), key), 'audience'));
  test('no audience', () => {
    const open = assertionXml(facts()).replace(/<saml:AudienceRestriction>.*<\/saml:AudienceRestriction>/, '');
    return expectRefused(responseXml(facts(), signElement(open, 'Assertion', key)), 'audience');
  });
  test('another recipient', () => {
    const elsewhere = signElement(assertionXml(facts({ recipient: 'https://other.example/acs' })), 'Assertion', key);
    return expectRefused(responseXml(facts(), elsewhere), 'recipient');
  });
  test('another destination', () => {
    const assertion = signElement(assertionXml(facts()), 'Assertion', key);
    return expectRefused(responseXml(facts(), assertion, { destination: 'https://other.example/acs' }), 'recipient');
  });
  test('another issuer', () =>
    expectRefused(signedResponse(facts({ issuer: 'https://other.example' }), key), 'issuer'));
  test('an expired assertion', () => {
    const issuedAt = Date.now() - 600_000;
    return expectRefused(signedResponse(facts({ issuedAt, expiresAt: issuedAt + 300_000 }), key), 'expired');
  });
  test('an assertion without a readable expiry', async () => {
    for (const expiry of ['never', '']) {
      const open = assertionXml(facts()).replaceAll(/NotOnOrAfter="[^"]*"/g, `NotOnOrAfter="${expiry}"`);
      const outcome = personOf(responseXml(facts(), signElement(open, 'Assertion', key)));
      await expect(outcome).rejects.toMatchObject({ name: 'UpstreamRefused' });
    }
  });
  test('an assertion that is not valid yet', () =>
    expectRefused(signedResponse(facts({ issuedAt: Date.now() + 600_000 }), key), 'expired'));
  test('an unsigned assertion in a signed response', () =>
    expectRefused(signElement(responseXml(facts(), assertionXml(facts())), 'Response', key), 'unsigned'));
  test('an assertion of another key in a signed response', () => {
    const foreign = signElement(assertionXml(facts()), 'Assertion', otherKey);
    return expectRefused(signElement(responseXml(facts(), foreign), 'Response', key), 'signature');
  });
  test('a response with too many elements', () => {
    const groups = Array.from({ length: 1_600 }, (_, index) => `g${index}`);
    return expectRefused(signedResponse(facts({ attributes: { email: address, groups } }), key), 'unreadable');
  });
  test('an unsigned response', () => expectRefused(responseXml(facts(), assertionXml(facts())), 'unsigned'));
  test('the signature of another key', () => expectRefused(signedResponse(facts(), otherKey), 'signature'));
  test('a changed attribute', () =>
    expectRefused(signedResponse(facts(), key).replace(address, 'admin@corp.example'), 'signature'));
  test('SHA-1', () => {
    const weak = signElement(assertionXml(facts()), 'Assertion', key, { hash: 'sha1' });
    return expectRefused(responseXml(facts(), weak), 'weak_hash');
  });
  test('a document type with entities', () =>
    expectRefused(`<!DOCTYPE x [<!ENTITY e "x">]>${signedResponse(facts(), key)}`, 'unreadable'));
  test('an encrypted assertion', () =>
    expectRefused(responseXml(facts(), '<saml:EncryptedAssertion></saml:EncryptedAssertion>'), 'encrypted'));
  test('a failure, also one with an assertion', async () => {
    await expectRefused(responseXml(facts(), '', { status: 'Responder' }), 'status');
    const assertion = signElement(assertionXml(facts()), 'Assertion', key);
    await expectRefused(responseXml(facts(), assertion, { status: 'Responder' }), 'status');
  });
  test('an address of a domain that the organization did not verify', () =>
    expectRefused(signedResponse(facts({ attributes: { email: 'ceo@elsewhere.example' } }), key), 'domain'));
  test('an assertion without an address', () =>
    expectRefused(signedResponse(facts({ attributes: { displayName: 'Grace Hopper' } }), key), 'address'));
  test('a transient name without a lasting one', () => {
    const nameIdFormat = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';
    return expectRefused(signedResponse(facts({ nameIdFormat }), key), 'subject');
  });
  test('an old sign-in if a recent one is required', async () => {
    const xml = signedResponse(facts({ authenticatedAt: Date.now() - 600_000 }), key);
    await personOf(xml);
    await expectRefused(xml, 'stale', { fresh: true });
  });
  test.each([
    '',
    'no base64!',
    '<x/>',
    'x'.repeat(300_000),
    '<Response><Assertion>',
    '<Response><Assertion><Signature/></Assertion></Response>',
  ])('%.40j', (text) => expectRefused(text, 'unreadable'));
  test('a response that was not posted', () =>
    expect(
      createSamlLogin(config, async () => undefined).personOf(new URL(callbackUrl), secrets, { fresh: false }),
    ).rejects.toMatchObject({ reason: 'unreadable' }));
});

test('signs its requests, which name this service and require a new sign-in if asked', async () => {
  const login = createSamlLogin(config, async () => undefined);
  const url = new URL(await login.authorizationUrl(secrets, { redirectUri: '', fresh: true }));
  expect(url.origin + url.pathname).toBe('https://idp.corp.example/sso');
  const request = inflateRawSync(Buffer.from(url.searchParams.get('SAMLRequest') ?? '', 'base64')).toString();
  expect(request).toContain(`ID="${requestIdOf(secrets.nonce)}"`);
  expect(request).toContain('ForceAuthn="true"');
  expect(request).toContain(`AssertionConsumerServiceURL="${callbackUrl}"`);
  const signed = ['SAMLRequest', 'RelayState', 'SigAlg'].map(
    (name) => `${name}=${encodeURIComponent(url.searchParams.get(name) ?? '')}`,
  );
  const verify = createVerify('RSA-SHA256').update(signed.join('&'));
  expect(verify.verify(own.certificate, url.searchParams.get('Signature') ?? '', 'base64')).toBe(true);
});

describe('metadata', () => {
  test('of one identity provider', () => {
    expect(parseMetadata(metadataXml(entityId, 'https://idp.corp.example/sso', key))).toEqual({
      entityId,
      signInUrl: 'https://idp.corp.example/sso',
      certificates: [key.certificate],
    });
  });
  test.each([
    ['', 'XML'],
    ['<x', 'XML'],
    ['<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>', 'document type'],
    ['<x/>', 'exactly one'],
  ])('refuses %.40j', (xml, reason) => {
    expect(parseMetadata(xml)).toEqual({ problem: expect.stringContaining(reason) });
  });
  test('refuses metadata without a certificate or with another binding', () => {
    const xml = metadataXml(entityId, 'https://idp.corp.example/sso', key);
    expect(parseMetadata(xml.replace(/<md:KeyDescriptor.*<\/md:KeyDescriptor>/, ''))).toHaveProperty('problem');
    expect(parseMetadata(xml.replace('HTTP-Redirect', 'HTTP-POST'))).toHaveProperty('problem');
    expect(parseMetadata(xml.replace('MII', 'xxx'))).toHaveProperty('problem');
  });
});
