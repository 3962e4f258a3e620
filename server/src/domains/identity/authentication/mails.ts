import { renderMail } from '#core/pages/mail.ts';
import type { MailMessage } from '#providers/mail.ts';

// The name from the sign-up is omitted: a person who signs up with another address could otherwise send text to it.

export function confirmMail(to: string, publicUrl: string, token: string): MailMessage {
  const link = `${publicUrl}/oidc/verify?token=${token}`;
  return renderMail(to, 'Confirm your email for Sightline', {
    before: ['A Sightline account was created with this email address.'],
    action: 'Confirm email address',
    link,
    after: [
      'The link is valid once, for 24 hours.',
      'If it was not you, ignore this email. The account cannot be used without this confirmation.',
    ],
  });
}

export function knownAddressMail(to: string, publicUrl: string): MailMessage {
  return renderMail(to, 'You already have a Sightline account', {
    before: [
      'A sign-up for a Sightline account used this email address.',
      'You already have an account, so nothing was changed. Sign in instead.',
    ],
    action: 'Sign in',
    link: `${publicUrl}/login`,
    after: ['If it was not you, ignore this email.'],
  });
}

export function notAdmittedMail(to: string, publicUrl: string, rule: string | undefined): MailMessage {
  return renderMail(to, 'No account was created for you at Sightline', {
    before: [
      'A sign-up for a Sightline account used this email address.',
      ...(rule === undefined ? [] : [rule]),
      'Ask an Account Owner of your organization to invite this address, then sign up again.',
    ],
    action: 'Open Sightline',
    link: `${publicUrl}/login`,
    after: ['If it was not you, ignore this email.'],
  });
}

export function resetMail(to: string, publicUrl: string, token: string): MailMessage {
  return renderMail(to, 'Choose a new password for Sightline', {
    before: ['A new password was requested for the Sightline account with this email address.'],
    action: 'Choose a new password',
    link: `${publicUrl}/oidc/reset?token=${token}`,
    after: [
      'The link is valid once, for one hour, and signs you out everywhere else.',
      'If it was not you, ignore this email. Your password stays unchanged.',
    ],
  });
}

const notices = {
  'second-factor-added': ['A second factor was added', 'A second factor was added to your Sightline account.'],
  'second-factor-removed': ['A second factor was removed', 'A second factor was removed from your Sightline account.'],
  'recovery-code-used': ['A recovery code was used', 'A recovery code was used to sign in to your Sightline account.'],
  'recovery-codes-renewed': ['New recovery codes', 'New recovery codes were created for your Sightline account.'],
  'identity-linked': [
    'A login was connected',
    'Another login was connected to your Sightline account and can now sign in to it.',
  ],
  'identity-unlinked': [
    'A login was disconnected',
    'A login was disconnected from your Sightline account and can no longer sign in to it.',
  ],
  'account-merged': ['Accounts merged', 'Another Sightline account was merged into yours after a sign-in to both.'],
  'login-refused': [
    'An attempt to access your account was blocked',
    'An attempt to access your Sightline account used a login that is not connected to it, or an invalid proof. Nothing was changed. See the audit log of your organization for details.',
  ],
  'new-device': [
    'Your account was used on a new device',
    'A new browser was used to sign in to your Sightline account.',
  ],
  'password-changed': ['Your password was changed', 'The password of your Sightline account was changed.'],
} as const;
/** A change that is reported to the owner of an account, regardless of the actor. */
export type SecurityNotice = keyof typeof notices;

export function noticeMail(to: string, publicUrl: string, notice: SecurityNotice, details?: string): MailMessage {
  const [subject, text] = notices[notice];
  return renderMail(to, subject, {
    before: [text, ...(details === undefined ? [] : [details])],
    action: 'Review your account',
    link: `${publicUrl}/account`,
    after: [`If it was you, ignore this email. If not, choose a new password immediately: ${publicUrl}/oidc/forgot`],
  });
}
