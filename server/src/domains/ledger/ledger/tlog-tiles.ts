import { tileWidth } from '@sightline/evidence/ledger/tiles.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { authenticateAccessKey, isAccessKey, markKeyUsed } from '#core/access-keys.ts';
import { bearerTokenOf } from '#core/bearer-token.ts';
import { NotFound, Unauthenticated } from '#core/errors.ts';
import { countRequest } from '#core/request-limits.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { cosignCheckpoint } from './cosigned-checkpoint.ts';
import { tileReaderOf } from './head.ts';
import { isOrganizationId } from './public-keys.ts';
import { findCheckpoint, findSignedSize, isLedgerPublic } from './queries.ts';

/** The log of one epoch. Its URL without the scheme is the origin of its checkpoints. */
interface LogParameters {
  orgId: string;
  epoch: string;
}

interface LogReader {
  orgId: string;
  epoch: number;
  /** Anyone may read, so that shared caches may store responses. */
  isPublic: boolean;
}

/** A tile or entry bundle: `width` is that of a partial one, otherwise 256. */
interface TileRequest {
  /** Null for an entry bundle. */
  level: number | null;
  n: number;
  width: number;
}

/**
 * Serves each log as C2SP tlog-tiles (https://c2sp.org/tlog-tiles), so that any client of that specification reads and
 * verifies it. Readers send an access key for the ledger as a bearer token, unless the organization made it public.
 */
export function tlogTileRoutes(app: FastifyInstance, services: Services): void {
  const { withOrg } = services.database;
  const prefix = '/org/:orgId/:epoch';
  app.get<{ Params: LogParameters }>(`${prefix}/checkpoint`, async (request, reply) => {
    const { orgId, epoch } = await authorizeReader(services, request);
    const stored = await withOrg(orgId, (tx) => findCheckpoint(tx, orgId, { epoch }));
    const note = await cosignCheckpoint(services.ledger, orgId, { epoch, ...stored });
    return reply.type('text/plain; charset=utf-8').header('cache-control', 'no-cache').send(note);
  });
  app.get<{ Params: LogParameters & { '*': string } }>(`${prefix}/tile/*`, async (request, reply) => {
    const reader = await authorizeReader(services, request);
    const tile = parseTilePath(request.params['*']);
    if (!tile) throw NotFound('Tile');
    return sendImmutable(reply, reader, await withOrg(reader.orgId, (tx) => readTileOf(tx, reader, tile)));
  });
}

/**
 * Authorizes a reader. An unknown log is refused like a private one, so that responses do not confirm organizations.
 * Requests to a public log count against their address only, so that strangers cannot use up the limit of the members.
 */
async function authorizeReader(
  services: Services,
  request: FastifyRequest<{ Params: LogParameters }>,
): Promise<LogReader> {
  const { database } = services;
  const { orgId, epoch } = request.params;
  if (!isOrganizationId(orgId)) throw Unauthenticated();
  const isPublic = await database.withOrg(orgId, (tx) => isLedgerPublic(tx, orgId));
  if (!isPublic) {
    const token = bearerTokenOf(request);
    if (token === undefined || !isAccessKey(token)) throw Unauthenticated();
    const actor = await authenticateAccessKey(database, { key: token, use: 'ledger' }, request);
    if (actor.orgId !== orgId) throw Unauthenticated();
    await countRequest(services, { request, limit: 'organization', subject: orgId });
    await database.withOrg(orgId, (tx) => markKeyUsed(tx, actor));
  }
  if (!/^[1-9]\d{0,5}$/.test(epoch)) throw NotFound('Ledger');
  return { orgId, epoch: Number(epoch), isPublic };
}

/**
 * Parses `LEVEL/N[.p/WIDTH]` or `entries/N[.p/WIDTH]`, where N is written in elements of three digits, all but the last
 * with an `x`: `x001/x234/067`. Undefined for any other path, including other spellings of the same tile.
 */
export function parseTilePath(path: string): TileRequest | undefined {
  const match = /^(entries|0|[1-9]\d?)\/((?:x\d{3}\/)*\d{3})(?:\.p\/([1-9]\d{0,2}))?$/.exec(path);
  const [, kind = '', index = '', partial] = match ?? [];
  const [level, width] = [
    kind === 'entries' ? null : Number(kind),
    partial === undefined ? tileWidth : Number(partial),
  ];
  const n = Number(index.replaceAll(/[x/]/g, ''));
  const isShortest = !index.startsWith('x000/');
  const isValid = match !== null && isShortest && Number.isSafeInteger(n * tileWidth);
  if (!isValid || (level ?? 0) > 63 || (partial !== undefined && width >= tileWidth)) return undefined;
  return { level, n, width };
}

/** The content of a tile or bundle. Throws 404 unless the last checkpoint covers it. */
async function readTileOf(tx: Tx, { orgId, epoch }: LogReader, { level, n, width }: TileRequest): Promise<Uint8Array> {
  const size = await findSignedSize(tx, orgId, epoch);
  if (n * tileWidth + width > Math.floor(size / tileWidth ** (level ?? 0))) throw NotFound('Tile');
  if (level === null) return readBundle(tx, { orgId, epoch, from: n * tileWidth, to: n * tileWidth + width });
  const hashes = await tileReaderOf(tx, orgId, epoch)({ level, n });
  if (!hashes) throw NotFound('Tile');
  return hashes.subarray(0, width * 32);
}

/** Entries, each after its length as a big-endian uint16. */
async function readBundle(
  tx: Tx,
  { orgId, epoch, from, to }: { orgId: string; epoch: number; from: number; to: number },
): Promise<Buffer> {
  const rows = await tx.query<{ entry: string }>({
    name: 'ledger.bundle',
    text: `select entry_text(e) as entry from ledger_entry e
           where org_id = $1 and epoch = $2 and leaf_index >= $3 and leaf_index < $4 order by leaf_index`,
    values: [orgId, epoch, from, to],
  });
  return Buffer.concat(
    rows.flatMap(({ entry }) => {
      const [length, text] = [Buffer.alloc(2), Buffer.from(entry)];
      length.writeUInt16BE(text.length);
      return [length, text];
    }),
  );
}

const sendImmutable = (reply: FastifyReply, { isPublic }: LogReader, content: Uint8Array) =>
  reply
    .type('application/octet-stream')
    .header('cache-control', `${isPublic ? 'public' : 'private'}, max-age=31536000, immutable`)
    .send(Buffer.from(content));
