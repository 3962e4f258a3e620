import type { FastifyInstance } from 'fastify';
import { changesOf, headOf, historyOf, resolveCommit, unlessMissing } from '../git/repository.ts';
import { fullName, type Host } from './host.ts';
import type { HostedRepository } from './hosted-repository.ts';
import { identicon } from './identicon.ts';
import { type Html, html, sendPage, serviceNames } from './page.ts';
import { timeText } from './responses/account.ts';

type RepositoryRoute = { Params: { owner: string; repo: string } };

/** The targets of html_url: repositories, pull requests and commits, and avatars. */
export const browsePages = (server: FastifyInstance, host: Host): void => {
  server.get('/', async (_, reply) => sendPage(reply, 'Sandbox', frontPage(host)));

  server.get<RepositoryRoute>('/:owner/:repo', async (request, reply) => {
    const repository = find(host, request.params);
    if (repository === undefined) return sendPage(reply, 'Not found', html`<p>No such repository.</p>`, 404);
    return sendPage(reply, fullName(repository), repositoryPage(repository));
  });
  server.get<{ Params: RepositoryRoute['Params'] & { number: string } }>(
    '/:owner/:repo/pull/:number',
    async (request, reply) => {
      const repository = find(host, request.params);
      const pull = repository?.git.pullRequests.find(({ number }) => String(number) === request.params.number);
      if (repository === undefined || pull === undefined) {
        return sendPage(reply, 'Not found', html`<p>No such pull request.</p>`, 404);
      }
      const state = pull.mergedAt === null ? pull.state : `merged ${timeText(pull.mergedAt)}`;
      const body = html`
<p class="dim">#${pull.number} in ${fullName(repository)}, by ${pull.author.name}, from <code>${pull.headRef}</code>, ${state}.</p>
${pull.body === null ? undefined : html`<pre>${pull.body}</pre>`}
<ul>${pull.commits.map((sha) => commitLink(repository, sha))}</ul>`;
      return sendPage(reply, pull.title, body);
    },
  );
  server.get<{ Params: RepositoryRoute['Params'] & { sha: string } }>(
    '/:owner/:repo/commit/:sha',
    async (request, reply) => {
      const repository = find(host, request.params);
      const commit = repository && resolveCommit(repository.git, request.params.sha);
      if (repository === undefined || commit === undefined) {
        return sendPage(reply, 'Not found', html`<p>No such commit.</p>`, 404);
      }
      const files = (await unlessMissing(changesOf(repository.git, commit.sha))) ?? [];
      const body = html`
<p class="dim"><code>${commit.sha}</code> in ${fullName(repository)}, by ${commit.author.name}, ${timeText(commit.author.at)}.</p>
<pre>${commit.message}</pre>
<ul>${files.map((file) => html`<li><code>${file.path}</code> <span class="dim">${file.status}, +${file.additions} −${file.deletions}</span></li>`)}</ul>`;
      return sendPage(reply, commit.message.split('\n', 1)[0] ?? commit.sha, body);
    },
  );
  server.get<{ Params: { id: string } }>('/avatars/u/:id', async (request, reply) =>
    reply
      .type('image/png')
      .header('cache-control', 'max-age=3600')
      .send(identicon(Number(request.params.id))),
  );
};

const find = ({ repositories }: Host, { owner, repo }: RepositoryRoute['Params']): HostedRepository | undefined =>
  repositories.find((repository) => fullName(repository).toLowerCase() === `${owner}/${repo}`.toLowerCase());

/** The paths of the other services, by what they stand for. */
const otherServices: [string, string[]][] = [
  ['Other code hosts', ['gitlab', 'bitbucket', 'gitea', 'bitbucket-data-center', 'azure-devops', 'gerrit']],
  ['Scanners', ['checkmarx', 'sonarqube', 'semgrep', 'snyk', 'dependency-track']],
  ['Issue trackers and chat', ['trackers', 'slack', 'teams']],
  ['Accounts', ['directory', 'saml']],
];

const frontPage = (host: Host): Html => html`
<p>Everything an application asks of GitHub is answered here from the git repositories below.</p>
<h2>Repositories</h2>
<ul>${host.repositories.map(
  (repository) => html`<li><a href="/${fullName(repository)}">${fullName(repository)}</a>
<span class="dim">${sizeOf(repository)}</span></li>`,
)}</ul>
${otherServices.map(
  ([group, paths]) => html`<h2>${group}</h2>
<ul>${paths.map((path) => html`<li><a href="/${path}">${serviceNames.get(path)}</a></li>`)}</ul>`,
)}
<h2>App</h2>
<ul>${[...host.installations.values()].map(
  ({ id, account }) => html`<li><a href="/settings/installations/${id}">Installed on ${account.login}</a></li>`,
)}<li><a href="/apps/${host.app.slug}/installations/new">Install</a></li></ul>`;

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const sizeOf = ({ git }: HostedRepository): string =>
  `${counted(git.commits.size, 'commit')}, ${counted(git.pullRequests.length, 'pull request')}`;

const repositoryPage = (repository: HostedRepository): Html => {
  const { git } = repository;
  const latest = historyOf(git, headOf(git)?.sha ?? '').slice(0, 20);
  const pulls = git.pullRequests.toReversed().slice(0, 20);
  return html`
<p class="dim">${counted(git.commits.size, 'commit')}, default branch <code>${git.defaultBranch}</code>.</p>
<h2>Pull requests</h2>
<ul>${pulls.map(
    ({ number, title, state, mergedAt }) => html`<li><a href="/${fullName(repository)}/pull/${number}">${title}</a>
<span class="dim">#${number}, ${mergedAt === null ? state : 'merged'}</span></li>`,
  )}</ul>
<h2>Latest commits</h2>
<ul>${latest.map(({ sha }) => commitLink(repository, sha))}</ul>`;
};

const commitLink = (repository: HostedRepository, sha: string): Html => {
  const subject = repository.git.commits.get(sha)?.message.split('\n', 1)[0] || sha;
  return html`<li><a href="/${fullName(repository)}/commit/${sha}">${subject}</a></li>`;
};
