import { expect, test } from 'vitest';
import { branchStateFrom, bypassOf, protectionFrom, protectsEveryTag, ruleFrom } from './protection-shapes.ts';

const whole = { enable_push: false, block_admin_merge_override: true, required_approvals: 2 };
const protectionOf = (part: object) => protectionFrom(ruleFrom({ ...whole, ...part }));

test('a rule without a setting protects as the host does by default', () => {
  expect(protectionFrom(ruleFrom({}))).toEqual({
    requiredReviews: 0,
    dismissesStaleReviews: false,
    allowsForcePush: false,
    allowsDeletion: false,
    // Administrators can merge in spite of it.
    includesAdmins: false,
    requiredChecks: [],
    requiredCheckCount: 0,
    requiredApps: [],
    unboundChecks: 0,
  });
  expect(protectionOf({})).toMatchObject({ requiredReviews: 2, includesAdmins: true });
});

test.each([
  ['everyone who can write may push', { enable_push: true }],
  ['a person may push', { enable_push: true, enable_push_whitelist: true, push_whitelist_usernames: ['ada'] }],
  ['a team may push', { enable_push: true, enable_push_whitelist: true, push_whitelist_teams: ['core'] }],
  ['a key may push', { enable_push: true, enable_push_whitelist: true, push_whitelist_deploy_keys: true }],
  ['some files are not protected', { unprotected_file_patterns: 'docs/**' }],
  ['administrators override it', { block_admin_merge_override: false }],
])('does not include administrators if %s', (_, part) => {
  expect(protectionOf(part).includesAdmins).toBe(false);
});

test('includes administrators if only listed accounts may push, and none is listed', () => {
  expect(protectionOf({ enable_push: true, enable_push_whitelist: true }).includesAdmins).toBe(true);
  expect(protectionOf({ block_admin_merge_override: null, apply_to_admins: true }).includesAdmins).toBe(true);
});

const mayPush = { enable_push: true, enable_force_push: true };
const onlyListed = { ...mayPush, enable_force_push_allowlist: true };
test.each([
  ['everyone who may push', mayPush, true],
  ['a person', { ...onlyListed, force_push_allowlist_usernames: ['ada'] }, true],
  ['a team', { ...onlyListed, force_push_allowlist_teams: ['core'] }, true],
  ['a key', { ...onlyListed, force_push_allowlist_deploy_keys: true }, true],
  ['no account', onlyListed, false],
  ['an account that may not push at all', { enable_force_push: true }, false],
])('force pushes of %s', (_, part, isAllowed) => {
  expect(protectionOf(part).allowsForcePush).toBe(isAllowed);
});

test('the name of a required check is unknown if it is a pattern', () => {
  const checks = (...contexts: string[]) =>
    protectionOf({ enable_status_check: true, status_check_contexts: contexts });
  expect(checks('build', 'build')).toMatchObject({
    requiredChecks: ['build'],
    requiredCheckCount: 1,
    unboundChecks: 1,
  });
  expect(checks('build', 'lint/*')).toMatchObject({ requiredChecks: null, requiredCheckCount: 2 });
  expect(protectionOf({ status_check_contexts: ['build'] }).requiredChecks).toEqual([]);
});

test('a branch whose rule is not disclosed has unknown settings', () => {
  expect(branchStateFrom({ protected: true, effective_branch_protection_name: '' })).toMatchObject({
    isProtected: true,
    rule: undefined,
    disclosed: { requiredReviews: null, dismissesStaleReviews: null, allowsForcePush: null, includesAdmins: null },
  });
});

test('names who may bypass a rule', () => {
  const open = bypassOf(ruleFrom({ ...whole, enable_push: true }));
  expect([open.byPerson('bob', true, false, []), open.byPerson('bob', false, false, [])]).toEqual([true, false]);
  expect([open.byTeam('core', true, false), open.byKey(true), open.byKey(false)]).toEqual([true, true, false]);
  const listed = bypassOf(
    ruleFrom({
      ...whole,
      enable_push: true,
      enable_push_whitelist: true,
      push_whitelist_usernames: ['Ada'],
      push_whitelist_teams: ['core'],
      push_whitelist_deploy_keys: true,
    }),
  );
  expect(listed.byPerson('ada', true, false, [])).toBe(true);
  expect(listed.byPerson('bob', true, false, ['core'])).toBe(true);
  expect(listed.byPerson('bob', true, true, ['other'])).toBe(false);
  expect([listed.byTeam('core', true, false), listed.byTeam('other', true, false), listed.byKey(true)]).toEqual([
    ...[true, false, true],
  ]);
  const overridden = bypassOf(ruleFrom({ enable_push: false }));
  expect([overridden.byPerson('bob', true, true, []), overridden.byTeam('core', true, true)]).toEqual([true, true]);
  expect([overridden.byPerson('bob', true, false, []), overridden.byKey(true)]).toEqual([false, false]);
});

test.each([
  ['a rule for every tag', [{ name_pattern: '**' }], true],
  ['a rule with an exception for a person', [{ name_pattern: '*', whitelist_usernames: ['ada'] }], false],
  ['a rule with an exception for a team', [{ name_pattern: '*', whitelist_teams: ['core'] }], false],
  ['a rule for some tags', [{ name_pattern: 'v*' }], false],
  ['no rule', null, false],
])('%s protects every tag: %j', (_, rules, isProtected) => {
  expect(protectsEveryTag(rules)).toBe(isProtected);
});
