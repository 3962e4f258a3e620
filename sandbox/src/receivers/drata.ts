import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { enableMultipartForms, fileOf, formOf } from './multipart.ts';
import type { DrataEvidence, Receivers } from './receivers.ts';

type WorkspaceRoute = { Params: { workspaceId: string } };
type ControlListRoute = WorkspaceRoute & { Querystring: { name?: string; size?: string } };
type Body = {
  name?: unknown;
  description?: string | null;
  artifacts?: { type?: string; artifactName?: string; fileKey?: string; url?: string; filedAt?: string }[];
  controlIds?: number[] | null;
};

const endings = ['pdf', 'docx', 'odt', 'doc', 'xlsx', 'png', 'jpg', 'json', 'csv', 'md', 'txt', 'html', 'log', 'zip'];
const mostBytes = 25 * 1024 * 1024;

/** The evidence library of Drata's public API, version 2. It does not detect duplicates. */
export const drataRoutes = (server: FastifyInstance, { drata }: Receivers): void => {
  enableMultipartForms(server);
  const refuse = (reply: FastifyReply, statusCode: number, message: string) =>
    reply.code(statusCode).send({ name: 'Error', statusCode, message, code: statusCode * 100 });
  server.addHook('preHandler', async (request, reply) => {
    if (request.headers.authorization !== `Bearer ${drata.key}`) return refuse(reply, 401, 'Invalid Authorization');
    if (!drata.termsAccepted)
      return refuse(reply, 412, 'You must accept the Drata terms and conditions to use the API');
    const { workspaceId } = request.params as WorkspaceRoute['Params'];
    if (workspaceId !== String(drata.workspaceId)) return refuse(reply, 404, 'Not Found');
    return undefined;
  });
  server.get<ControlListRoute>(
    '/public/v2/workspaces/:workspaceId/evidence',
    async ({ query: { name = '', size = '50' } }) => ({
      data: drata.evidence
        .filter((one) => one.name.startsWith(name))
        .slice(0, Number(size))
        .map((one) => ({ id: one.id, name: one.name, artifacts: { data: [], totalCount: one.artifacts.length } })),
      pagination: { cursor: null },
    }),
  );
  server.post<WorkspaceRoute>('/public/v2/workspaces/:workspaceId/evidence-files', async (request, reply) => {
    const form = formOf(request);
    const file = form && (await fileOf(form));
    if (file === undefined) return refuse(reply, 400, 'Exactly one of file and base64File is required');
    const ending = file.name.slice(file.name.lastIndexOf('.') + 1);
    if (!endings.includes(ending)) return refuse(reply, 400, `Files of the kind ${ending} are not accepted`);
    if (file.content.length > mostBytes) return refuse(reply, 413, 'The file was too large to upload');
    const fileKey = `1/evidence-library/${randomUUID()}/${file.name}`;
    drata.files.set(fileKey, file);
    return reply
      .code(201)
      .send({ fileKey, originalFilename: file.name, mimeType: file.type, fileSize: file.content.length });
  });
  server.post<WorkspaceRoute & { Body: Body | undefined }>(
    '/public/v2/workspaces/:workspaceId/evidence',
    async (request, reply) => {
      const { name, description = null, artifacts = [], controlIds } = request.body ?? {};
      const problem = evidenceProblemOf(request.body ?? {}) ?? artifactProblemOf(drata, artifacts);
      if (problem !== undefined || typeof name !== 'string') return refuse(reply, 400, problem ?? 'name is required');
      const evidence: DrataEvidence = {
        id: drata.evidence.length + 1,
        name,
        description,
        controlIds: controlIds ?? [],
        artifacts: artifacts.map(({ type = '', artifactName = null, fileKey = null, url = null }) => ({
          type,
          artifactName,
          fileKey,
          url,
        })),
      };
      drata.evidence.push(evidence);
      const count = artifacts.length;
      return reply
        .code(201)
        .send({ id: evidence.id, name, description, artifactsRequested: count, artifactsCreated: count });
    },
  );
};

const evidenceProblemOf = ({ name, description = null, artifacts }: Body): string | undefined => {
  if (typeof name !== 'string' || name === '' || name.length > 191) return 'name must be 1 to 191 characters';
  if (description !== null && description.length > 30_000) return 'description is too long';
  return artifacts === undefined ? 'artifacts are required' : undefined;
};

const artifactProblemOf = (
  { files }: Receivers['drata'],
  artifacts: NonNullable<Body['artifacts']>,
): string | undefined => {
  for (const { type, fileKey, url, filedAt } of artifacts) {
    if (filedAt === undefined || !/^\d{4}-\d\d-\d\d$/.test(filedAt)) return 'filedAt must be a date';
    if (type === 'S3_FILE' && !files.has(fileKey ?? '')) return 'fileKey does not exist';
    if (type === 'URL' && !URL.canParse(url ?? '')) return 'url must be a URL';
  }
  return undefined;
};
