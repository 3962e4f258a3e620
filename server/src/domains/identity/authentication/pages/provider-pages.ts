import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';
import { assetUrl } from '#core/pages/assets.ts';
import { renderNoticePage, renderPage } from '#core/pages/frame.ts';
import { html } from '#core/pages/html.ts';

/** Submits the form of the provider at once; without script, the page shows a button. */
export function signingOutPage(ctx: KoaContextWithOIDC, form: string): void {
  const complete = form.replace(
    '</form>',
    '<input type="hidden" name="logout" value="yes"><button class="button primary">Sign out</button></form>',
  );
  ctx.type = 'html';
  ctx.body = renderPage({
    title: 'Sign out',
    body: html`<h1>Sign out</h1><p class="lead">You are being signed out of Sightline.</p>${{ markup: complete }}`,
    script: assetUrl('sign-out.js'),
  });
}

export function signedOutPage(ctx: KoaContextWithOIDC): void {
  ctx.type = 'html';
  ctx.body = renderNoticePage('Signed out', ['You are signed out of Sightline.'], {
    href: '/',
    label: 'Sign in again',
  });
}

/** Shown only if a response to the application would be unsafe, such as for an unknown redirect URI. */
export const errorPage: NonNullable<Configuration['renderError']> = (ctx, out) => {
  ctx.type = 'html';
  const expired = out.error_description?.includes('session') ?? false;
  ctx.body = renderNoticePage(
    'Request failed',
    [
      expired
        ? 'This sign-in expired or was completed in another tab. Start again.'
        : 'The request of the application is not supported.',
      `For support: ${out.error}${out.error_description ? `, ${out.error_description}` : ''}.`,
    ],
    { href: '/', label: 'Go to Sightline' },
  );
};
