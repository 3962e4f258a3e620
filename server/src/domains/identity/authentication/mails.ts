import { mailOf } from '#core/pages/mail.ts';
import type { Message } from '#providers/mail.ts';

// The name given at sign-up stays out of them: whoever signs up with a stranger's address could write to them in it.

export function confirmMail(to: string, publicUrl: string, token: string): Message {
  const link = `${publicUrl}/oidc/verify?token=${token}`;
  return mailOf(to, 'Confirm your email for Sightline', {
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
  return mailOf(to, 'You already have a Sightline account', {
    before: [
      'Somebody, hopefully you, tried to create a Sightline account with this email address.',
      'There is one already, so nothing was changed. Sign in instead.',
    ],
    action: 'Sign in',
    link: `${publicUrl}/login`,
    after: ['If it was not you, you need not do anything.'],
  });
}

export function notAdmittedMail(to: string, publicUrl: string, rule: string | undefined): Message {
  return mailOf(to, 'No account was created for you at Sightline', {
    before: [
      'Someone, probably you, asked for a Sightline account with this email address.',
      ...(rule === undefined ? [] : [rule]),
      'Ask an Account Owner of your organization to invite this address, then sign up again.',
    ],
    action: 'Open Sightline',
    link: `${publicUrl}/login`,
    after: ['If it was not you, you need not do anything.'],
  });
}

export function resetMail(to: string, publicUrl: string, token: string): Message {
  return mailOf(to, 'Choose a new password for Sightline', {
    before: ['Somebody, hopefully you, asked for a new password for the Sightline account with this email address.'],
    action: 'Choose a new password',
    link: `${publicUrl}/oidc/reset?token=${token}`,
    after: [
      'The link works once, for one hour, and signs you out everywhere else.',
      'If it was not you, do nothing: the password stays as it is.',
    ],
  });
}

const notices = {
  'second-factor-added': ['A second factor was added', 'A second factor was added to your Sightline account.'],
  'second-factor-removed': ['A second factor was removed', 'A second factor was removed from your Sightline account.'],
  'recovery-code-used': [
    'A recovery code was used',
    'Somebody signed in to your Sightline account with a recovery code.',
  ],
  'recovery-codes-renewed': ['New recovery codes', 'New recovery codes were made for your Sightline account.'],
  'identity-linked': [
    'A login was connected',
    'Another login was connected to your Sightline account. It opens the account from now on.',
  ],
  'identity-unlinked': [
    'A login was disconnected',
    'A login was disconnected from your Sightline account. It no longer opens the account.',
  ],
  'account-merged': [
    'Two accounts became one',
    'Another Sightline account was merged into yours, after its owner had signed in to both.',
  ],
  'login-refused': [
    'An attempt to reach your account was refused',
    'Somebody tried to get at your Sightline account by a login that is not connected to it, or by a proof that was not good. Nothing was changed. The audit log of your organization has the details.',
  ],
  'new-device': [
    'Your account was used on a new device',
    'Somebody signed in to your Sightline account in a browser that it was not used in before.',
  ],
  'password-changed': ['Your password was changed', 'The password of your Sightline account was changed.'],
} as const;
/** A change of which the owner of an account hears, whoever made it. */
export type SecurityNotice = keyof typeof notices;

export function noticeMail(to: string, publicUrl: string, notice: SecurityNotice, details?: string): Message {
  const [subject, text] = notices[notice];
  return mailOf(to, subject, {
    before: [text, ...(details === undefined ? [] : [details])],
    action: 'Look at your account',
    link: `${publicUrl}/account`,
    after: [
      `If it was you, you need not do anything. If it was not, choose a new password at once: ${publicUrl}/oidc/forgot`,
    ],
  });
}
