import type { AuditActionDefinition } from './definition.ts';
import { attempt, authentication, entity, sensitive, user } from './ocsf.ts';

export const signInActions = {
  'account.signed_in': { label: 'Signed in', says: 'signed in', ocsf: authentication('Logon') },
  'login.succeeded': { label: 'Signed in', says: 'signed in[ with {data.connection}]', ocsf: authentication('Logon') },
  'login.failed': {
    label: 'Sign-in failed',
    says: 'failed to sign in as {subject}',
    ocsf: authentication('Logon', attempt),
  },
  'login.ended': { label: 'Signed out', says: 'signed out', ocsf: authentication('Logoff') },
  'login.password_reset': {
    label: 'Password reset',
    says: 'set a new password with an emailed link',
    ocsf: user('Password Reset', sensitive),
  },
  'login.token_issued': {
    label: 'Access token issued',
    says: 'issued an access token of {subject}[ for {data.minutes} minutes]',
    ocsf: user('Add Programmatic Credentials', sensitive),
  },
  'login.second_factor_added': {
    label: 'Second factor added',
    says: 'added a second factor[, {data.factor}]',
    ocsf: user('Enable MFA Factors', sensitive),
  },
  'login.second_factor_removed': {
    label: 'Second factor removed',
    says: 'removed a second factor[, {data.factor}]',
    ocsf: user('Disable MFA Factors', sensitive),
  },
  'login.second_factor_passed': {
    label: 'Second factor passed',
    says: 'passed the second factor[ with {data.factor}]',
    ocsf: authentication('Preauth'),
  },
  'login.second_factor_failed': {
    label: 'Second factor failed',
    says: 'failed the second factor[ with {data.factor}]',
    ocsf: authentication('Preauth', attempt),
  },
  'login.recovery_codes_renewed': {
    label: 'Recovery codes renewed',
    says: 'created new recovery codes',
    ocsf: user('Update', sensitive),
  },
  'login.break_glass_used': {
    label: 'Break-glass access used',
    says: 'signed in without the required single sign-on',
    mailsOwners: true,
    ocsf: authentication('Logon', sensitive),
  },
  'login.password_changed': {
    label: 'Password changed',
    says: 'changed the password',
    ocsf: user('Password Change', sensitive),
  },
  'login.session_ended': {
    label: 'Session ended',
    says: 'signed out elsewhere[, {data.sessions} sessions]',
    ocsf: authentication('Logoff'),
  },
  'identity.linked': {
    label: 'Login connected',
    says: 'connected a login to {subject}[, {data.connection}]',
    ocsf: user('Update', sensitive),
  },
  'identity.unlinked': {
    label: 'Login disconnected',
    says: 'disconnected a login of {subject}[, {data.connection}]',
    ocsf: user('Update', sensitive),
  },
  'identity.refused': {
    label: 'Login takeover attempt blocked',
    says: 'tried to access the account of {subject} and was blocked[: {data.reason}]',
    ocsf: authentication('Logon', { failed: true, severityId: 4 }),
  },
  'extension.signed_in': {
    label: 'Extension signed in',
    says: 'signed in from an extension[ for {data.program}]',
    ocsf: authentication('Logon'),
  },
  'extension.signed_out': {
    label: 'Extension signed out',
    says: 'signed an extension of {subject} out[, that for {data.program}][: {data.reason}]',
    ocsf: authentication('Logoff'),
  },
  'account.created': {
    label: 'Account created',
    says: 'created an account[ with {data.connection}]',
    ocsf: user('Create'),
  },
  'account.merged': {
    label: 'Account merged',
    says: 'merged another of their accounts into {subject}',
    ocsf: user('Update', sensitive),
  },
  'account.described': { label: 'Profile changed', says: 'changed their profile', ocsf: user('Update') },
  'access_key.created': {
    label: 'Access key created',
    says: 'created the access key {subject}[ for {data.repository}]',
    mailsOwners: true,
    ocsf: entity('Create', sensitive),
  },
  'access_key.revoked': {
    label: 'Access key revoked',
    says: 'revoked the access key {subject}',
    ocsf: entity('Delete'),
  },
} as const satisfies Record<string, AuditActionDefinition>;
