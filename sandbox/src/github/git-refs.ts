import type { FastifyInstance } from 'fastify';
import { findObject } from '../git/objects.ts';
import { fullName, type Host } from './host.ts';
import { notFound } from './refusal.ts';
import { nodeId } from './responses/account.ts';
import { findRepository } from './tokens.ts';

/** A single ref of any kind, such as that of notes. */
export const gitRefRoutes = (server: FastifyInstance, host: Host): void => {
  server.get<{ Params: { '*': string } }>('/repos/:owner/:repo/git/ref/*', async (request) => {
    const repository = findRepository(host, request);
    const ref = `refs/${request.params['*']}`;
    // Git would also accept an expression, such as the parent of a ref.
    const found = /[\^~:?*[\\]|@\{|\.\./.test(ref) ? undefined : await findObject(repository.git.path, ref);
    if (found === undefined) throw notFound();
    const { sha, type } = found;
    const self = `${host.api}/repos/${fullName(repository)}/git`;
    return {
      ref,
      node_id: nodeId('Ref', `${repository.id}:${ref}`),
      url: `${self}/${ref}`,
      object: { sha, type, url: `${self}/${type}s/${sha}` },
    };
  });
};
