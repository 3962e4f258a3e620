import { renderNoticePage, renderPage } from '#core/pages/frame.ts';
import { html } from '#core/pages/html.ts';
import type { AskedAddress } from './asked-address.ts';

export const confirmPath = '/confirm-address';

/** Asks for a click: programs that open every link of a mail confirm nothing. */
export const confirmPage = ({ address, organization }: AskedAddress, token: string): string =>
  renderPage({
    title: 'Receive ledger checkpoints',
    body: html`<h1>Receive ledger checkpoints?</h1>
<p class="lead"><b>${organization}</b> wants to send checkpoints of its ledger to <b>${address}</b>.</p>
<form method="post" action="${confirmPath}">
<input type="hidden" name="token" value="${token}">
<button class="button primary">Confirm address</button>
</form>`,
    below: html`<p class="other">Close this page if you do not want them.</p>`,
  });

export const confirmedPage = ({ address, organization }: AskedAddress): string =>
  renderNoticePage('Address confirmed', [`${address} receives the ledger checkpoints of ${organization} from now on.`]);

export const invalidLinkPage = renderNoticePage('Invalid or expired link', [
  'The link is valid once, for a week. Ask an Account Owner of the organization to send another one.',
]);
