import { topic } from '#core/topics.ts';

/** Telemetry of sessions was stored. */
export const agentSessionsReceived = topic<{ sessionIds: readonly string[] }>('tools.agent-sessions-received');
