import type { FastifyInstance } from 'fastify';
import type { Method } from '../git/merging.ts';
import type { CommitCheck, PlantedAccess, Rules } from '../git/model.ts';
import type { Person, PullRequest, PullRequestReview } from '../git/pull-request.ts';
import { fullName, type Host, peopleOf } from './host.ts';
import type { HostedRepository } from './hosted-repository.ts';
import { setPermission } from './installations.ts';
import {
  addCheck,
  addReview,
  describePull,
  dismissReview,
  mergePull,
  plantAccess,
  protectBranch,
  pushFiles,
} from './plant.ts';
import { notFound, refuse } from './refusal.ts';
import { installationJson } from './responses/installation.ts';
import { followRepository } from './webhook-events.ts';

type OfPull = { repository: string; number: number; at?: string };
type Reviewing = OfPull & { by: string; verdict?: PullRequestReview['verdict']; commit?: string };
type Dismissing = OfPull & { reviewer: string; by: string };
type Describing = OfPull & {
  title?: string;
  body?: string | null;
  labels?: string[];
  linkedIssues?: number[];
  autoMergeBy?: string;
  queuedBy?: string;
};
type Checking = { repository: string; sha: string; name: string; at?: string; status?: boolean; app?: number } & {
  conclusion?: CommitCheck['conclusion'];
};
type Protecting = {
  repository: string;
  branch?: string;
  rules: Rules | null;
  ruleset?: boolean;
  by?: string;
  at?: string;
};
type Merging = OfPull & { by: string; method?: Method; deletesBranch?: boolean; files?: Record<string, string> } & {
  isPushed?: boolean;
};
type Pushing = { repository: string; branch?: string; by: string; author?: string; message?: string; at?: string } & {
  files: Record<string, string>;
  forced?: boolean;
  signature?: string;
};
type Permitting = { installation: number; name: string; level: 'read' | 'write' | 'none' };

/**
 * Simulates host activity that git does not contain, and sends webhooks: reviews and dismissals, checks, branch
 * protection, access, merges, direct and force pushes, removed permissions, lost deliveries. People are named by login; `ghost`
 * is a deleted account.
 */
export const plantControl = (server: FastifyInstance, host: Host): void => {
  addPullRequestRoutes(server, host);
  addCommitRoutes(server, host);
  addSettingsRoutes(server, host);
};

const addPullRequestRoutes = (server: FastifyInstance, host: Host): void => {
  const pullOf = async ({ repository: name, number }: OfPull) => {
    const repository = named(host, name);
    await followRepository(host, repository);
    const pull = repository.git.pullRequests.find((candidate) => candidate.number === number);
    if (pull === undefined) throw notFound();
    return { repository, pull };
  };
  const answer = async (repository: HostedRepository, number: number): Promise<PullRequest | undefined> => {
    await host.webhooks.settled();
    return repository.git.pullRequests.find((candidate) => candidate.number === number);
  };

  server.post<{ Body: Reviewing }>('/review', { schema: { body: schemas.review } }, async (request) => {
    const { repository, pull } = await pullOf(request.body);
    const { by, verdict = 'approved', commit = pull.headSha, at } = request.body;
    await addReview(host, repository, pull, { reviewer: person(host, by), verdict, commit, at: timeOf(at) });
    return answer(repository, pull.number);
  });
  server.post<{ Body: Dismissing }>('/dismiss', { schema: { body: schemas.dismiss } }, async (request) => {
    const { repository, pull } = await pullOf(request.body);
    const { reviewer, by, at } = request.body;
    await dismissReview(host, {
      repository,
      pull,
      reviewer: person(host, reviewer),
      dismissed: { by: person(host, by), at: timeOf(at) },
    });
    return answer(repository, pull.number);
  });
  server.post<{ Body: Describing }>('/plant', { schema: { body: schemas.plant } }, async (request) => {
    const { repository, pull } = await pullOf(request.body);
    const { repository: _, number, at, autoMergeBy, queuedBy, ...said } = request.body;
    const requestBy = (by: string) => ({ by: person(host, by), at: timeOf(at) });
    await describePull(host, repository, pull, {
      ...said,
      ...(autoMergeBy !== undefined && { autoMerge: requestBy(autoMergeBy) }),
      ...(queuedBy !== undefined && { queued: requestBy(queuedBy) }),
    });
    return answer(repository, number);
  });
  server.post<{ Body: Merging }>('/merge', { schema: { body: schemas.merge } }, async (request) => {
    const { repository, pull } = await pullOf(request.body);
    const { by, method = 'merge', deletesBranch = true, files, isPushed, at } = request.body;
    await mergePull(host, repository, pull, {
      method,
      by: person(host, by),
      at: timeOf(at),
      deletesBranch,
      files,
      isPushed,
    });
    return answer(repository, pull.number);
  });
};

