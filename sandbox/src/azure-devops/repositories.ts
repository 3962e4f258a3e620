import type { FastifyInstance } from 'fastify';
import { branchesOf } from '../git/repository.ts';
import { accountsOf } from '../github/host.ts';
import { callerOf, findProject, findRepository } from './access.ts';
import { type AzureDevops, guidOf } from './collection.ts';
import { continued, listJson } from './paging.ts';
import { personJson, projectJson, repositoryJson, uniqueNameOf, userIdOf } from './responses.ts';

type Refs = { Querystring: { filter?: string } };

/** The caller, projects, repositories and their branches. */
export const repositoryRoutes = (server: FastifyInstance, azureDevops: AzureDevops): void => {
  server.get('/_apis/connectionData', async (request) => {
    const { user } = callerOf(azureDevops, request, 'code');
    const text = ($value: string) => ({ $type: 'System.String', $value });
    const authenticatedUser = {
      id: userIdOf(user),
      descriptor: `Microsoft.IdentityModel.Claims.ClaimsIdentity;${guidOf('tenant')}\\${uniqueNameOf(user)}`,
      providerDisplayName: user.name,
      isActive: true,
      properties: { Account: text(uniqueNameOf(user)), Domain: text(guidOf('tenant')) },
    };
    return {
      authenticatedUser,
      authorizedUser: authenticatedUser,
      instanceId: guidOf('collection'),
      deploymentId: guidOf('deployment'),
      deploymentType: 'onPremises',
    };
  });
  server.get('/_apis/projects', async (request, reply) => {
    const { repositories } = callerOf(azureDevops, request, 'code');
    const owners = new Set(repositories.map(({ owner }) => owner.id));
    const items = accountsOf(azureDevops.host).filter(({ id }) => owners.has(id));
    return listJson(continued(azureDevops, request, reply, { items }).map((owner) => projectJson(azureDevops, owner)));
  });
  server.get('/_apis/projects/:project', async (request) => {
    const [first] = findProject(azureDevops, request);
    return first && projectJson(azureDevops, first.owner);
  });
  server.get('/:project/_apis/git/repositories', async (request) =>
    listJson(findProject(azureDevops, request).map((one) => repositoryJson(azureDevops, one))),
  );
  server.get('/:project/_apis/git/repositories/:repo', async (request) =>
    repositoryJson(azureDevops, findRepository(azureDevops, request)),
  );
  server.get<Refs>('/:project/_apis/git/repositories/:repo/refs', async (request) => {
    const { git } = findRepository(azureDevops, request);
    const prefix = `refs/${request.query.filter ?? ''}`;
    const found = branchesOf(git).map(({ name, sha }) => ({ name: `refs/heads/${name}`, objectId: sha }));
    return listJson(
      found
        .filter(({ name }) => name.startsWith(prefix))
        .map((one) => ({ ...one, creator: personJson(azureDevops, absent) })),
    );
  });
};

const absent = { name: 'unknown', email: '' };
