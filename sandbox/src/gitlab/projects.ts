import type { FastifyInstance } from 'fastify';
import { accessOf, findGroup, findProject } from './access.ts';
import { type GitlabInstance, projectsOf } from './instance.ts';
import { sharedGroupsJson } from './members.ts';
import { paginate } from './paging.ts';
import { groupJson, projectJson, userJson } from './responses.ts';

type ProjectListRoute = { Querystring: Record<string, string | undefined> };

/** Users, groups and projects. */
export const projectRoutes = (server: FastifyInstance, instance: GitlabInstance): void => {
  server.get('/user', async (request) => {
    const { user } = accessOf(instance, request, 'read_user');
    return { ...userJson(instance, user), email: user.emails[0] ?? '', bot: user.type === 'Bot' };
  });
  server.get('/personal_access_tokens/self', async (request) => {
    const { user, scopes } = accessOf(instance, request, 'read_user');
    return { id: 1, name: 'sandbox', revoked: false, scopes, user_id: user.id, active: true, expires_at: null };
  });
  server.get<ProjectListRoute>('/groups', async (request, reply) => {
    const { top_level_only: top } = request.query;
    const groups = accessOf(instance, request).groups.filter(({ parent }) => top !== 'true' || parent === null);
    return paginate(request, reply, groups).map((group) => groupJson(instance, group));
  });
  server.get('/groups/:id', async (request) => groupJson(instance, findGroup(instance, request)));
  server.get<ProjectListRoute>('/groups/:id/projects', async (request, reply) => {
    const projects = projectsOf(instance, findGroup(instance, request), request.query.include_subgroups === 'true');
    return paginate(request, reply, projects).map((repository) => projectJson(instance, repository));
  });
  server.get('/users/:id/projects', async (request, reply) => {
    accessOf(instance, request);
    return paginate(request, reply, []);
  });
  server.get('/projects', async (request, reply) => {
    const { repositories } = accessOf(instance, request);
    return paginate(request, reply, repositories).map((repository) => projectJson(instance, repository));
  });
  server.get<ProjectListRoute>('/projects/:id', async (request) => {
    const repository = findProject(instance, request);
    return {
      ...projectJson(instance, repository, request.query.statistics === 'true'),
      shared_with_groups: sharedGroupsJson(instance, repository),
    };
  });
};