/** Pushes and checks of commits. */
const addCommitRoutes = (server: FastifyInstance, host: Host): void => {
  server.post<{ Body: Pushing }>('/push', { schema: { body: schemas.push } }, async (request) => {
    const { branch, by, author = by, files, message = 'Change', forced = false, signature, at } = request.body;
    const repository = named(host, request.body.repository);
    await followRepository(host, repository);
    const change = { files, message, forced };
    const to = branch ?? repository.git.defaultBranch;
    const sha = await pushFiles(host, {
      repository,
      branch: to,
      ...change,
      by: person(host, by),
      author: person(host, author),
      at: timeOf(at),
      signature,
    });
    await host.webhooks.settled();
    return { sha };
  });
  server.post<{ Body: Checking }>('/check', { schema: { body: schemas.check } }, async (request, reply) => {
    const { repository, sha, name, status: isStatus = false, app, conclusion = 'success', at } = request.body;
    const [startedAt, completedAt] = [timeOf(at), conclusion === null ? null : timeOf(at)];
    addCheck(host, named(host, repository), { sha, name, isStatus, app, conclusion, startedAt, completedAt });
    await host.webhooks.settled();
    return reply.code(204).send();
  });
};

/** Branch protection, permissions of the installation, and lost deliveries. */
const addSettingsRoutes = (server: FastifyInstance, host: Host): void => {
  server.post<{ Body: Protecting }>('/protect', { schema: { body: schemas.protect } }, async (request, reply) => {
    const { branch, rules, ruleset = false, by = peopleOf(host)[0]?.login ?? 'ghost', at } = request.body;
    const repository = named(host, request.body.repository);
    const on = branch ?? repository.git.defaultBranch;
    protectBranch(host, {
      repository,
      branch: on,
      protection: { at: timeOf(at), rules },
      isRuleset: ruleset,
      by: person(host, by),
    });
    await host.webhooks.settled();
    return reply.code(204).send();
  });
  server.post<{ Body: { repository: string; isOn: boolean } }>(
    '/protect-tags',
    { schema: { body: schemas.protectTags } },
    async (request, reply) => {
      named(host, request.body.repository).git.planted.protectsTags = request.body.isOn;
      host.savePlanted();
      return reply.code(204).send();
    },
  );
  server.post<{ Body: { repository: string } & PlantedAccess }>(
    '/access',
    { schema: { body: schemas.access } },
    async (request, reply) => {
      const { repository: name, ...access } = request.body;
      plantAccess(host, named(host, name), access);
      await host.webhooks.settled();
      return reply.code(204).send();
    },
  );
  server.post<{ Body: Permitting }>('/permissions', { schema: { body: schemas.permissions } }, async (request) => {
    const { installation: id, name, level } = request.body;
    const [installation, by] = [host.installations.get(id), peopleOf(host)[0]];
    if (installation === undefined || by === undefined) throw notFound();
    const changed = setPermission(host, { installation, name, level: level === 'none' ? null : level, by });
    await host.webhooks.settled();
    return installationJson(host, changed);
  });
  server.post<{ Body: { event?: string; times?: number } }>(
    '/lose',
    { schema: { body: schemas.lose } },
    async (request, reply) => {
      const { event = null, times = 1 } = request.body;
      host.webhooks.losing.push({ event, times });
      return reply.code(204).send();
    },
  );
};

const timeOf = (text: string | undefined): number => {
  const at = text === undefined ? Date.now() : Date.parse(text);
  if (Number.isNaN(at)) throw refuse(422, 'at is no time.');
  return at;
};

const person = (host: Host, login: string): Person => {
  if (login === 'ghost') return { name: 'ghost', email: 'ghost' };
  const user = host.users.byLogin.get(login.toLowerCase());
  if (user === undefined) throw refuse(422, `No account is named ${login}.`);
  return { name: user.name, email: user.emails[0] ?? '' };
};

