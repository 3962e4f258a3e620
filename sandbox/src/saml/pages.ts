import { inflateRawSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Directory } from '../directory/directory.ts';
import { type Html, html, sendPage } from '../github/page.ts';
import { refuse } from '../github/refusal.ts';
import { type AssertionFacts, assertionXml, metadataXml, responseXml, signedResponse } from './response.ts';
import { createSamlState, type Mistake, mistakes, replaceKey, rotateKey, type SamlState } from './state.ts';

export const samlPath = '/saml';

type Posted = { Body: Record<string, string | undefined> | undefined };
type Requested = { Querystring: Record<string, string | undefined> };

/** The request of a service, which this identity provider accepts from every service. */
type SamlRequest = { id: string; issuer: string; callbackUrl: string; relayState: string };

/**
 * A SAML 2.0 identity provider for the users of the directory: metadata, the page where a user is selected, and a page
 * with its mistakes on demand, its certificates and its portal.
 */
export const samlPages = (server: FastifyInstance, directory: Directory, urlOf: () => string): void => {
  const stateOf = samlStateOf(directory);
  const entityId = () => `${urlOf()}${samlPath}/metadata`;
  server.get(`${samlPath}/metadata`, async (_, reply) => {
    const { key, next } = await stateOf();
    const keys = next === undefined ? [key] : [key, next];
    return reply
      .type('application/samlmetadata+xml; charset=utf-8')
      .send(metadataXml(entityId(), `${urlOf()}${samlPath}/sso`, ...keys));
  });
  server.get<Requested>(`${samlPath}/sso`, async ({ query }, reply) => {
    const request = parseRequest(query.SAMLRequest, query.RelayState);
    (await stateOf()).service = { issuer: request.issuer, callbackUrl: request.callbackUrl };
    directory.save();
    return sendPage(reply, 'Sign in', choicePage(directory, request));
  });
  server.post<Posted>(`${samlPath}/sso`, async ({ body = {} }, reply) => {
    const { id = '', issuer = '', callbackUrl = '', relayState = '' } = body;
    return answer(reply, { id, issuer, callbackUrl, relayState }, body.user);
  });
  server.get(samlPath, async (_, reply) =>
    sendPage(reply, 'Identity provider', settingsPage(directory, await stateOf(), entityId())),
  );
  server.post<Posted>(`${samlPath}/portal`, async ({ body = {} }, reply) => {
    const { service } = await stateOf();
    if (service === undefined) throw refuse(422, 'No service has asked for a sign-in yet.');
    return answer(reply, { id: '', ...service, relayState: '' }, body.user);
  });
  const change = (path: string, apply: (state: SamlState, body: Record<string, string | undefined>) => unknown) =>
    server.post<Posted>(`${samlPath}/${path}`, async ({ body }, reply) => {
      await apply(await stateOf(), body ?? {});
      directory.save();
      return reply.redirect(samlPath, 303);
    });
  change('certificates/rotate', rotateKey);
  change('certificates/replace', replaceKey);
  change('mistake', (state, { mistake }) => {
    if (mistake === undefined || !(mistake in mistakes)) throw refuse(422, 'Unknown.');
    state.mistake = mistake as Mistake;
  });

  /** Sends the form that posts the response for a user to the service. */
  async function answer(reply: FastifyReply, request: SamlRequest, userId: string | undefined) {
    const user = directory.state.users.find(({ id, active }) => id === userId && active);
    if (user === undefined) throw refuse(404, 'Not found.');
    const groups = directory.state.groups.filter(({ members }) => members.includes(user.id)).map(({ name }) => name);
    const facts = {
      issuer: entityId(),
      audience: request.issuer,
      recipient: request.callbackUrl,
      inResponseTo: request.id,
      nameId: user.id,
      attributes: { email: user.email, displayName: `${user.givenName} ${user.familyName}`, groups },
    };
    return sendPage(reply, 'Signed in', answerPage(request, respond(facts, await stateOf())));
  }
};

/** The identity provider of a directory. It is stored with it, so that a connection remains valid after a restart. */
const samlStateOf = (directory: Directory): (() => Promise<SamlState>) => {
  let created: Promise<SamlState> | undefined;
  const create = async (): Promise<SamlState> => {
    directory.state.saml ??= await createSamlState();
    directory.save();
    return directory.state.saml;
  };
  return () => {
    created ??= create();
    return created;
  };
};

const minute = 60_000;

/** The response with the mistake that was selected. */
const respond = (facts: AssertionFacts, { key, mistake }: SamlState): string => {
  if (mistake === 'failure') return responseXml(facts, '', { status: 'Responder' });
  if (mistake === 'unsigned') return responseXml(facts, assertionXml(facts));
  if (mistake === 'audience') return signedResponse({ ...facts, audience: 'https://other.example/metadata' }, key);
  if (mistake === 'none') return signedResponse(facts, key);
  const issuedAt = Date.now() - 15 * minute;
  return signedResponse({ ...facts, issuedAt, expiresAt: issuedAt + 5 * minute }, key);
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

const userButtons = ({ state }: Directory, legend: string): Html => html`<fieldset><legend>${legend}</legend>
<div class="people">${state.users
  .filter(({ active }) => active)
  .map(
    ({ id, givenName, familyName, email }) =>
      html`<button name="user" value="${id}">${givenName} ${familyName}<small>${email}</small></button>`,
  )}</div></fieldset>`;

const choicePage = (directory: Directory, request: SamlRequest): Html => html`
<p>This stands for the SAML identity provider of a company. There you would be signed in; here you choose a user of the directory.</p>
<form method="post" action="${samlPath}/sso">${hiddenFields(request)}
${userButtons(directory, 'Sign in as')}</form>`;

const answerPage = ({ callbackUrl, relayState }: SamlRequest, xml: string): Html => html`
<p>A real identity provider continues by itself.</p>
<form method="post" action="${callbackUrl}">${hiddenFields({
  SAMLResponse: Buffer.from(xml).toString('base64'),
  ...(relayState !== '' && { RelayState: relayState }),
})}<button class="main">Continue</button></form>`;

const settingsPage = (directory: Directory, { next, mistake, service }: SamlState, entityId: string) => html`
<p>This stands for the SAML 2.0 identity provider of a company, such as Microsoft Entra ID or Okta. Its users are those of the directory.</p>
<h2>To connect it</h2>
<div class="panel"><p>Metadata URL: <code>${entityId}</code></p></div>
<h2>Certificates</h2>
<div class="panel"><p>${next === undefined ? 'The metadata contain one certificate.' : 'The metadata contain the next certificate too.'}</p>
<div class="row">
<form class="plain" method="post" action="${samlPath}/certificates/rotate"><button>${next === undefined ? 'Publish the next certificate' : 'Sign with the next certificate'}</button></form>
<form class="plain" method="post" action="${samlPath}/certificates/replace"><button class="danger">Replace the certificate at once</button></form>
</div></div>
<h2>Mistakes</h2>
<form method="post" action="${samlPath}/mistake"><label class="stacked">Send<select name="mistake">
${Object.entries(mistakes).map(
  ([value, label]) => html`<option value="${value}"${value === mistake ? { html: ' selected' } : ''}>${label}</option>`,
)}</select></label><button>Save</button></form>
<h2>Portal</h2>
${
  service === undefined
    ? html`<div class="panel"><p class="dim">No service has asked for a sign-in yet.</p></div>`
    : html`<form method="post" action="${samlPath}/portal">${userButtons(directory, 'Open the service as')}</form>`
}`;
