import type { EditorContext, EditorContextResponse, ExtensionSession } from '@sightline/contract/tools/presence.ts';
import { paths, type SendRequest } from '@sightline/telemetry/api.ts';
import { createBackoff } from '@sightline/telemetry/backoff.ts';
import { type Pause, pauseReport } from '@sightline/telemetry/pause.ts';
import { createHeartbeat } from '@sightline/telemetry/presence.ts';
import type { ExtensionSignInSession } from '@sightline/telemetry/session.ts';
import type { Socket } from 'socket.io-client';

export interface PresenceOptions {
  server: () => string | undefined;
  callApi: SendRequest;
  session: ExtensionSignInSession;
  /** The session of this window. */
  who: ExtensionSession;
  /** Null while recording. */
  pause: () => Promise<Pause | null>;
  onChange: () => void;
}

export interface Presence {
  /** Connects as the current account, or disconnects. While paused, reports the pause and disconnects. */
  restart: () => Promise<void>;
  /** Reports a pause that the server did not receive yet. */
  remind: () => Promise<void>;
  /** Sends the context of the open file over the socket. Returns undefined without a connection or response. */
  reportContext: (context: EditorContext) => Promise<EditorContextResponse | undefined>;
  isConnected: () => boolean;
  /** Called when the window closes. */
  leave: () => Promise<void>;
}

const answerWithinMs = 10_000;
const leaveWithinMs = 1500;

/**
 * Reports the presence of this window by a socket, or by heartbeats if sockets fail. During a pause, the pause is
 * reported once and nothing else.
 */
export function createPresence({ server, callApi, session, who, pause, onChange }: PresenceOptions): Presence {
  let socket: Socket | undefined;
  let round = 0;
  let hasSentHeartbeat = false;
  /** The pause that was not reported yet. */
  let unreportedPause: Pause | null = null;
  const heartbeat = createHeartbeat({ send: beat });

  async function beat(leaving: boolean) {
    const token = await session.accessToken();
    if (token.kind !== 'token') return;
    hasSentHeartbeat = true;
    await callApi('POST', paths.heartbeat, { token: token.token, body: { ...who, leaving } });
  }

  async function reportPause() {
    const token = unreportedPause && (await session.accessToken());
    if (!unreportedPause || token?.kind !== 'token') return;
    const body = { ...who, leaving: false, paused: pauseReport(unreportedPause) };
    const { status } = await callApi('POST', paths.heartbeat, { token: token.token, body });
    if (status < 300) unreportedPause = null;
  }

  function end() {
    round += 1;
    socket?.disconnect();
    socket = undefined;
  }

  async function restart() {
    round += 1;
    const mine = round;
    const address = server();
    const isActive = address !== undefined && (await session.isActive());
    const paused = isActive ? await pause() : null;
    if (mine !== round) return;
    unreportedPause = paused;
    // Reported before the socket is closed, since closing the socket means that the window closed.
    await reportPause().catch(() => undefined);
    if (mine !== round) return;
    socket?.disconnect();
    socket = undefined;
    if (!isActive || paused) {
      hasSentHeartbeat = false;
      await heartbeat.stop({ leaving: false });
      onChange();
      return;
    }
    // Loaded on demand, since the extension must start quickly.
    const { io } = await import('socket.io-client');
    if (mine === round) open(io(`${address}/ide/context`, socketOptions(session, who)), mine);
    onChange();
  }

  function open(opened: Socket, mine: number) {
    const wait = createBackoff(Math.random);
    socket = opened;
    const later = () => setTimeout(() => mine === round && opened.connect(), wait.next(null)).unref();
    opened.on('connect', () => {
      wait.reset();
      void heartbeat.stop({ leaving: false });
      onChange();
    });
    opened.on('disconnect', () => {
      // Disconnected by the server, such as for an expired token: socket.io does not reconnect by itself.
      if (mine === round && !opened.active) later();
      onChange();
    });
    opened.on('connect_error', (error) => {
      if (mine !== round) return;
      heartbeat.start();
      if (!opened.active) void renewRejectedToken(session, error).then((again) => again && later());
      onChange();
    });
  }

  return {
    restart,
    remind: () => reportPause().catch(() => undefined),
    reportContext: async (context) => {
      if (!socket?.connected) return undefined;
      return socket
        .timeout(answerWithinMs)
        .emitWithAck('context', context)
        .catch(() => undefined);
    },
    isConnected: () => socket?.connected === true,
    leave: async () => {
      end();
      const lastReport = hasSentHeartbeat
        ? Promise.resolve(heartbeat.stop({ leaving: false })).then(() => beat(true))
        : undefined;
      await Promise.race([lastReport, new Promise((resolve) => setTimeout(resolve, leaveWithinMs).unref())]);
    },
  };
}

function socketOptions(session: ExtensionSignInSession, who: ExtensionSession) {
  return {
    path: '/api/v2/ws',
    transports: ['websocket', 'polling'],
    tryAllTransports: true,
    forceNew: true,
    reconnectionDelay: 500,
    reconnectionDelayMax: 30_000,
    auth: (give: (auth: object) => void) =>
      void session
        .accessToken()
        .then((token) => give({ token: token.kind === 'token' ? token.token : '', session: who })),
  };
}

/** Returns whether to retry, after renewing a rejected token. */
async function renewRejectedToken(
  session: ExtensionSignInSession,
  error: Error & { data?: { code?: unknown } },
): Promise<boolean> {
  if (error.data?.code !== 401) return true;
  const token = await session.accessToken();
  if (token.kind === 'token') await session.accessToken(token.token);
  return session.isActive();
}
