import { z } from 'zod';
import { HostRefused } from '#providers/code-host.ts';
import type { HostCheck, HostEvidence, HostHeadPush, HostProtection, HostPush } from '#providers/host-evidence.ts';
import type { HostPullRequest, HostRef } from '../host-facts.ts';
import { createAccess } from './access.ts';
import type { GithubApi, GithubClients } from './client.ts';
import { commitFromApi } from './commit-shapes.ts';
import {
  checkFromRun,
  checkFromStatus,
  differencesFrom,
  headPushFrom,
  mergedGithubPullRequest,
  pushFrom,
  timelineFrom,
} from './evidence-shapes.ts';
import { createGraphqlQuery } from './graphql.ts';
import { readNotes } from './notes.ts';
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
import { inRepositoryOf, linkUrlOf, readPages } from './reads.ts';

const list = z.array(z.unknown());
const runs = z.object({ check_runs: list });
// The maximum number of commits that GitHub lists for a pull request.
const MAX_COMMITS = 250;
// The maximum number of files that GitHub lists for a pull request.
const MAX_PULL_REQUEST_FILES = 3_000;
// The maximum number of files that GitHub lists for a comparison.
const MAX_FILES = 300;
const MAX_PAGES = 40;
const perPage = 100;

/** Reads evidence of changes. `apiUrl`: the base URL of the REST API. */
export function createEvidence(
  apiUrl: string,
  { asInstallation, asInstallationOften }: GithubClients,
): Required<Omit<HostEvidence, 'wasForced' | 'namesMergeCommits'>> {
  const inRepository = inRepositoryOf(asInstallation);
  const question = createGraphqlQuery(apiUrl);

  async function listPushes(ref: HostRef, branch: string, since: string) {
    const items: HostPush[] = [];
    let after: string | null = null;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const parameters = { ref: `refs/heads/${branch}`, per_page: perPage, ...(after !== null && { after }) };
      const { data, headers } = await inRepository(ref)('GET /repos/{owner}/{repo}/activity', parameters);
      const read = list.parse(data).map(pushFrom);
      items.push(...read.filter(({ at }) => at >= since));
      after = linkUrlOf(headers, 'next')?.searchParams.get('after') ?? null;
      if (after === null || read.some(({ at }) => at < since)) return { items, isWhole: true };
    }
    return { items, isWhole: false };
  }

  const readRules = async (ask: GithubApi, branch: string): Promise<HostProtection> => {
    const { data } = await ask('GET /repos/{owner}/{repo}/rules/branches/{branch}', { branch, per_page: perPage });
    const rules = rulesFrom(data);
    if (rules.length === 0) return noProtection;
    const ids = [...new Set(rules.flatMap(({ ruleset_id: id }) => id ?? []))];
    const bound = await Promise.all(ids.map((id) => readBypass(ask, id)));
    const binds = bound.includes(false) ? false : bound.includes(null) || ids.length === 0 ? null : true;
    return rulesetProtectionFrom(rules, binds);
  };

  return {
    reviewsAreFor: 'commit',
    listPushes,

    async pullsOf(ref, sha) {
      const { data } = await inRepository(ref)('GET /repos/{owner}/{repo}/commits/{sha}/pulls', {
        sha,
        per_page: perPage,
      });
      return list.parse(data).flatMap((pull) => mergedGithubPullRequest(pull) ?? []);
    },

    async pullRequestCommits(ref, number) {
      const items = [];
      for await (const { data } of readPages(inRepository(ref), 'GET /repos/{owner}/{repo}/pulls/{number}/commits', {
        number,
      })) {
        items.push(...list.parse(data).map(commitFromApi));
      }
      return { items, isWhole: items.length < MAX_COMMITS };
    },

    async pullRequestFiles(ref, number) {
      const items = [];
      for await (const { data } of readPages(inRepository(ref), 'GET /repos/{owner}/{repo}/pulls/{number}/files', {
        number,
      })) {
        items.push(...differencesFrom({ files: data }));
      }
      return { items, isWhole: items.length < MAX_PULL_REQUEST_FILES };
    },

    async pullRequestPushes(ref, { headRef, createdAt, mergedAt, isFromFork }: HostPullRequest) {
      // The app has no access to the repository of a fork.
      if (isFromFork !== false) return [];
      const day = 24 * 60 * 60 * 1000;
      const since = new Date(Date.parse(createdAt) - 90 * day).toISOString();
      const { items } = await listPushes(ref, headRef, since);
      const pushes: HostHeadPush[] = items.flatMap(headPushFrom);
      return mergedAt === null ? pushes : pushes.filter(({ at }) => at <= mergedAt);
    },

    async differenceOf(ref, base, head) {
      const parameters = { basehead: `${base}...${head}`, per_page: 1 };
      const { data } = await inRepository(ref)('GET /repos/{owner}/{repo}/compare/{basehead}', parameters);
      const items = differencesFrom(data);
      return { items, isWhole: items.length < MAX_FILES };
    },

    async timelineOf(ref, number) {
      const ask = inRepository(ref);
      const events: unknown[] = [];
      for await (const { data } of readPages(ask, 'GET /repos/{owner}/{repo}/issues/{number}/timeline', { number })) {
        events.push(...list.parse(data));
      }
      const variables = { owner: ref.owner, name: ref.name, number };
      const linked = await question(asInstallationOften(ref.installationId), linkedQuery, variables).then(
        (response) => linkedAnswer.parse(response).data?.repository?.pullRequest?.closingIssuesReferences.totalCount,
        missing,
      );
      return { ...timelineFrom(events), linkedIssues: linked };
    },

    notesOf: (ref, shas) => readNotes(inRepository(ref), shas),

    async protectionOf(ref, branch) {
      const ask = inRepository(ref);
      const settings = await ask('GET /repos/{owner}/{repo}/branches/{branch}/protection', { branch }).then(
        ({ data }) => branchProtectionFrom(data),
        async (error: unknown) => {
          if (!(error instanceof HostRefused)) throw error;
          // 404 means that the branch is not protected. With missing permission, the branch contains some settings.
          if (error.status === 404) return noProtection;
          const { data } = await ask('GET /repos/{owner}/{repo}/branches/{branch}', { branch });
          return disclosedProtectionFrom(data);
        },
      );
      const ruled = await readRules(ask, branch);
      return settings === noProtection && ruled === noProtection ? undefined : stricterOf(settings, ruled);
    },

    tagsAreProtected: (ref) => readTagProtection(inRepository(ref)),

    accessOf: createAccess(asInstallation),

    checksOf: (ref, sha) => checksOf(inRepository(ref), sha),
  };
}

