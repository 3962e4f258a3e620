import type { FastifyInstance } from 'fastify';
import { git } from '../git/command.ts';
import { fullName, type Host } from './host.ts';
import { notFound } from './refusal.ts';
import { nodeId } from './shapes/account.ts';
import { findRepository } from './tokens.ts';

/** A single ref of any kind, such as that of notes. */
export const gitRefRoutes = (server: FastifyInstance, host: Host): void => {
  server.get<{ Params: { '*': string } }>('/repos/:owner/:repo/git/ref/*', async (request) => {
    const repository = findRepository(host, request);
    const ref = `refs/${request.params['*']}`;
    const format = '--format=%(objecttype) %(objectname) %(refname)';
    const found = (await git(repository.git.path, ['for-each-ref', format, '--', ref])).toString().split('\n');
    // for-each-ref takes the name of a folder for what lies below it.
    const [type, sha, name] = found.map((line) => line.split(' ')).find(([, , known]) => known === ref) ?? [];
    if (sha === undefined || name === undefined) throw notFound();
    const self = `${host.api}/repos/${fullName(repository)}/git`;
    return {
      ...{ ref, node_id: nodeId('Ref', `${repository.id}:${ref}`), url: `${self}/${ref}` },
      object: { sha, type, url: `${self}/${type}s/${sha}` },
    };
  });
};
