import type { CodeHostService, CodeHostServiceModule } from '../code-host-service.ts';
import { changeRoutes } from './change-routes.ts';
import { gerritControl } from './control.ts';
import { gerritGit } from './git.ts';
import { gitilesRoutes } from './gitiles-routes.ts';
import { createGerrit, type Gerrit, gerritPath } from './instance.ts';
import { gerritPages, tokenPath } from './pages.ts';
import { projectRoutes } from './project-routes.ts';
import { answerRefusals } from './refusal.ts';
import { rightsRoutes } from './rights-routes.ts';

export type GerritService = CodeHostService & { gerrit: Gerrit };

export const codeHost: CodeHostServiceModule<GerritService> = {
  name: 'gerrit',
  create(host, file) {
    const gerrit = createGerrit(host, file);
    const apiPath = `${gerritPath}/a`;
    return {
      gerrit,
      path: gerritPath,
      apiPath,
      tokenPath,
      // Without a plugin, the product sends no webhooks.
      settled: async () => undefined,
      async serve(server) {
        await server.register(
          async (api) => {
            answerRefusals(api);
            for (const register of [projectRoutes, changeRoutes, rightsRoutes, gitilesRoutes]) register(api, gerrit);
          },
          { prefix: apiPath },
        );
        await server.register(async (control) => gerritControl(control, gerrit), { prefix: '/_sandbox/gerrit' });
        await gerritGit(server, gerrit);
        gerritPages(server, gerrit);
      },
    };
  },
};
