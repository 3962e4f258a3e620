import { z } from 'zod';
import type { HostProtection } from '#providers/host-evidence.ts';

/** The kinds of branch policies. Their IDs are the same everywhere. */
export const policyTypes = {
  minimumReviewers: 'fa4e907d-c16b-4a4c-9dfa-4906e5d171dd',
  requiredReviewers: 'fd2167ab-b0be-447a-8ec8-39368250530e',
  build: '0609b952-1397-4640-95ec-e00a01b2c241',
  status: 'cbdc66da-9728-4af8-aada-9a5a32e4a226',
  comments: 'c6a1889d-b943-4856-b76f-9e46bb6b0df2',
  workItems: '40e92b44-2fe1-4dd6-b3d8-74a9c21d0c6e',
  mergeStrategy: 'fa4e907d-c16b-4a4c-9dfa-4916e5d171ab',
} as const;

const flag = z.boolean().nullish();
const count = z.number().int().nullish();

const settings = z.object({
  scope: z
    .array(
      z.object({
        repositoryId: z.string().nullish(),
        refName: z.string().nullish(),
        matchKind: z.string().nullish(),
      }),
    )
    .nullish(),
  minimumApproverCount: count,
  creatorVoteCounts: flag,
  resetOnSourcePush: flag,
  requireVoteOnLastIteration: flag,
  requireVoteOnEachIteration: flag,
  requiredReviewerIds: z.array(z.string()).nullish(),
  filenamePatterns: z.array(z.string()).nullish(),
  buildDefinitionId: z.number().int().nullish(),
  displayName: z.string().nullish(),
  statusName: z.string().nullish(),
  statusGenre: z.string().nullish(),
  authorId: z.string().nullish(),
});

const configuration = z.object({
  type: z.object({ id: z.string() }),
  isEnabled: flag,
  isBlocking: flag,
  isDeleted: flag,
  settings,
});

export interface Policy {
  type: string;
  /** Whether a pull request cannot be completed against it. */
  isEnforced: boolean;
  settings: z.output<typeof settings>;
}

export function readPolicy(json: unknown): Policy {
  const found = configuration.parse(json);
  return {
    type: found.type.id.toLowerCase(),
    isEnforced: found.isEnabled === true && found.isBlocking === true && found.isDeleted !== true,
    settings: found.settings,
  };
}

const branchTypes = new Set<string>(Object.values(policyTypes));

/** Whether a policy applies to a branch. Without a repository it applies to all of the project. */
export const appliesTo = (
  { type, isEnforced, settings: { scope } }: Policy,
  { repositoryId, branch, isDefault }: { repositoryId: string; branch: string; isDefault: boolean },
): boolean =>
  isEnforced &&
  branchTypes.has(type) &&
  (scope ?? []).some(({ repositoryId: id, refName, matchKind }) => {
    if (id && id.toLowerCase() !== repositoryId) return false;
    const kind = (matchKind ?? 'exact').toLowerCase();
    if (kind === 'defaultbranch') return isDefault;
    const full = `refs/heads/${branch}`;
    return kind === 'prefix' ? full.startsWith(refName ?? '') && Boolean(refName) : full === refName;
  });

type Reviews = Pick<HostProtection, 'requiredReviews' | 'dismissesStaleReviews'>;

/** Policies with file patterns do not apply to every change, so that they guarantee nothing. */
const appliesToAll = ({ settings: { filenamePatterns } }: Policy): boolean => (filenamePatterns ?? []).length === 0;

/** The reviews that policies require of others than the author. If the vote of the author counts, there is one fewer. */
export function reviewsFrom(policies: readonly Policy[]): Reviews {
  const required = policies.filter(
    (one) =>
      appliesToAll(one) && (one.type === policyTypes.minimumReviewers || one.type === policyTypes.requiredReviewers),
  );
  const counts = required.map(({ settings: { minimumApproverCount, creatorVoteCounts } }) =>
    Math.max(0, (minimumApproverCount ?? 1) - (creatorVoteCounts ? 1 : 0)),
  );
  const dismissesStaleReviews = required.some(({ settings: one }) => {
    const isVotedAgain = one.requireVoteOnLastIteration === true || one.requireVoteOnEachIteration === true;
    // One vote for the last version is enough only if one is required.
    return one.resetOnSourcePush === true || (isVotedAgain && (one.minimumApproverCount ?? 1) === 1);
  });
  return { requiredReviews: Math.max(0, ...counts), dismissesStaleReviews };
}

type Checks = Pick<HostProtection, 'requiredChecks' | 'requiredCheckCount' | 'requiredApps' | 'unboundChecks'>;

/** The statuses and builds that policies require. A status can be required of one account. */
export function checksFrom(policies: readonly Policy[]): Checks {
  const required = policies.filter(appliesToAll).flatMap((one): { name: string; app: string | null }[] => {
    const { statusGenre, statusName, authorId } = one.settings;
    if (one.type === policyTypes.build) return [{ name: buildNameOf(one), app: null }];
    if (one.type !== policyTypes.status) return [];
    return [{ name: statusNameOf(statusGenre, statusName), app: authorId ? authorId.toLowerCase() : null }];
  });
  const names = [...new Set(required.map(({ name }) => name))];
  const apps = required.flatMap(({ name, app }) => (app === null ? [] : [{ name, app }]));
  return {
    requiredChecks: names,
    requiredCheckCount: names.length,
    requiredApps: apps,
    unboundChecks: names.filter((name) => !apps.some((one) => one.name === name)).length,
  };
}

/** The name of a required build: that of its policy, else the number of its definition. */
export const buildNameOf = ({ settings: { displayName, buildDefinitionId } }: Policy): string =>
  displayName || `build ${buildDefinitionId ?? ''}`.trim();

/** The name of a status, as policies name it: `genre/name`. */
export const statusNameOf = (genre: string | null | undefined, name: string | null | undefined): string =>
  genre ? `${genre}/${name ?? ''}` : (name ?? '');
