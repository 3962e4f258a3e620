import type { RequiredApp } from '@sightline/evidence/controls/change-rows.ts';
import { z } from 'zod';
import type { HostProtection } from '#providers/host-evidence.ts';

const flag = z.looseObject({ enabled: z.boolean().default(false) }).nullish();
// A ruleset calls the app its integration. -1: any app.
const check = z.looseObject({
  context: z.string(),
  app_id: z.number().int().nullish(),
  integration_id: z.number().int().nullish(),
});
type Check = z.output<typeof check>;

type CheckRules = Pick<HostProtection, 'requiredChecks' | 'requiredCheckCount' | 'requiredApps' | 'unboundChecks'>;

/** The required checks with the apps that must report them. `apps` null: unknown. */
function checkRulesOf(names: readonly string[], apps: readonly RequiredApp[] | null): CheckRules {
  const requiredChecks = [...new Set(names)];
  const requiredApps = apps && [...new Map(apps.map((one) => [`${one.name}\n${one.app}`, one])).values()];
  return {
    requiredChecks,
    requiredCheckCount: requiredChecks.length,
    requiredApps,
    unboundChecks:
      requiredApps && requiredChecks.filter((name) => !requiredApps.some((one) => one.name === name)).length,
  };
}

const appsIn = (checks: readonly Check[]): RequiredApp[] =>
  checks.flatMap(({ context, app_id: app, integration_id: integration }) => {
    const id = app ?? integration ?? -1;
    return id > 0 ? [{ name: context, app: String(id) }] : [];
  });
const allowances = z
  .looseObject({
    users: z.array(z.unknown()).default([]),
    teams: z.array(z.unknown()).default([]),
    apps: z.array(z.unknown()).default([]),
  })
  .nullish();

const classic = z.looseObject({
  required_status_checks: z
    .looseObject({ contexts: z.array(z.string()).default([]), checks: z.array(check).default([]) })
    .nullish(),
  enforce_admins: flag,
  required_pull_request_reviews: z
    .looseObject({
      dismiss_stale_reviews: z.boolean().default(false),
      required_approving_review_count: z.number().int().default(1),
      bypass_pull_request_allowances: allowances,
    })
    .nullish(),
  allow_force_pushes: flag,
  allow_deletions: flag,
});

/** Parses the settings of a protected branch. Throws ZodError for anything else. */
export function branchProtectionFrom(json: unknown): HostProtection {
  const found = classic.parse(json);
  const reviews = found.required_pull_request_reviews;
  const bypass = reviews?.bypass_pull_request_allowances;
  const named = (bypass?.users.length ?? 0) + (bypass?.teams.length ?? 0) + (bypass?.apps.length ?? 0);
  const checks = found.required_status_checks;
  return {
    requiredReviews: reviews?.required_approving_review_count ?? 0,
    dismissesStaleReviews: reviews?.dismiss_stale_reviews ?? false,
    allowsForcePush: found.allow_force_pushes?.enabled ?? false,
    allowsDeletion: found.allow_deletions?.enabled ?? false,
    includesAdmins: (found.enforce_admins?.enabled ?? false) && named === 0,
    ...checkRulesOf(
      [...(checks?.contexts ?? []), ...(checks?.checks ?? []).map(({ context }) => context)],
      appsIn(checks?.checks ?? []),
    ),
  };
}

const shown = z.looseObject({
  protected: z.boolean(),
  protection: z
    .looseObject({
      enabled: z.boolean().nullish(),
      required_status_checks: z
        .looseObject({
          enforcement_level: z.string().nullish(),
          contexts: z.array(z.string()).default([]),
          checks: z.array(check).nullish(),
        })
        .nullish(),
    })
    .nullish(),
});

/** Parses the settings that a branch contains without permission to read all settings. */
export function disclosedProtectionFrom(json: unknown): HostProtection {
  const { protected: isProtected, protection } = shown.parse(json);
  // A branch that only rulesets protect is also reported as protected.
  if (!isProtected || protection?.enabled === false) return noProtection;
  const required = protection?.required_status_checks;
  if (!required) return unknown;
  const { contexts, checks } = required;
  return { ...unknown, ...checkRulesOf(contexts, checks ? appsIn(checks) : contexts.length === 0 ? [] : null) };
}

const unknown: HostProtection = {
  requiredReviews: null,
  dismissesStaleReviews: null,
  allowsForcePush: null,
  allowsDeletion: null,
  includesAdmins: null,
  requiredChecks: null,
  requiredCheckCount: null,
  requiredApps: null,
  unboundChecks: null,
};

