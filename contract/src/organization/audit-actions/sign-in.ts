import type { AuditActionDefinition } from './definition.ts';
import { attempt, authentication, entity, sensitive, user } from './ocsf.ts';

export const signInActions = {
  'account.signed_in': { label: 'Signed in', sentence: 'signed in', ocsf: authentication('Logon') },
  'login.succeeded': {
    label: 'Signed in',
    sentence: 'signed in[ with {data.connection}]',
    ocsf: authentication('Logon'),
  },
  'login.failed': {
    label: 'Sign-in failed',
    sentence: 'failed to sign in as {subject}',
    ocsf: authentication('Logon', attempt),
  },
  'login.ended': { label: 'Signed out', sentence: 'signed out', ocsf: authentication('Logoff') },
  'login.password_reset': {
    label: 'Password reset',
    sentence: 'set a new password with an emailed link',
    ocsf: user('Password Reset', sensitive),
  },
  'login.token_issued': {
    label: 'Access token issued',
    sentence: 'issued an access token of {subject}[ for {data.minutes} minutes]',
    ocsf: user('Add Programmatic Credentials', sensitive),
  },
  'login.second_factor_added': {
    label: 'Second factor added',
    sentence: 'added a second factor[, {data.factor}]',
    ocsf: user('Enable MFA Factors', sensitive),
  },
  'login.second_factor_removed': {
    label: 'Second factor removed',
    sentence: 'removed a second factor[, {data.factor}]',
    ocsf: user('Disable MFA Factors', sensitive),
  },
  'login.second_factor_passed': {
    label: 'Second factor passed',
    sentence: 'passed the second factor[ with {data.factor}]',
    ocsf: authentication('Preauth'),
  },
  'login.second_factor_failed': {
    label: 'Second factor failed',
    sentence: 'failed the second factor[ with {data.factor}]',
    ocsf: authentication('Preauth', attempt),
  },
  'login.recovery_codes_renewed': {
    label: 'Recovery codes renewed',
    sentence: 'created new recovery codes',
    ocsf: user('Update', sensitive),
  },
  'login.break_glass_used': {
    label: 'Break-glass access used',
    sentence: 'signed in without the required single sign-on',
    mailsOwners: true,
    ocsf: authentication('Logon', sensitive),
  },
  'login.password_changed': {
    label: 'Password changed',
    sentence: 'changed the password',
    ocsf: user('Password Change', sensitive),
  },
  'login.session_ended': {
    label: 'Session ended',
    sentence: 'signed out elsewhere[, {data.sessions} sessions]',
    ocsf: authentication('Logoff'),
  },
  'identity.linked': {
    label: 'Login connected',
    sentence: 'connected a login to {subject}[, {data.connection}]',
    ocsf: user('Update', sensitive),
  },
  'identity.unlinked': {
    label: 'Login disconnected',
    sentence: 'disconnected a login of {subject}[, {data.connection}]',
    ocsf: user('Update', sensitive),
  },
  'identity.refused': {
    label: 'Login takeover attempt blocked',
    sentence: 'tried to access the account of {subject} and was blocked[: {data.reason}]',
    ocsf: authentication('Logon', { failed: true, severityId: 4 }),
  },
  'extension.signed_in': {
    label: 'Extension signed in',
    sentence: 'signed in from an extension[ for {data.program}]',
    ocsf: authentication('Logon'),
  },
  'extension.signed_out': {
    label: 'Extension signed out',
    sentence: 'signed an extension of {subject} out[, that for {data.program}][: {data.reason}]',
    ocsf: authentication('Logoff'),
  },
  'mcp_client.connected': {
    label: 'MCP client connected',
    sentence: 'connected an MCP client[, {data.program}]',
    ocsf: authentication('Logon'),
  },
  'mcp_client.disconnected': {
    label: 'MCP client disconnected',
    sentence: 'disconnected an MCP client of {subject}[, {data.program}][: {data.reason}]',
    ocsf: authentication('Logoff'),
  },
  'mcp_tool.called': {
    label: 'MCP tool called',
    sentence: 'called an MCP tool[, {data.tool}][, from {data.client}][: {data.outcome}]',
    ocsf: entity('Read'),
  },
  'account.created': {
    label: 'Account created',
    sentence: 'created an account[ with {data.connection}]',
    ocsf: user('Create'),
  },
  'account.merged': {
    label: 'Account merged',
    sentence: 'merged another of their accounts into {subject}',
    ocsf: user('Update', sensitive),
  },
  'account.described': { label: 'Profile changed', sentence: 'changed their profile', ocsf: user('Update') },
  'access_key.created': {
    label: 'Access key created',
    sentence: 'created the access key {subject}[ for {data.repository}]',
    mailsOwners: true,
    ocsf: entity('Create', sensitive),
  },
  'access_key.revoked': {
    label: 'Access key revoked',
    sentence: 'revoked the access key {subject}',
    ocsf: entity('Delete'),
  },
} as const satisfies Record<string, AuditActionDefinition>;
