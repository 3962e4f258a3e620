import {
  disconnectGithub,
  finalizeGithubInstall,
  getGithubStatus,
  initiateGithubInstall,
  listGithubInstallations,
} from '@sightline/contract/sources/github.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { connectInstallation } from './connect.ts';
import { disconnectInstallation } from './disconnect.ts';
import { startAppInstallation } from './install-state.ts';
import { githubStatus, listGithubAccounts } from './queries.ts';

export function githubRoutes(app: FastifyInstance, services: Services): void {
  const { database, githubApps } = services;
  route(app, services, getGithubStatus, async ({ actor }) => {
    const github = await githubApps.find();
    return database.withOrg(actor.orgId, (tx) => githubStatus(tx, actor.orgId, github?.config));
  });
  route(app, services, initiateGithubInstall, ({ actor, query }) =>
    startAppInstallation(services, actor, query.redirectURL, query.orgId),
  );
  route(app, services, listGithubInstallations, ({ actor }) =>
    database.withOrg(actor.orgId, (tx) => listGithubAccounts(tx, actor.orgId)),
  );
  route(app, services, disconnectGithub, ({ actor, params }) =>
    disconnectInstallation(services, actor, params.installationId),
  );
  route(app, services, finalizeGithubInstall, ({ actor, query }) =>
    connectInstallation(services, actor, {
      installationId: query.installation_id,
      state: query.state,
      code: query.code,
      setupAction: query.setup_action,
    }),
  );
}
