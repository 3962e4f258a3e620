import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Upload } from './receivers.ts';

const mostBytes = 100 * 1024 * 1024;

/** Enables forms with files for the routes of this server. */
export const enableMultipartForms = (server: FastifyInstance): void => {
  server.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer', bodyLimit: mostBytes },
    (request, body, done) => {
      new Response(new Uint8Array(body as Buffer), {
        headers: { 'content-type': request.headers['content-type'] ?? '' },
      })
        .formData()
        .then((form) => done(null, form))
        .catch(() => done(Object.assign(new Error('Malformed multipart body'), { statusCode: 400 })));
    },
  );
};

/** The form of a request; undefined for another content type. */
export const formOf = ({ body }: FastifyRequest): FormData | undefined => (body instanceof FormData ? body : undefined);

/** The text of a field; null if absent. */
export const fieldOf = (form: FormData, name: string): string | null => {
  const value = form.get(name);
  return typeof value === 'string' ? value : null;
};

/** The file of a form; undefined if absent. */
export const fileOf = async (form: FormData, name = 'file'): Promise<Upload | undefined> => {
  const file = form.get(name);
  if (file === null || typeof file === 'string') return undefined;
  return { name: file.name, type: file.type, content: Buffer.from(await file.arrayBuffer()) };
};