/** The protection of an unprotected branch. */
export const noProtection: HostProtection = {
  requiredReviews: 0,
  dismissesStaleReviews: false,
  allowsForcePush: true,
  allowsDeletion: true,
  includesAdmins: false,
  ...checkRulesOf([], []),
};

const rule = z.looseObject({
  type: z.string(),
  ruleset_id: z.number().int().nullish(),
  parameters: z
    .looseObject({
      required_approving_review_count: z.number().int().default(0),
      dismiss_stale_reviews_on_push: z.boolean().default(false),
      required_status_checks: z.array(check).default([]),
    })
    .nullish(),
});

export type ProtectionRule = z.output<typeof rule>;

export const rulesFrom = (json: unknown): ProtectionRule[] => z.array(rule).parse(json);

const ruleset = z.looseObject({ bypass_actors: z.array(z.unknown()).nullish() });

/** Whether no actor can bypass a ruleset; null if GitHub does not disclose the actors. */
export function hasNoBypass(json: unknown): boolean | null {
  const { bypass_actors: bypass } = ruleset.parse(json);
  return bypass ? bypass.length === 0 : null;
}

const listedRuleset = z.looseObject({ id: z.number().int(), target: z.string().nullish(), enforcement: z.string() });

/** The IDs of the enforced rulesets for tags in a list of rulesets. */
export const tagRulesetIdsFrom = (json: unknown): number[] =>
  z
    .array(listedRuleset)
    .parse(json)
    .filter(({ target, enforcement }) => target === 'tag' && enforcement === 'active')
    .map(({ id }) => id);

const refNames = z.looseObject({ include: z.array(z.string()).default([]), exclude: z.array(z.string()).default([]) });
const tagRuleset = z.looseObject({
  conditions: z.looseObject({ ref_name: refNames.nullish() }).nullish(),
  rules: z.array(z.looseObject({ type: z.string() })).default([]),
});

/** The types of the rules that a ruleset applies to every tag. */
export function tagRulesFrom(json: unknown): string[] {
  const { conditions, rules } = tagRuleset.parse(json);
  const { include = [], exclude = [] } = conditions?.ref_name ?? {};
  return include.includes('~ALL') && exclude.length === 0 ? rules.map(({ type }) => type) : [];
}

/** Combines the rules of rulesets. `binds`: whether no actor can bypass them. */
export function rulesetProtectionFrom(rules: readonly ProtectionRule[], binds: boolean | null): HostProtection {
  const ofType = (type: string) => rules.filter((found) => found.type === type);
  const reviews = ofType('pull_request').map(({ parameters }) => parameters);
  const checks = ofType('required_status_checks').flatMap(({ parameters }) => parameters?.required_status_checks ?? []);
  return {
    requiredReviews: Math.max(0, ...reviews.map((rule) => rule?.required_approving_review_count ?? 0)),
    dismissesStaleReviews: reviews.some((rule) => rule?.dismiss_stale_reviews_on_push === true),
    allowsForcePush: ofType('non_fast_forward').length === 0,
    allowsDeletion: ofType('deletion').length === 0,
    includesAdmins: binds,
    ...checkRulesOf(
      checks.map(({ context }) => context),
      appsIn(checks),
    ),
  };
}

/** Combines two protections: the stricter setting applies, and an unknown setting may be stricter. */
export const stricterProtection = (one: HostProtection, other: HostProtection): HostProtection => ({
  requiredReviews: both(one.requiredReviews, other.requiredReviews, Math.max),
  dismissesStaleReviews: eitherIs(true, one.dismissesStaleReviews, other.dismissesStaleReviews),
  allowsForcePush: eitherIs(false, one.allowsForcePush, other.allowsForcePush),
  allowsDeletion: eitherIs(false, one.allowsDeletion, other.allowsDeletion),
  includesAdmins: both(one.includesAdmins, other.includesAdmins, (a, b) => a && b),
  ...stricterChecks(one, other),
});

function stricterChecks(one: CheckRules, other: CheckRules): CheckRules {
  const names = both(one.requiredChecks, other.requiredChecks, (a, b) => [...a, ...b]);
  const apps = both(one.requiredApps, other.requiredApps, (a, b) => [...a, ...b]);
  return names
    ? checkRulesOf(names, apps)
    : { requiredChecks: null, requiredCheckCount: null, requiredApps: apps, unboundChecks: null };
}

const both = <T>(one: T | null, other: T | null, join: (one: T, other: T) => T): T | null =>
  one === null || other === null ? null : join(one, other);

const eitherIs = (strict: boolean, one: boolean | null, other: boolean | null): boolean | null =>
  one === strict || other === strict ? strict : both(one, other, () => !strict);
