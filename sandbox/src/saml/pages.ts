import { inflateRawSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import type { Directory } from '../directory/directory.ts';
import { type Html, html, sendPage } from '../github/page.ts';
import { refuse } from '../github/refusal.ts';
import { createSigningKey, type SigningKey } from './certificate.ts';
import { metadataXml, signedResponse } from './response.ts';

export const samlPath = '/saml';

type Posted = { Body: Record<string, string | undefined> | undefined };
type Requested = { Querystring: Record<string, string | undefined> };

/** The request of a service, which this identity provider accepts from every service. */
type SamlRequest = { id: string; issuer: string; callbackUrl: string; relayState: string };

/** A SAML 2.0 identity provider for the users of the directory: metadata, and the page where a user is selected. */
export const samlPages = (server: FastifyInstance, directory: Directory, urlOf: () => string): void => {
  let created: Promise<SigningKey> | undefined;
  const keyOf = (): Promise<SigningKey> => {
    created ??= keepKey(directory);
    return created;
  };
  const entityId = () => `${urlOf()}${samlPath}/metadata`;
  server.get(`${samlPath}/metadata`, async (_, reply) =>
    reply
      .type('application/samlmetadata+xml; charset=utf-8')
      .send(metadataXml(entityId(), `${urlOf()}${samlPath}/sso`, await keyOf())),
  );
  server.get<Requested>(`${samlPath}/sso`, async ({ query }, reply) => {
    const request = parseRequest(query.SAMLRequest, query.RelayState);
    return sendPage(reply, 'Sign in', choicePage(directory, request));
  });
  server.post<Posted>(`${samlPath}/sso`, async ({ body = {} }, reply) => {
    const user = directory.state.users.find(({ id, active }) => id === body.user && active);
    if (user === undefined) throw refuse(404, 'Not found.');
    const { id = '', issuer = '', callbackUrl = '', relayState = '' } = body;
    const groups = directory.state.groups.filter(({ members }) => members.includes(user.id)).map(({ name }) => name);
    const xml = signedResponse(
      {
        issuer: entityId(),
        audience: issuer,
        recipient: callbackUrl,
        inResponseTo: id,
        nameId: user.id,
        attributes: { email: user.email, displayName: `${user.givenName} ${user.familyName}`, groups },
      },
      await keyOf(),
    );
    return sendPage(reply, 'Signed in', answerPage({ id, issuer, callbackUrl, relayState }, xml));
  });
};

/** The key is stored with the directory, so that a connection remains valid after a restart. */
const keepKey = async (directory: Directory): Promise<SigningKey> => {
  directory.state.samlKey ??= await createSigningKey('Sandbox identity provider');
  directory.save();
  return directory.state.samlKey;
};

const parseRequest = (encoded = '', relayState = ''): SamlRequest => {
  let xml: string;
  try {
    xml = inflateRawSync(Buffer.from(encoded, 'base64'), { maxOutputLength: 100_000 }).toString();
  } catch {
    throw refuse(400, 'The request is not readable.');
  }
  const id = /<samlp:AuthnRequest[^>]*\sID="([^"]+)"/.exec(xml)?.[1];
  const callbackUrl = /AssertionConsumerServiceURL="(https?:[^"]+)"/.exec(xml)?.[1];
  const issuer = /<saml:Issuer[^>]*>([^<]+)</.exec(xml)?.[1];
  if (id === undefined || callbackUrl === undefined || issuer === undefined)
    throw refuse(400, 'The request is not readable.');
  return { id, issuer, callbackUrl, relayState };
};

const hiddenFields = (fields: Record<string, string>): Html[] =>
  Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);

const choicePage = ({ state }: Directory, request: SamlRequest): Html => html`
<p>This stands for the SAML identity provider of a company. There you would be signed in; here you choose a user of the directory.</p>
<form method="post" action="${samlPath}/sso">${hiddenFields(request)}
<fieldset><legend>Sign in as</legend><div class="people">${state.users
  .filter(({ active }) => active)
  .map(
    ({ id, givenName, familyName, email }) =>
      html`<button name="user" value="${id}">${givenName} ${familyName}<small>${email}</small></button>`,
  )}</div></fieldset></form>`;

const answerPage = ({ callbackUrl, relayState }: SamlRequest, xml: string): Html => html`
<p>A real identity provider continues by itself.</p>
<form method="post" action="${callbackUrl}">${hiddenFields({
  SAMLResponse: Buffer.from(xml).toString('base64'),
  RelayState: relayState,
})}<button class="main">Continue</button></form>`;
