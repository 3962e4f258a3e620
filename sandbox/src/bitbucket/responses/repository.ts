import type { HostedRepository } from '../../github/hosted-repository.ts';
import type { Bitbucket } from '../bitbucket.ts';
import { slugOf, timeText, uuidOf, workspaceJson } from './account.ts';

export const fullSlug = ({ owner, name }: HostedRepository): string => `${slugOf(owner.login)}/${slugOf(name)}`;

/** A repository as a nested object. */
export const repositoryRefJson = ({ api, url }: Bitbucket, repository: HostedRepository) => ({
  type: 'repository',
  full_name: fullSlug(repository),
  links: {
    self: { href: `${api}/repositories/${fullSlug(repository)}` },
    html: { href: `${url}/${fullSlug(repository)}` },
    avatar: { href: `${url}/ravatar/${encodeURIComponent(uuidOf(`repository:${repository.id}`))}?ts=default` },
  },
  name: repository.name,
  uuid: uuidOf(`repository:${repository.id}`),
});

export const repositoryJson = (bitbucket: Bitbucket, repository: HostedRepository) => {
  const { git, owner, name } = repository;
  const { links, ...ref } = repositoryRefJson(bitbucket, repository);
  const [self, workspace] = [links.self.href, workspaceJson(bitbucket, owner)];
  const isEmpty = git.commits.size === 0;
  const newest = Math.max(...[...git.refs.values()].map((sha) => git.commits.get(sha)?.committer.at ?? 0), 0);
  const more = ['watchers', 'branches', 'tags', 'commits', 'src', 'hooks', 'forks', 'downloads', 'pullrequests'];
  return {
    ...ref,
    links: {
      ...links,
      clone: [{ name: 'https', href: `${bitbucket.url}/${fullSlug(repository)}.git` }],
      ...Object.fromEntries(more.map((part) => [part === 'src' ? 'source' : part, { href: `${self}/${part}` }])),
    },
    slug: slugOf(name),
    description: '',
    scm: 'git',
    website: '',
    language: '',
    size: 0,
    fork_policy: 'allow_forks',
    owner: {
      type: 'team',
      username: workspace.slug,
      display_name: workspace.name,
      uuid: workspace.uuid,
      links: workspace.links,
    },
    workspace,
    is_private: true,
    has_issues: false,
    has_wiki: false,
    parent: null,
    created_on: timeText(Number.isFinite(git.startedAt) ? git.startedAt : 0),
    updated_on: timeText(newest),
    mainbranch: isEmpty ? null : { type: 'branch', name: git.defaultBranch },
  };
};
