import { type Html, html } from '#core/pages/html.ts';
import type { Message } from '#providers/mail.ts';

// The name given at sign-up stays out of them: whoever signs up with a stranger's address could write to them in it.

export function confirmMail(to: string, publicUrl: string, token: string): Message {
  const link = `${publicUrl}/oidc/verify?token=${token}`;
  return messageOf(to, 'Confirm your email for Sightline', {
    before: ['Somebody, hopefully you, created a Sightline account with this email address.'],
    action: 'Confirm email address',
    link,
    after: [
      'The link works once, for 24 hours.',
      'If it was not you, do nothing: without this confirmation the account cannot be used.',
    ],
  });
}

export function knownAddressMail(to: string, publicUrl: string): Message {
  return messageOf(to, 'You already have a Sightline account', {
    before: [
      'Somebody, hopefully you, tried to create a Sightline account with this email address.',
      'There is one already, so nothing was changed. Sign in instead.',
    ],
    action: 'Sign in',
    link: `${publicUrl}/login`,
    after: ['If it was not you, you need not do anything.'],
  });
}

export function resetMail(to: string, publicUrl: string, token: string): Message {
  return messageOf(to, 'Choose a new password for Sightline', {
    before: ['Somebody, hopefully you, asked for a new password for the Sightline account with this email address.'],
    action: 'Choose a new password',
    link: `${publicUrl}/oidc/reset?token=${token}`,
    after: [
      'The link works once, for one hour, and signs you out everywhere else.',
      'If it was not you, do nothing: the password stays as it is.',
    ],
  });
}

interface Content {
  before: readonly string[];
  action: string;
  link: string;
  after: readonly string[];
}

function messageOf(to: string, subject: string, { before, action, link, after }: Content): Message {
  const paragraph = (text: string): Html => html`<p style="margin:0 0 16px">${text}</p>`;
  const button =
    'display:inline-block;padding:10px 16px;border-radius:6px;background:#1f52c4;color:#ffffff;font-weight:600;text-decoration:none';
  const body = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${subject}</title></head>
<body style="margin:0;padding:24px;font:15px/22px system-ui,sans-serif;color:#1c2024">
<div style="max-width:480px;margin:0 auto">
<p style="margin:0 0 24px;font-size:18px;font-weight:600">Sightline</p>
${before.map(paragraph)}
<p style="margin:0 0 24px"><a style="${button}" href="${link}" target="_blank">${action}</a></p>
${after.map(paragraph)}
</div></body></html>`;
  const text = [...before, `${action}: ${link}`, ...after].join('\n\n');
  return { to, subject, text: `${text}\n`, html: body.markup };
}
