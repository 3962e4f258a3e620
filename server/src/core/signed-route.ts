import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from './attempts.ts';
import { createByteBudget } from './byte-budget.ts';
import { Refusal } from './errors.ts';
import { sendErrorResponse } from './http.ts';
import type { SignatureCheck } from './signatures.ts';

interface SignedRoute<Sender extends { signature: SignatureCheck }> {
  path: string;
  contentTypes: string[];
  /** Bytes. */
  bodyLimit: number;
  /** Identifies the sender by what arrives before the body. Undefined results in 401 without reading the body. */
  findSender: (request: FastifyRequest) => Promise<Sender | undefined>;
  /** Called for a body with a valid signature. */
  handle: (request: FastifyRequest, reply: FastifyReply, sender: Sender, body: Buffer) => Promise<unknown>;
}

/** The bodies of signed routes in memory. A body without an announced length counts with its limit. */
const bodies = createByteBudget({ total: 128 * 1024 * 1024, perNetwork: 64 * 1024 * 1024 });
const retryAfterSeconds = 30;
/**
 * A refused body below this many bytes is read and dropped, so that the sender receives the response; above, the
 * connection is closed.
 */
const maxDrainedBytes = 64 * 1024;

const tooLarge = (bytes: number) => new Refusal('too_large', `The body is larger than ${bytes / 1024 / 1024} MB.`);
const badSignature = () => new Refusal('bad_signature', 'The signature does not match the body.');

/**
 * A route for programs that sign the raw bytes they send, outside of the contract. Finds the sender before it reads the
 * body, verifies the signature as the body arrives, and limits the total bytes of all such bodies.
 */
export async function signedRoute<Sender extends { signature: SignatureCheck }>(
  app: FastifyInstance,
  { path, contentTypes, bodyLimit, findSender, handle }: SignedRoute<Sender>,
): Promise<void> {
  const senders = new WeakMap<FastifyRequest, Sender>();
  await app.register(async (raw) => {
    raw.removeAllContentTypeParsers();
    raw.addContentTypeParser(contentTypes, { bodyLimit }, async (request: FastifyRequest, payload: IncomingMessage) => {
      const chunks: Buffer[] = [];
      let size = 0;
      for await (const chunk of payload) {
        size += chunk.length;
        if (size > bodyLimit) throw tooLarge(bodyLimit);
        senders.get(request)?.signature.update(chunk);
        chunks.push(chunk);
      }
      return Buffer.concat(chunks);
    });
    raw.setErrorHandler((error, request, reply) => {
      if (!request.raw.complete && announcedBytes(request, bodyLimit) > maxDrainedBytes)
        reply.header('connection', 'close');
      return sendErrorResponse(error, request, reply);
    });
    raw.post(
      path,
      {
        bodyLimit,
        onRequest: async (request, reply) => {
          const announced = announcedBytes(request, bodyLimit);
          if (announced > bodyLimit) throw tooLarge(bodyLimit);
          const sender = await findSender(request);
          if (!sender) throw badSignature();
          const release = bodies.reserve(networkOf(request.ip), announced);
          if (!release) {
            const busy = 'The server is at its limit of received bytes.';
            throw new Refusal('unavailable', busy, {}, { retryAfter: retryAfterSeconds });
          }
          reply.raw.once('close', release);
          senders.set(request, sender);
        },
      },
      async (request, reply) => {
        const sender = senders.get(request);
        if (!sender?.signature.isValid()) throw badSignature();
        return handle(request, reply, sender, Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0));
      },
    );
  });
}

/** The announced length of the body, or the limit without one. */
function announcedBytes({ headers }: FastifyRequest, bodyLimit: number): number {
  if (headers['transfer-encoding'] !== undefined) return bodyLimit;
  return Number(headers['content-length'] ?? 0);
}
