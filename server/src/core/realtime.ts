import type { Server as HttpServer, IncomingMessage } from 'node:http';
import {
  type ChangeNoticeName,
  type ChangeNotices,
  changeNoticeNamespace,
  type Namespace,
  namespaces,
  realtimePath,
} from '@sightline/contract/delivery/realtime.ts';
import { type DefaultEventsMap, Server, type Socket } from 'socket.io';
import type { PoolCounts } from '#database/database.ts';
import type { Memberships } from './actor.ts';
import { networkOf } from './attempts.ts';
import type { IsOwnHost } from './hosts.ts';
import { createPostgresTransport, createRedisTransport } from './realtime-nodes.ts';
import type { RedisClients } from './redis.ts';
import { attachSocketBehavior, type SocketBehavior } from './sockets.ts';
import type { Claims, VerifyToken } from './tokens.ts';

export interface Realtime {
  /** Notifies every socket of an organization, on every node. Call it after the commit. */
  notifyOrganization: <Name extends ChangeNoticeName>(orgId: string, name: Name, notice: ChangeNotices[Name]) => void;
  /** Notifies the sockets of an account. */
  notifyAccount: <Name extends ChangeNoticeName>(accountId: string, name: Name, notice: ChangeNotices[Name]) => void;
  /**
   * Notifies the sockets of a member in one organization, for notices with details that must not reach other
   * organizations.
   */
  notifyMember: <Name extends ChangeNoticeName>(
    orgId: string,
    accountId: string,
    name: Name,
    notice: ChangeNotices[Name],
  ) => void;
  /**
   * Disconnects the sockets of an account at once, on every node: after a demotion, deactivation or removal. With an
   * organization, only its sockets. Every other node first removes the memberships of the account from its cache.
   */
  cut: (accountId: string, orgId?: string) => void;
  /** Disconnects all sockets of an organization. */
  cutOrganization: (orgId: string) => void;
  /** Disconnects the sockets of one session of an account. */
  cutSession: (sessionId: string) => void;
  /** Registers a behavior for the sockets of a namespace. Call it before sockets are admitted. */
  serve: (namespace: Namespace, behavior: SocketBehavior) => void;
  /** The database connections between nodes; undefined with Redis. */
  pool: PoolCounts | undefined;
  /** Sends a message of a feature to every node, to this one at once. An unreachable node does not receive it. */
  sendToNodes: (word: string, value: string) => void;
  onNodeMessage: (word: string, listener: (value: string) => void) => void;
  /** Accepts connections on a server, for host names that `isOwnHost` accepts and from pages of `origin`. */
  attach: (
    server: HttpServer,
    options: {
      origin: string;
      isOwnHost: IsOwnHost;
      /** The address of the client, determined with the proxies of `TRUST_PROXY`. */
      addressOf: (request: IncomingMessage) => string;
      verifyToken: VerifyToken;
      verifyExtensionToken: VerifyToken;
      memberships: Memberships;
    },
  ) => void;
  /** Disconnects the sockets of this node, so that the HTTP server can close. */
  disconnect: () => Promise<void>;
  close: () => Promise<void>;
}

const room = {
  org: (id: string) => `org:${id}`,
  account: (id: string) => `account:${id}`,
  session: (id: string) => `session:${id}`,
  member: (orgId: string, accountId: string) => `member:${orgId}:${accountId}`,
};

/** The messages between nodes. */
type NodeMessages = {
  forget: (accountId: string) => void;
  forgetOrganization: (orgId: string) => void;
  word: (word: string, value: string) => void;
};
type Hub = Server<DefaultEventsMap, DefaultEventsMap, NodeMessages, { claims: Claims }>;

/** A socket outlives its token by at most this time. */
const EXPIRY_CHECK_INTERVAL_MS = 1_000;
/** A connection that has joined no namespace by then is closed. */
const joinTimeoutMs = 5_000;
/**
 * The maximum number of connections of one network to this process. A page, an editor or a browser extension has one.
 */
const maxConnectionsPerNetwork = 1_000;

/** Bytes: messages of clients are short. */
const maxHttpBufferSize = 100_000;

/** The transport between nodes: Redis, or the database with `role` if the login role differs. */
export interface NodeTransportConfig {
  databaseUrl: string;
  /** How long a statement may take. */
  querySeconds: number;
  role: string | undefined;
  /** Undefined unless Redis connects the nodes. */
  redis: RedisClients | undefined;
}

