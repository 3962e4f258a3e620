import type { CodeHostService, CodeHostServiceModule } from '../code-host-service.ts';
import { activityRoutes } from './activities.ts';
import { commentRoutes } from './comments.ts';
import { commitRoutes } from './commits.ts';
import { contentRoutes } from './contents.ts';
import { giteaControl } from './control.ts';
import { giteaGit } from './git.ts';
import { hookRoutes } from './hooks.ts';
import { createGitea, type Gitea, giteaPath } from './instance.ts';
import { memberRoutes } from './members.ts';
import { giteaPages, tokenPath } from './pages.ts';
import { pullRoutes } from './pulls.ts';
import { answerRefusals } from './refusal.ts';
import { repositoryRoutes } from './repositories.ts';
import { sendChangeWebhooks } from './webhooks.ts';

export type GiteaService = CodeHostService & { gitea: Gitea };

const routes = [
  repositoryRoutes,
  commitRoutes,
  pullRoutes,
  activityRoutes,
  contentRoutes,
  memberRoutes,
  hookRoutes,
  commentRoutes,
];

export const codeHost: CodeHostServiceModule<GiteaService> = {
  name: 'gitea',
  create(host, file) {
    const gitea = createGitea(host, file);
    host.followers.push((change) => sendChangeWebhooks(gitea, change));
    const apiPath = `${giteaPath}/api/v1`;
    return {
      gitea,
      path: giteaPath,
      apiPath,
      tokenPath,
      settled: () => gitea.deliveries.settled(),
      async serve(server) {
        await server.register(
          async (api) => {
            answerRefusals(api, gitea);
            for (const register of routes) register(api, gitea);
          },
          { prefix: apiPath },
        );
        await server.register(async (control) => giteaControl(control, gitea), { prefix: '/_sandbox/gitea' });
        await giteaGit(server, gitea);
        giteaPages(server, gitea);
      },
    };
  },
};
