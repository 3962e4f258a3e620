import { expect, test } from 'vitest';
import {
  branchProtectionFrom,
  disclosedProtectionFrom,
  hasNoBypass,
  noProtection,
  rulesetProtectionFrom,
  rulesFrom,
  stricterProtection,
  tagRulesetIdsFrom,
  tagRulesFrom,
} from './protection-shapes.ts';

const strict = {
  required_status_checks: { contexts: ['build'], checks: [{ context: 'build', app_id: 1 }, { context: 'test' }] },
  enforce_admins: { enabled: true },
  required_pull_request_reviews: { dismiss_stale_reviews: true, required_approving_review_count: 2 },
  allow_force_pushes: { enabled: false },
  allow_deletions: { enabled: false },
};

test('reads branch protection settings', () => {
  expect(branchProtectionFrom(strict)).toEqual({
    requiredReviews: 2,
    dismissesStaleReviews: true,
    allowsForcePush: false,
    allowsDeletion: false,
    includesAdmins: true,
    requiredChecks: ['build', 'test'],
    requiredCheckCount: 2,
    requiredApps: [{ name: 'build', app: '1' }],
    unboundChecks: 1,
  });
  expect(branchProtectionFrom({})).toEqual({
    requiredReviews: 0,
    dismissesStaleReviews: false,
    allowsForcePush: false,
    allowsDeletion: false,
    includesAdmins: false,
    requiredChecks: [],
    requiredCheckCount: 0,
    requiredApps: [],
    unboundChecks: 0,
  });
});

test('reports administrators as excluded when reviews can be bypassed', () => {
  const bypass = { bypass_pull_request_allowances: { users: [{ login: 'ada' }], teams: [], apps: [] } };
  const reviews = { ...strict.required_pull_request_reviews, ...bypass };
  expect(branchProtectionFrom({ ...strict, required_pull_request_reviews: reviews }).includesAdmins).toBe(false);
});

test('reads only the protection that a branch discloses and reports the rest as unknown', () => {
  expect(disclosedProtectionFrom({ protected: false })).toBe(noProtection);
  expect(disclosedProtectionFrom({ protected: true, protection: { enabled: false } })).toBe(noProtection);
  const disclosed = disclosedProtectionFrom({
    protected: true,
    protection: { enabled: true, required_status_checks: { contexts: ['build'] } },
  });
  expect(disclosed).toMatchObject({
    requiredReviews: null,
    includesAdmins: null,
    requiredChecks: ['build'],
    requiredApps: null,
  });
});

test('reads the rules of rulesets and their bypass actors', () => {
  const rules = rulesFrom([
    { type: 'pull_request', ruleset_id: 1, parameters: { required_approving_review_count: 1 } },
    { type: 'pull_request', ruleset_id: 2, parameters: { dismiss_stale_reviews_on_push: true } },
    { type: 'non_fast_forward', ruleset_id: 1 },
    {
      type: 'required_status_checks',
      parameters: { required_status_checks: [{ context: 'build', integration_id: 2 }] },
    },
  ]);
  expect(rulesetProtectionFrom(rules, null)).toEqual({
    requiredReviews: 1,
    dismissesStaleReviews: true,
    allowsForcePush: false,
    allowsDeletion: true,
    includesAdmins: null,
    requiredChecks: ['build'],
    requiredCheckCount: 1,
    requiredApps: [{ name: 'build', app: '2' }],
    unboundChecks: 0,
  });
  expect([{ bypass_actors: [] }, { bypass_actors: [{}] }, {}].map(hasNoBypass)).toEqual([true, false, null]);
});

test('reads which rules apply to every tag', () => {
  const listed = [
    { id: 1, target: 'tag', enforcement: 'active' },
    { id: 2, target: 'tag', enforcement: 'disabled' },
    { id: 3, target: 'branch', enforcement: 'active' },
  ];
  expect(tagRulesetIdsFrom(listed)).toEqual([1]);
  const rules = [{ type: 'deletion' }, { type: 'update' }];
  const ruleset = (include: string[], exclude: string[] = []) => ({
    conditions: { ref_name: { include, exclude } },
    rules,
  });
  expect(tagRulesFrom(ruleset(['~ALL']))).toEqual(['deletion', 'update']);
  expect(tagRulesFrom(ruleset(['refs/tags/v*']))).toEqual([]);
  expect(tagRulesFrom(ruleset(['~ALL'], ['refs/tags/nightly']))).toEqual([]);
  expect(tagRulesFrom({})).toEqual([]);
});

test('applies the stricter of two protections, and treats an unknown setting as possibly stricter', () => {
  const loose = { ...branchProtectionFrom({}), allowsForcePush: true };
  expect(stricterProtection(loose, branchProtectionFrom(strict))).toMatchObject({
    requiredReviews: 2,
    allowsForcePush: false,
  });
  const incomplete = { ...loose, requiredReviews: null, allowsForcePush: null, dismissesStaleReviews: null };
  expect(stricterProtection(branchProtectionFrom(strict), incomplete)).toMatchObject({
    requiredReviews: null,
    allowsForcePush: false,
    dismissesStaleReviews: true,
  });
});