/** Rooms are computed here from the token; no client message names a room. */
export function createRealtime({ redis, ...postgres }: NodeTransportConfig, onError: (error: Error) => void): Realtime {
  const io: Hub = new Server({
    path: realtimePath,
    serveClient: false,
    transports: ['polling', 'websocket'],
    maxHttpBufferSize,
    connectTimeout: joinTimeoutMs,
  });
  // A socket joins only the namespaces of the contract, so that a socket without a token joins none.
  io.of('/').use((_socket, next) => next(new Error('Invalid namespace')));
  const connections = createConnectionCount();
  let leaving = false;
  // Pages load their data again after a reconnect, which replaces lost notices.
  const onGap = () => {
    for (const namespace of namespaces) for (const socket of io.of(namespace).sockets.values()) socket.conn.close();
  };
  const nodes = redis ? createRedisTransport(redis, onError, onGap) : createPostgresTransport(postgres, onError);
  io.adapter(nodes.adapter);
  let attached = false;
  const behaviors: Partial<Record<Namespace, SocketBehavior[]>> = {};
  const behaviorsOf = (namespace: Namespace) => behaviors[namespace] ?? [];
  const listeners = new Map<string, (value: string) => void>();

  return {
    serve: (namespace, behavior) => {
      behaviors[namespace] = [...behaviorsOf(namespace), behavior];
    },
    pool: nodes.pool,
    sendToNodes(word, value) {
      listeners.get(word)?.(value);
      io.serverSideEmit('word', word, value);
    },
    onNodeMessage: (word, listener) => void listeners.set(word, listener),
    notifyOrganization: (orgId, name, notice) =>
      void io.of(changeNoticeNamespace[name]).to(room.org(orgId)).emit(name, notice),
    notifyAccount: (accountId, name, notice) =>
      void io.of(changeNoticeNamespace[name]).to(room.account(accountId)).emit(name, notice),
    notifyMember: (orgId, accountId, name, notice) =>
      void io.of(changeNoticeNamespace[name]).to(room.member(orgId, accountId)).emit(name, notice),
    cut: (accountId, orgId) => {
      io.serverSideEmit('forget', accountId);
      const target = orgId === undefined ? room.account(accountId) : room.member(orgId, accountId);
      for (const namespace of namespaces) io.of(namespace).in(target).disconnectSockets(true);
    },
    cutOrganization: (orgId) => {
      io.serverSideEmit('forgetOrganization', orgId);
      for (const namespace of namespaces) io.of(namespace).in(room.org(orgId)).disconnectSockets(true);
    },
    cutSession: (sessionId) => {
      for (const namespace of namespaces) io.of(namespace).in(room.session(sessionId)).disconnectSockets(true);
    },
    attach(server, { origin, isOwnHost, addressOf, verifyToken, verifyExtensionToken, memberships }) {
      const verifyEither: VerifyToken = async (token) => (await verifyToken(token)) ?? verifyExtensionToken(token);
      for (const namespace of namespaces) {
        const verify = extensionNamespaces.includes(namespace) ? verifyEither : verifyToken;
        serve(io, {
          namespace,
          verifyToken: verify,
          memberships,
          behaviorsOf,
          isLeaving: () => leaving,
        });
      }
      io.on('word', (word, value) => listeners.get(word)?.(value));
      io.on('forget', (accountId) => memberships.forget(accountId));
      io.on('forgetOrganization', (orgId) => memberships.forgetOrganization(orgId));
      attached = true;
      io.attach(server, {
        path: realtimePath,
        allowRequest: (request, done) => {
          const { host, origin: page } = request.headers;
          done(null, isOwnHost(host) && sameOrigin(page, origin) && connections.isBelowLimit(addressOf(request)));
        },
      });
      io.engine.on('connection', (connection: EngineConnection) => {
        connection.remoteAddress = addressOf(connection.request);
        connection.once('close', connections.count(connection.remoteAddress));
        forgetRequest(connection);
      });
      const expiryTimer = setInterval(() => disconnectExpired(io), EXPIRY_CHECK_INTERVAL_MS).unref();
      server.once('close', () => clearInterval(expiryTimer));
    },
    async disconnect() {
      leaving = true;
      for (const namespace of namespaces) io.of(namespace).local.disconnectSockets(true);
      if (attached) io.engine.close();
    },
    close: () =>
      nodes.close(async () => {
        for (const namespace of ['/', ...namespaces]) await io.of(namespace).adapter.close();
      }),
  };
}

