import type { FastifyInstance } from 'fastify';
import { findAdministered } from './access.ts';
import type { DataCenterHook } from './hook.ts';
import type { DataCenter } from './instance.ts';
import { paginate } from './paging.ts';
import { notFound, refuse } from './refusal.ts';
import { hookJson } from './responses.ts';

type DataCenterHookForm = {
  name?: string;
  active?: boolean;
  events?: string[];
  url?: string;
  configuration?: { secret?: string };
};
type OfHook = { Params: { hook: string }; Body: DataCenterHookForm | undefined };

const prefix = '/api/latest/projects/:key/repos/:slug/webhooks';
const eventKeys = [
  ...[
    'repo:refs_changed',
    'repo:modified',
    'repo:forked',
    'repo:comment:added',
    'repo:comment:edited',
    'repo:comment:deleted',
  ],
  ...['pr:opened', 'pr:from_ref_updated', 'pr:modified', 'pr:merged', 'pr:declined', 'pr:deleted'],
  ...['pr:reviewer:updated', 'pr:reviewer:approved', 'pr:reviewer:unapproved'],
  ...['pr:comment:added', 'pr:comment:edited', 'pr:comment:deleted', 'mirror:repo_synchronized'],
];

/** The name of a decision against a merge, which newer versions changed. */
export const rejectionKey = ({ isRecent }: Pick<DataCenter, 'isRecent'>): string =>
  isRecent ? 'pr:reviewer:changes_requested' : 'pr:reviewer:needs_work';

/** Webhooks of repositories, which require the right to administer the repository. */
export const hookRoutes = (server: FastifyInstance, dataCenter: DataCenter): void => {
  const { kept } = dataCenter;
  const find = (repositoryId: number, id: string): DataCenterHook => {
    const hook = kept.hooks.find((one) => one.repositoryId === repositoryId && String(one.id) === id);
    if (hook === undefined) throw notFound('The webhook does not exist.');
    return hook;
  };
  const settingsIn = (body: DataCenterHookForm | undefined) => {
    const { name = '', url = '', events = [], active = true, configuration = {} } = body ?? {};
    if (name === '' || !/^https?:\/\/./.test(url)) throw refuse(400, 'Invalid webhook', 'ArgumentValidationException');
    const unknown = events.find((event) => !eventKeys.includes(event) && event !== rejectionKey(dataCenter));
    if (unknown !== undefined) throw refuse(400, `Unknown event: ${unknown}`, 'ArgumentValidationException');
    return { name, url, events, isActive: active, secret: configuration.secret ?? '' };
  };
  server.get(prefix, async (request) => {
    const { id } = findAdministered(dataCenter, request);
    return paginate(dataCenter, request, kept.hooks.filter(({ repositoryId }) => repositoryId === id).map(hookJson));
  });
  server.post<{ Body: DataCenterHookForm | undefined }>(prefix, async (request, reply) => {
    const { id } = findAdministered(dataCenter, request);
    const hook = { id: kept.nextHook, repositoryId: id, createdAt: Date.now(), ...settingsIn(request.body) };
    kept.nextHook += 1;
    kept.hooks.push(hook);
    dataCenter.save();
    return reply.code(201).send(hookJson(hook));
  });
  server.put<OfHook>(`${prefix}/:hook`, async (request) => {
    const { id } = findAdministered(dataCenter, request);
    const hook = Object.assign(find(id, request.params.hook), settingsIn(request.body));
    dataCenter.save();
    return hookJson(hook);
  });
  server.delete<OfHook>(`${prefix}/:hook`, async (request, reply) => {
    const { id } = findAdministered(dataCenter, request);
    kept.hooks.splice(kept.hooks.indexOf(find(id, request.params.hook)), 1);
    dataCenter.save();
    return reply.code(204).send();
  });
};
