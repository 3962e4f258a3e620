import {
  type ChangeNoticeName,
  type ChangeNotices,
  changeNoticeNamespace,
  type Namespace,
  realtimePath,
} from '@sightline/contract/delivery/realtime.ts';
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import type { Socket } from 'socket.io-client';
import { accessToken, currentSession } from './session.ts';

export type ConnectionState = 'connecting' | 'connected' | 'disconnected';

/** Calls `handle` for each change notice while mounted. Notices contain IDs, so refetch the documents. */
export function useChangeNotice<Name extends ChangeNoticeName>(
  name: Name,
  handle: (notice: ChangeNotices[Name]) => void,
): void {
  const onNews = useEffectEvent(handle);
  useEffect(() => listen(name, (notice) => onNews(notice as ChangeNotices[Name])), [name]);
}

/** The connection state; `connecting` until all used namespaces have responded once. */
export const useConnection = (): ConnectionState => useSyncExternalStore(subscribe, connectionState);

/** Spec 8: the connection problem in the specified words; undefined without one. */
export const useConnectionError = (): string | undefined => useSyncExternalStore(subscribe, connectionError);

/** The same after a delay, so that short interruptions are not shown. */
export function useLastingConnectionError(): string | undefined {
  const error = useConnectionError();
  const [lasting, setLasting] = useState<string>();
  useEffect(() => {
    if (error === undefined) return setLasting(undefined);
    const timer = setTimeout(() => setLasting(error), PROBLEM_DELAY_MS);
    return () => clearTimeout(timer);
  }, [error]);
  return lasting;
}

/** Calls back after each reconnect, since notices may have been missed. */
export function onReconnect(handle: () => void): () => void {
  reconnected.add(handle);
  return () => reconnected.delete(handle);
}

/** Calls back when the server rejects this session: its token expired, or the membership ended. */
export function onSessionRejected(handle: () => void): () => void {
  refused.add(handle);
  return () => refused.delete(handle);
}

interface RealtimeConnection {
  state: ConnectionState;
  wasConnected: boolean;
  listeners: Map<ChangeNoticeName, Set<(notice: unknown) => void>>;
  socket?: Socket;
  close: () => void;
}

// Spec 9: reconnects after 100 ms; at most 5 s, with jitter, so that clients do not all reconnect to a restarted server
// at once.
const firstDelay = 100;
const longestDelay = 5_000;

/** Milliseconds. */
const PROBLEM_DELAY_MS = 2_000;

const lines = new Map<Namespace, RealtimeConnection>();
const watchers = new Set<() => void>();
const reconnected = new Set<() => void>();
const refused = new Set<() => void>();

function connectionState(): ConnectionState {
  const states = [...lines.values()].map(({ state }) => state);
  if (states.includes('disconnected')) return 'disconnected';
  return states.includes('connecting') || states.length === 0 ? 'connecting' : 'connected';
}

function connectionError(): string | undefined {
  if (connectionState() !== 'disconnected') return undefined;
  const all = [...lines.values()];
  if (all.some(({ state }) => state === 'connected')) return 'no connection to namespace';
  if (all.some(({ wasConnected }) => wasConnected)) return 'the current websocket connection is closed';
  return 'no connection to websocket server';
}

function subscribe(watch: () => void): () => void {
  watchers.add(watch);
  return () => watchers.delete(watch);
}

/** Calls `handle` for each piece of news until the returned function is called. */
export function listen(name: ChangeNoticeName, handle: (notice: unknown) => void): () => void {
  const namespace = changeNoticeNamespace[name];
  const line = lines.get(namespace) ?? open(namespace);
  const handlers = line.listeners.get(name) ?? new Set();
  handlers.add(handle);
  line.listeners.set(name, handlers);
  return () => {
    handlers.delete(handle);
    if ([...line.listeners.values()].some(({ size }) => size > 0)) return;
    line.close();
    lines.delete(namespace);
    notifyWatchers();
  };
}

function open(namespace: Namespace): RealtimeConnection {
  let closed = false;
  const line: RealtimeConnection = {
    state: 'connecting',
    wasConnected: false,
    listeners: new Map(),
    close: () => {
      closed = true;
      line.socket?.disconnect();
    },
  };
  lines.set(namespace, line);
  // Loaded separately, since the page renders before the first notice matters.
  void import('socket.io-client').then(({ io }) => {
    if (closed) return;
    line.socket = io(namespace, {
      path: realtimePath,
      transports: ['websocket', 'polling'],
      reconnectionDelay: firstDelay,
      reconnectionDelayMax: longestDelay,
      randomizationFactor: 0.5,
      // Evaluated on each connection, so that a renewed token is used.
      auth: (send) => void accessToken().then((token) => send({ token })),
    });
    follow(line, line.socket);
  });
  return line;
}

function follow(line: RealtimeConnection, socket: Socket): void {
  let tries = 0;
  let lost = false;
  const become = (state: ConnectionState) => {
    line.state = state;
    notifyWatchers();
  };
  // For the library, a disconnect by the server (an expired token) and a rejected token are final, but not for us.
  const connectAgain = () => {
    if (socket.active || !currentSession()) return;
    const delay = Math.min(longestDelay, firstDelay * 2 ** tries * (0.5 + Math.random()));
    tries += 1;
    setTimeout(() => [...lines.values()].includes(line) && socket.connect(), delay);
  };
  socket.on('connect', () => {
    tries = 0;
    line.wasConnected = true;
    become('connected');
    if (lost) for (const handle of reconnected) handle();
    lost = false;
  });
  socket.on('disconnect', () => {
    lost = true;
    become('disconnected');
    connectAgain();
  });
  socket.on('connect_error', (error: Error & { data?: { code?: number } }) => {
    lost = true;
    become('disconnected');
    if (error.data?.code === 401) for (const handle of refused) handle();
    connectAgain();
  });
  socket.onAny((name: ChangeNoticeName, notice: unknown) => {
    for (const handle of line.listeners.get(name) ?? []) handle(notice);
  });
}

function notifyWatchers(): void {
  for (const watch of watchers) watch();
}
