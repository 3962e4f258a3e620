import type { FastifyReply, FastifyRequest } from 'fastify';
import { basicCredentialsOf } from '../git/smart-http.ts';
import type { User } from '../git/users.ts';
import { fullName } from '../github/host.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { projectsOf } from '../gitlab/access.ts';
import type { Gerrit } from './instance.ts';
import { notFound, refuse } from './refusal.ts';

/** The account of HTTP credentials; undefined for wrong ones. */
export const accountIn = ({ host, kept }: Gerrit, authorization: string | undefined): User | undefined => {
  const given = basicCredentialsOf(authorization);
  const password = kept.passwords[given?.password ?? ''];
  const user = [...host.users.byLogin.values()].find(({ id }) => id === password?.userId);
  return user?.login === given?.name ? user : undefined;
};

/** The caller, and the projects of the folders that they committed to. Throws 401. */
export const callerOf = (gerrit: Gerrit, request: FastifyRequest): { user: User; repositories: HostedRepository[] } => {
  const user = accountIn(gerrit, request.headers.authorization);
  if (user === undefined) throw refuse(401, 'Unauthorized');
  return { user, repositories: projectsOf(gerrit, user.id) };
};

/** The project of a name that the caller sees. Throws 401 and 404. */
export const projectNamed = (gerrit: Gerrit, request: FastifyRequest, name: string): HostedRepository => {
  const found = callerOf(gerrit, request).repositories.find((one) => fullName(one) === name);
  if (found === undefined) throw notFound(name);
  return found;
};

/** The project in the path. */
export const findProject = (gerrit: Gerrit, request: FastifyRequest): HostedRepository =>
  projectNamed(gerrit, request, (request.params as { project: string }).project);

/** The same for what only owners of a project may read. */
export const findOwned = (gerrit: Gerrit, request: FastifyRequest): HostedRepository => {
  const repository = findProject(gerrit, request);
  if (!gerrit.areOwners) throw refuse(403, 'not permitted: read refs/meta/config');
  return repository;
};

/** Sends JSON with the line that protects it from being run as a script. */
export const sendJson = (reply: FastifyReply, value: unknown): FastifyReply =>
  reply.type('application/json; charset=UTF-8').send(`)]}'\n${JSON.stringify(value)}\n`);

/** Sends a file encoded as base64. */
export const sendBase64 = (reply: FastifyReply, content: Buffer | string): FastifyReply =>
  reply
    .header('x-fyi-content-encoding', 'base64')
    .type('text/plain; charset=ISO-8859-1')
    .send(Buffer.from(content).toString('base64'));

/** The items of `?n` after `start`, and whether there are more. */
export const paged = <T>(
  gerrit: Gerrit,
  request: FastifyRequest,
  items: readonly T[],
  start: string | undefined,
): { items: T[]; hasMore: boolean } => {
  const { n } = request.query as { n?: string };
  const size = Math.min(Number(n ?? 500), 500);
  const from = Number(start ?? 0);
  const isRepeated = from > 0 && gerrit.repeatedList?.test(request.url) === true;
  const first = isRepeated ? Math.max(0, from - size) : from;
  return { items: items.slice(first, first + size), hasMore: from + size < items.length };
};