async function checksOf(ask: GithubApi, sha: string): Promise<HostCheck[]> {
  const checks: HostCheck[] = [];
  for await (const { data } of readPages(ask, 'GET /repos/{owner}/{repo}/commits/{sha}/check-runs', {
    sha,
    filter: 'all',
  })) {
    checks.push(...runs.parse(data).check_runs.map(checkFromRun));
  }
  for await (const { data } of readPages(ask, 'GET /repos/{owner}/{repo}/commits/{sha}/statuses', { sha })) {
    checks.push(...list.parse(data).map((status) => checkFromStatus(status, sha)));
  }
  return checks;
}

/** Combines two protections. One without requirements does not affect the other. */
const stricterOf = (settings: HostProtection, ruled: HostProtection): HostProtection =>
  settings === noProtection ? ruled : ruled === noProtection ? settings : stricterProtection(settings, ruled);

async function readBypass(ask: GithubApi, id: number): Promise<boolean | null> {
  try {
    const { data } = await ask('GET /repos/{owner}/{repo}/rulesets/{id}', { id, includes_parents: true });
    return hasNoBypass(data);
  } catch (error) {
    if (error instanceof HostRefused) return null;
    throw error;
  }
}

/** Whether rulesets block that any tag is moved or deleted; null without permission to read them. */
async function readTagProtection(ask: GithubApi): Promise<boolean | null> {
  const types = new Set<string>();
  try {
    const pages = readPages(ask, 'GET /repos/{owner}/{repo}/rulesets', { includes_parents: true, targets: 'tag' });
    for await (const { data } of pages) {
      for (const id of tagRulesetIdsFrom(data)) {
        const ruleset = await ask('GET /repos/{owner}/{repo}/rulesets/{id}', { id, includes_parents: true });
        for (const type of tagRulesFrom(ruleset.data)) types.add(type);
      }
    }
  } catch (error) {
    if (error instanceof HostRefused) return null;
    throw error;
  }
  return types.has('update') && types.has('deletion');
}

const linkedQuery = `query ($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) { pullRequest(number: $number) { closingIssuesReferences { totalCount } } }
}`;

const linkedAnswer = z.object({
  data: z
    .object({
      repository: z
        .object({
          pullRequest: z.object({ closingIssuesReferences: z.object({ totalCount: z.number().int() }) }).nullish(),
        })
        .nullish(),
    })
    .nullish(),
});

const missing = (error: unknown): undefined => {
  if (error instanceof HostRefused) return undefined;
  throw error;
};
