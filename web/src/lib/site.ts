import { z } from 'zod';

/** Pages the server draws, so they are plain links: about the service itself, on every page without a shell. */
export const legal = { terms: '/terms', privacy: '/privacy', contact: '/contact' };

/** Where the editor extension is published, as the operator says; undefined where it is not. */
export const marketplace = (): string | undefined => told('sightline-marketplace');

/** Whom to write to about one's account, as the operator says. */
export const supportEmail = (): string | undefined => told('sightline-support');

/** Whether the server finds parts of words: it has a store for that. */
export const findsParts = (): boolean => told('sightline-parts') === 'on';

/** True on a server that says it is not production: what helps to try things out is shown only there. */
export const isTrial = (): boolean => told('sightline-environment') === 'development';

/** Whether mails stay on the server and are shown at /outbox. */
export const hasOutbox = (): boolean => told('sightline-outbox') === 'on';

const issuerShape = z.object({ authority: z.string(), clientId: z.string(), audience: z.string() });

/** The issuer that signs people in, where it is another than our own identity provider. */
export function outsideIssuer(): z.infer<typeof issuerShape> | undefined {
  const text = told('sightline-issuer');
  return text === undefined ? undefined : issuerShape.parse(JSON.parse(text));
}

const authorizeShape = z.object({
  /** Under which editors take links. */
  schemes: z.array(z.string()),
  /** Of editors that run in a browser. */
  origins: z.array(z.string()),
  /** Those of this machine are as good, whatever their port. */
  localOrigins: z.boolean(),
  /** A link without a challenge may carry the access token itself. */
  withToken: z.boolean(),
});
export type AuthorizeRules = z.infer<typeof authorizeShape>;

/** Whom the operator lets extensions be signed in through; nobody on a page that does not say. */
export function authorizeRules(): AuthorizeRules {
  const text = told('sightline-authorize');
  if (text === undefined) return { schemes: [], origins: [], localOrigins: false, withToken: false };
  return authorizeShape.parse(JSON.parse(text));
}

const told = (name: string): string | undefined =>
  document.querySelector(`meta[name="${name}"]`)?.getAttribute('content') ?? undefined;
