import type { EditorContext, EditorContextAnswer, ExtensionSession } from '@sightline/contract/tools/presence.ts';
import { type Ask, paths } from '@sightline/telemetry/api.ts';
import { backoff } from '@sightline/telemetry/backoff.ts';
import { type Pause, toldPause } from '@sightline/telemetry/pause.ts';
import { createHeartbeat } from '@sightline/telemetry/presence.ts';
import type { ExtensionSignInSession } from '@sightline/telemetry/session.ts';
import type { Socket } from 'socket.io-client';

export interface PresenceOptions {
  server: () => string | undefined;
  ask: Ask;
  session: ExtensionSignInSession;
  /** Of this window. */
  who: ExtensionSession;
  /** Null while recording is on. */
  pause: () => Promise<Pause | null>;
  onChange: () => void;
}

export interface Presence {
  /** Connects as whoever is signed in now, or ends; while paused, says that and ends. */
  restart: () => Promise<void>;
  /** Says that it is paused where the server could not be told before. */
  remind: () => Promise<void>;
  /** Tells what is open; without a connection nobody is told. Undefined where no answer came. */
  tell: (context: EditorContext) => Promise<EditorContextAnswer | undefined>;
  isConnected: () => boolean;
  /** The window closes. */
  leave: () => Promise<void>;
}

const answerWithinMs = 10_000;
const leaveWithinMs = 1500;

/**
 * Says that this window is there: by a socket that stays open, and by heartbeats wherever sockets do not get through. While paused it
 * says that once, and nothing else.
 */
export function createPresence({ server, ask, session, who, pause, onChange }: PresenceOptions): Presence {
  let socket: Socket | undefined;
  let round = 0;
  let beaten = false;
  /** The pause the server does not know of yet. */
  let untold: Pause | null = null;
  const heartbeat = createHeartbeat({ send: beat });

  async function beat(leaving: boolean) {
    const token = await session.accessToken();
    if (token.kind !== 'token') return;
    beaten = true;
    await ask('POST', paths.heartbeat, { token: token.token, body: { ...who, leaving } });
  }

  async function tellPause() {
    const token = untold && (await session.accessToken());
    if (!untold || token?.kind !== 'token') return;
    const body = { ...who, leaving: false, paused: toldPause(untold) };
    const { status } = await ask('POST', paths.heartbeat, { token: token.token, body });
    if (status < 300) untold = null;
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
    untold = paused;
    // Told before the socket ends: by a socket that ends, a window closes.
    await tellPause().catch(() => undefined);
    if (mine !== round) return;
    socket?.disconnect();
    socket = undefined;
    if (!isActive || paused) {
      beaten = false;
      await heartbeat.stop({ leaving: false });
      onChange();
      return;
    }
    // Loaded now and not with the extension, which must start in no time.
    const { io } = await import('socket.io-client');
    if (mine === round) open(io(`${address}/ide/context`, options()), mine);
    onChange();
  }

  function options() {
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

  function open(opened: Socket, mine: number) {
    const wait = backoff(Math.random);
    socket = opened;
    const later = () => setTimeout(() => mine === round && opened.connect(), wait.next(null)).unref();
    opened.on('connect', () => {
      wait.reset();
      void heartbeat.stop({ leaving: false });
      onChange();
    });
    opened.on('disconnect', () => {
      // Cut by the server, as at the end of a token's life: socket.io itself does not come back from that.
      if (mine === round && !opened.active) later();
      onChange();
    });
    opened.on('connect_error', (error) => {
      if (mine !== round) return;
      heartbeat.start();
      if (!opened.active) void refused(error).then((again) => again && later());
      onChange();
    });
  }

  /** Whether it is worth another try, with another token where this one was not taken. */
  async function refused(error: Error & { data?: { code?: unknown } }): Promise<boolean> {
    if (error.data?.code !== 401) return true;
    const token = await session.accessToken();
    if (token.kind === 'token') await session.accessToken(token.token);
    return session.isActive();
  }

  return {
    restart,
    remind: () => tellPause().catch(() => undefined),
    tell: async (context) => {
      if (!socket?.connected) return undefined;
      return socket
        .timeout(answerWithinMs)
        .emitWithAck('context', context)
        .catch(() => undefined);
    },
    isConnected: () => socket?.connected === true,
    leave: async () => {
      end();
      const said = beaten ? Promise.resolve(heartbeat.stop({ leaving: false })).then(() => beat(true)) : undefined;
      await Promise.race([said, new Promise((resolve) => setTimeout(resolve, leaveWithinMs).unref())]);
    },
  };
}
