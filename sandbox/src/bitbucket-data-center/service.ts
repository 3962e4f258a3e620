import type { CodeHostService, CodeHostServiceModule } from '../code-host-service.ts';
import { maybeCaller } from './access.ts';
import { commentRoutes } from './comments.ts';
import { commitRoutes } from './commits.ts';
import { contentRoutes } from './contents.ts';
import { dataCenterControl } from './control.ts';
import { dataCenterGit } from './git.ts';
import { hookRoutes } from './hooks.ts';
import { createDataCenter, type DataCenter, dataCenterPath } from './instance.ts';
import { memberRoutes } from './members.ts';
import { dataCenterPages, tokenPath } from './pages.ts';
import { protectionRoutes } from './protection.ts';
import { pullRoutes } from './pulls.ts';
import { answerRefusals } from './refusal.ts';
import { repositoryRoutes } from './repositories.ts';
import { sendChangeWebhooks } from './webhooks.ts';

export type DataCenterService = CodeHostService & { dataCenter: DataCenter };

const routes = [
  repositoryRoutes,
  commitRoutes,
  pullRoutes,
  contentRoutes,
  protectionRoutes,
  memberRoutes,
  hookRoutes,
  commentRoutes,
];

export const codeHost: CodeHostServiceModule<DataCenterService> = {
  name: 'bitbucket-data-center',
  create(host, file) {
    const dataCenter = createDataCenter(host, file);
    host.followers.push((change) => sendChangeWebhooks(dataCenter, change));
    const apiPath = `${dataCenterPath}/rest`;
    return {
      dataCenter,
      path: dataCenterPath,
      apiPath,
      tokenPath,
      settled: () => dataCenter.deliveries.settled(),
      async serve(server) {
        await server.register(
          async (api) => {
            answerRefusals(api);
            // Every response names the user, unless the token is unknown.
            api.addHook('onRequest', async (request, reply) => {
              const caller = maybeCaller(dataCenter, request);
              if (caller !== undefined) reply.header('x-ausername', encodeURIComponent(caller.user.login));
            });
            for (const register of routes) register(api, dataCenter);
          },
          { prefix: apiPath },
        );
        await server.register(async (control) => dataCenterControl(control, dataCenter), {
          prefix: '/_sandbox/bitbucket-data-center',
        });
        await dataCenterGit(server, dataCenter);
        dataCenterPages(server, dataCenter);
      },
    };
  },
};
