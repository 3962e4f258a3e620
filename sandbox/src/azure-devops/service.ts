import type { CodeHostService, CodeHostServiceModule } from '../code-host-service.ts';
import { type AzureDevops, collectionPath, createAzureDevops } from './collection.ts';
import { commitRoutes } from './commits.ts';
import { azureDevopsControl } from './control.ts';
import { azureDevopsGit } from './git.ts';
import { hookRoutes } from './hooks.ts';
import { azureDevopsPages, tokenPath } from './pages.ts';
import { policyRoutes } from './policies.ts';
import { pullRoutes } from './pulls.ts';
import { pushRoutes } from './pushes.ts';
import { answerRefusals, refuse } from './refusal.ts';
import { repositoryRoutes } from './repositories.ts';
import { securityRoutes } from './security.ts';
import { statusRoutes } from './statuses.ts';
import { threadRoutes } from './threads.ts';
import { sendChangeWebhooks } from './webhooks.ts';

export type AzureDevopsService = CodeHostService & { azureDevops: AzureDevops };

const routes = [
  repositoryRoutes,
  commitRoutes,
  pushRoutes,
  pullRoutes,
  threadRoutes,
  statusRoutes,
  policyRoutes,
  securityRoutes,
  hookRoutes,
];

/** Resources that exist as a preview only. */
const previews = /\/_apis\/(?:connectionData|policy\/evaluations)/;

export const codeHost: CodeHostServiceModule<AzureDevopsService> = {
  name: 'azure-devops',
  create(host, file) {
    const azureDevops = createAzureDevops(host, file);
    host.followers.push((change) => sendChangeWebhooks(azureDevops, change));
    return {
      azureDevops,
      path: collectionPath,
      apiPath: collectionPath,
      tokenPath,
      settled: () => azureDevops.deliveries.settled(),
      async serve(server) {
        await server.register(
          async (api) => {
            answerRefusals(api);
            api.addHook('preHandler', async (request) => checkVersion(azureDevops, request.url));
            for (const register of routes) register(api, azureDevops);
          },
          { prefix: collectionPath },
        );
        await server.register(async (control) => azureDevopsControl(control, azureDevops), {
          prefix: '/_sandbox/azure-devops',
        });
        await azureDevopsGit(server, azureDevops);
        azureDevopsPages(server, azureDevops);
      },
    };
  },
};

/** Servers reject versions of the API that are newer than they are, and previews without this addition. */
const checkVersion = ({ version }: AzureDevops, url: string): void => {
  const asked = new URL(url, 'http://sandbox').searchParams.get('api-version') ?? '';
  const [, number = '', preview] = /^(\d+\.\d+)(-preview(?:\.\d+)?)?$/.exec(asked) ?? [];
  if (number === '' || Number(number) > Number(version))
    throw refuse(
      400,
      'VssVersionOutOfRangeException',
      `The requested REST API version of ${asked} is out of range for this server. The latest REST API version this server supports is ${version}.`,
    );
  if (previews.test(url) && preview === undefined)
    throw refuse(
      400,
      'VssInvalidPreviewVersionException',
      `The requested version "${asked}" of the resource is under preview.`,
    );
};