const named = (host: Host, name: string): HostedRepository => {
  const found = host.repositories.find((repository) => fullName(repository).toLowerCase() === name.toLowerCase());
  if (found === undefined) throw notFound();
  return found;
};

const text = { type: 'string', minLength: 1, maxLength: 10_000 } as const;
const count = { type: 'integer', minimum: 0 } as const;
const flag = { type: 'boolean' } as const;
const conclusions = ['success', 'failure', 'neutral', 'cancelled', 'skipped', 'timed_out', 'action_required', null];

const object = (required: string[], properties: Record<string, unknown>) =>
  ({ type: 'object', required, properties, additionalProperties: false }) as const;

const ofPull = { repository: text, number: count, at: text };
const rules = object(
  ['requiredReviews', 'dismissesStale', 'allowsForcePush', 'allowsDeletion', 'includesAdmins', 'requiredChecks'],
  {
    requiredReviews: { ...count, nullable: true },
    dismissesStale: flag,
    allowsForcePush: flag,
    allowsDeletion: flag,
    includesAdmins: flag,
    requiredChecks: { type: 'array', items: text },
    checkApps: { type: 'object', additionalProperties: count },
    bypassUsers: { type: 'array', items: text },
    bypassTeams: { type: 'array', items: text },
  },
);
const role = { enum: ['read', 'triage', 'write', 'maintain', 'admin'] };
const listOf = (items: object) => ({ type: 'array', items });
const schemas = {
  review: object(['repository', 'number', 'by'], {
    ...ofPull,
    by: text,
    commit: text,
    verdict: { enum: ['approved', 'changes_requested', 'commented'] },
  }),
  dismiss: object(['repository', 'number', 'reviewer', 'by'], { ...ofPull, reviewer: text, by: text }),
  plant: object(['repository', 'number'], {
    ...ofPull,
    title: text,
    body: { ...text, minLength: 0, nullable: true },
    autoMergeBy: text,
    queuedBy: text,
    labels: { type: 'array', items: text },
    linkedIssues: { type: 'array', items: count },
  }),
  merge: object(['repository', 'number', 'by'], {
    ...ofPull,
    by: text,
    method: { enum: ['merge', 'squash', 'rebase'] },
    deletesBranch: flag,
    isPushed: flag,
    files: { type: 'object', additionalProperties: { type: 'string', maxLength: 100_000 } },
  }),
  push: object(['repository', 'by', 'files'], {
    repository: text,
    branch: text,
    by: text,
    author: text,
    message: text,
    forced: flag,
    signature: text,
    at: text,
    files: { type: 'object', additionalProperties: { type: 'string', maxLength: 100_000 } },
  }),
  check: object(['repository', 'sha', 'name'], {
    repository: text,
    sha: text,
    name: text,
    status: flag,
    app: count,
    at: text,
    conclusion: { enum: conclusions },
  }),
  protect: object(['repository', 'rules'], {
    repository: text,
    branch: text,
    by: text,
    at: text,
    ruleset: flag,
    rules: { ...rules, nullable: true },
  }),
  protectTags: object(['repository', 'isOn'], { repository: text, isOn: flag }),
  access: object(['repository', 'people', 'teams', 'keys', 'apps', 'owners'], {
    repository: text,
    people: listOf(
      object(['login', 'role', 'via'], { login: text, role, via: { enum: ['direct', 'outside', 'organization'] } }),
    ),
    teams: listOf(object(['slug', 'role', 'members'], { slug: text, role, members: listOf(text) })),
    keys: listOf(
      object(['id', 'title', 'isReadOnly', 'addedBy'], {
        id: count,
        title: text,
        isReadOnly: flag,
        addedBy: { ...text, nullable: true },
      }),
    ),
    apps: listOf(
      object(['id', 'slug', 'permissions', 'hasAllRepositories'], {
        id: count,
        slug: text,
        permissions: { type: 'object', additionalProperties: { enum: ['read', 'write'] } },
        hasAllRepositories: flag,
      }),
    ),
    owners: listOf(text),
  }),
  permissions: object(['installation', 'name', 'level'], {
    installation: count,
    name: text,
    level: { enum: ['read', 'write', 'none'] },
  }),
  lose: object([], { event: text, times: { type: 'integer', minimum: 1 } }),
};
