import type { FastifyInstance } from 'fastify';
import { commentRoutes } from './comment-routes.ts';
import { commitRoutes } from './commits.ts';
import { gitlabControl } from './control.ts';
import { eventRoutes } from './events.ts';
import { fileRoutes } from './files.ts';
import { gitlabGit } from './git.ts';
import { graphqlRoutes } from './graphql.ts';
import { hookRoutes } from './hooks.ts';
import { type GitlabInstance, instancePath } from './instance.ts';
import { limitRequests } from './limits.ts';
import { memberRoutes } from './members.ts';
import { mergeRequestRoutes } from './merge-requests.ts';
import { oauthRoutes } from './oauth.ts';
import { gitlabPages } from './pages.ts';
import { pipelineRoutes } from './pipelines.ts';
import { projectRoutes } from './projects.ts';
import { protectionRoutes } from './protection.ts';
import { answerRefusals } from './refusal.ts';
import { statusCheckRoutes } from './status-checks.ts';
import { sendChangeWebhooks } from './webhook-events.ts';

/** Paths that programs send POST requests to; all other forms come from the instance's own pages. */
export const gitlabOpenPaths = [`${instancePath}/oauth/token`, `${instancePath}/oauth/revoke`];

/** Serves the instance below /gitlab and its control below /_sandbox/gitlab, and sends its webhooks on changes. */
export const serveGitlab = async (server: FastifyInstance, instance: GitlabInstance): Promise<void> => {
  const { limit } = instance;
  await server.register(
    async (api) => {
      answerRefusals(api);
      limitRequests(api, limit);
      await api.register(
        async (rest) => {
          for (const routes of restRoutes) routes(rest, instance);
        },
        { prefix: '/v4' },
      );
      graphqlRoutes(api, instance);
    },
    { prefix: `${instancePath}/api` },
  );
  await server.register(async (control) => gitlabControl(control, instance, limit), { prefix: '/_sandbox' });
  oauthRoutes(server, instance);
  await gitlabGit(server, instance);
  gitlabPages(server, instance);
  instance.host.followers.push((movement) => sendChangeWebhooks(instance, movement));
};

const restRoutes = [
  projectRoutes,
  commitRoutes,
  mergeRequestRoutes,
  memberRoutes,
  pipelineRoutes,
  protectionRoutes,
  eventRoutes,
  fileRoutes,
  hookRoutes,
  commentRoutes,
  statusCheckRoutes,
];