/** What Engine.IO passes to its listeners, as far as it is used here. */
interface EngineConnection {
  request: IncomingMessage;
  /** The address of the client for the handshakes of all its namespaces. */
  remoteAddress: string;
  once: (event: 'close', end: () => void) => void;
}

/**
 * Releases the request of a connection, which Socket.IO keeps as long as the connection: with its headers, a tenth of the
 * memory of a connection.
 */
function forgetRequest(connection: EngineConnection): void {
  const { request } = connection;
  // Handshakes accept a connection without a request, as of WebTransport.
  connection.request = null as unknown as IncomingMessage;
  // Listeners of the transport refer to the request too.
  request.rawHeaders = [];
  request.headers = {};
}

/** Disconnects sockets whose token has expired. One timer for all, since a timer per socket is 500 bytes. */
function disconnectExpired(io: Hub): void {
  const now = Date.now() / 1000;
  for (const namespace of namespaces)
    for (const socket of io.of(namespace).sockets.values())
      if (socket.data.claims.expiresAt <= now) socket.disconnect(true);
}

function createConnectionCount() {
  const open = new Map<string, number>();
  const openOf = (network: string) => open.get(network) ?? 0;
  return {
    isBelowLimit: (address: string) => openOf(networkOf(address)) < maxConnectionsPerNetwork,
    /** Counts a connection until the returned function is called. */
    count(address: string): () => void {
      const network = networkOf(address);
      open.set(network, openOf(network) + 1);
      return () => {
        const left = openOf(network) - 1;
        if (left > 0) open.set(network, left);
        else open.delete(network);
      };
    },
  };
}

// Clients other than browsers (an editor, a test) send no Origin. A browser always sends one with a socket.
const sameOrigin = (given: string | undefined, origin: string) =>
  given === undefined ||
  given === origin ||
  given.startsWith('vscode-webview://') ||
  given.startsWith('chrome-extension://') ||
  given.startsWith('moz-extension://');

/** Namespaces that accept the tokens of extensions. */
const extensionNamespaces: readonly Namespace[] = ['/user', '/project', '/ide/context'];

function serve(
  io: Hub,
  {
    namespace,
    verifyToken,
    memberships,
    behaviorsOf,
    isLeaving,
  }: {
    namespace: Namespace;
    verifyToken: VerifyToken;
    memberships: Memberships;
    behaviorsOf: (namespace: Namespace) => SocketBehavior[];
    isLeaving: () => boolean;
  },
): void {
  io.of(namespace)
    .use((socket, next) => {
      admitSocket(socket, verifyToken, memberships).then(
        () => next(),
        () => next(Object.assign(new Error('Sign in to continue.'), { data: { code: 401 } })),
      );
    })
    .on('connection', (socket) => {
      const { claims } = socket.data;
      for (const behavior of behaviorsOf(namespace)) attachSocketBehavior(socket, claims, behavior, isLeaving);
      // A member removed while the socket was being admitted had no socket yet to disconnect.
      isStillMember(claims, memberships).then(
        (isMember) => isMember || socket.disconnect(true),
        () => socket.disconnect(true),
      );
    });
}

const isStillMember = async ({ orgId, accountId }: Claims, memberships: Memberships): Promise<boolean> =>
  orgId === undefined || (await memberships.find(orgId, accountId)) !== undefined;

async function admitSocket(socket: Socket, verifyToken: VerifyToken, memberships: Memberships): Promise<void> {
  const {
    address,
    auth: { token, ...auth },
  } = socket.handshake;
  // The token is verified once. Ten thousand of them are 10 MB.
  socket.handshake.auth = auth;
  const claims = typeof token === 'string' ? await verifyToken(token) : undefined;
  if (!claims) throw new Error('no token');
  socket.data.claims = claims;
  await socket.join(room.account(claims.accountId));
  if (claims.sessionId !== undefined) await socket.join(room.session(claims.sessionId));
  if (claims.orgId === undefined) return;
  const membership = await memberships.find(claims.orgId, claims.accountId);
  if (!membership) throw new Error('not a member');
  if (membership.sessionPolicy) await memberships.check(membership.sessionPolicy, claims, address, false);
  await socket.join([room.org(claims.orgId), room.member(claims.orgId, claims.accountId)]);
}
