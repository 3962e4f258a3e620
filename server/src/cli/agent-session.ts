import { readCiBuild } from '#config.ts';
import { Invalid } from '#core/errors.ts';
import { sendLogsTo } from '#providers/sightline.ts';
import { buildRecordOf } from '../domains/tools/agent-sessions/builds.ts';
import { agentVendors } from '../domains/tools/agent-sessions/vendors.ts';
import { git, remoteOf } from './build.ts';
import { command } from './command.ts';

// The general mapping has no agent of its own.
const vendors = agentVendors.filter(({ services }) => services.length > 0);
const agents = vendors.map(({ id }) => id).join(', ');

export const attachAgentSession = command({
  name: 'agent-session attach',
  description:
    'Attaches a session of a coding agent to a build and its commit. Requires an access key for telemetry and no data directory.',
  valueName: ['SESSION'],
  options: {
    agent: { valueName: 'AGENT', description: `The agent that gave the session its ID: ${agents}.` },
    commit: { valueName: 'SHA', description: 'The commit of the build. Default: from the build or git.' },
    branch: { valueName: 'NAME', description: 'The branch of the commit. Default: from the build or git.' },
    repository: {
      valueName: 'URL',
      description: 'The URL of the repository on its code host. Default: from the build or git.',
    },
    build: { valueName: 'URL', description: 'The page of the build. Default: from the build.' },
    url: { valueName: 'URL', description: 'The URL of Sightline. Default: SIGHTLINE_URL.' },
    key: {
      valueName: 'KEY',
      description: 'An access key. Default: SIGHTLINE_KEY. Options are visible to other users of the machine.',
    },
  },
  run: async ({ options, words: [session = ''] }) => {
    const build = readCiBuild();
    const remote = remoteOf(options.url ?? build.url, options.key ?? build.key);
    const vendor = vendors.find(({ id }) => id === options.agent);
    if (!vendor) throw Invalid('--agent', `must be one of ${agents}`);
    if (!/^[\x21-\x7e]{1,200}$/.test(session))
      throw Invalid('SESSION', 'must be the ID that the agent gave its session');
    const commit = options.commit ?? build.commit ?? (await git('rev-parse', 'HEAD'));
    if (!/^([0-9a-f]{40}|[0-9a-f]{64})$/i.test(commit ?? ''))
      throw Invalid('--commit', 'must be the full SHA of a commit');
    const branch = options.branch ?? branchIn(build.ref) ?? (await git('symbolic-ref', '--short', 'HEAD'));
    const repository = options.repository ?? build.repositoryUrl ?? (await git('remote', 'get-url', 'origin'));
    const page = options.build ?? build.page;
    const attached = {
      vendor,
      session,
      commit: commit ?? '',
      branch,
      repository: repository && bare(repository),
      build: page,
    };
    await sendLogsTo(remote, buildRecordOf(attached, new Date()));
    const { vendor: _, ...json } = attached;
    const where = page === undefined ? '' : ` and the build ${page}`;
    return {
      json,
      lines: [`${vendor.name} session ${session} is attached to ${attached.commit.slice(0, 12)}${where}.`],
    };
  },
});

/** The branch in a ref; undefined for a tag or the merge of a pull request. */
const branchIn = (ref: string | undefined): string | undefined =>
  ref === undefined || (ref.startsWith('refs/') && !ref.startsWith('refs/heads/'))
    ? undefined
    : ref.replace('refs/heads/', '');

/** Without credentials. */
const bare = (url: string): string => url.replace(/^([a-z+]+:\/\/)[^@/]*@/i, '$1');
