import { z } from 'zod';

/** Pages rendered by the server, so they are plain links about the service itself, on every page without a shell. */
export const legal = { terms: '/terms', privacy: '/privacy', contact: '/contact' };

/** The URL of the editor extension in the marketplace, as configured; undefined if unpublished. */
export const marketplace = (): string | undefined => metaContent('sightline-marketplace');

/** The contact for account questions, as configured. */
export const supportEmail = (): string | undefined => metaContent('sightline-support');

/** Whether the server finds partial words, which requires ClickHouse. */
export const supportsPartialWords = (): boolean => metaContent('sightline-parts') === 'on';

/** True on a non-production server, where testing aids are shown. */
export const isNonProduction = (): boolean => metaContent('sightline-environment') === 'development';

/** Whether emails remain on the server and are shown at /outbox. */
export const hasOutbox = (): boolean => metaContent('sightline-outbox') === 'on';

const issuerShape = z.object({ authority: z.string(), clientId: z.string(), audience: z.string() });

/** The external issuer for sign-in, if it is not our own identity provider. */
export function outsideIssuer(): z.infer<typeof issuerShape> | undefined {
  const text = metaContent('sightline-issuer');
  return text === undefined ? undefined : issuerShape.parse(JSON.parse(text));
}

const authorizeShape = z.object({
  /** The permitted schemes of editors. */
  schemes: z.array(z.string()),
  /** The permitted origins of editors in a browser. */
  origins: z.array(z.string()),
  /** Whether origins on this machine are permitted with any port. */
  localOrigins: z.boolean(),
  /** Whether a link without a challenge may contain the access token itself. */
  withToken: z.boolean(),
});
export type AuthorizeRules = z.infer<typeof authorizeShape>;

/** The permitted targets for extension sign-in; none if the page does not define them. */
export function authorizeRules(): AuthorizeRules {
  const text = metaContent('sightline-authorize');
  if (text === undefined) return { schemes: [], origins: [], localOrigins: false, withToken: false };
  return authorizeShape.parse(JSON.parse(text));
}

const metaContent = (name: string): string | undefined =>
  document.querySelector(`meta[name="${name}"]`)?.getAttribute('content') ?? undefined;
