import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { paths } from '@sightline/telemetry/api.ts';
import { eventBuilder } from '@sightline/telemetry/events.ts';
import { createLog } from '@sightline/telemetry/log.ts';
import { createQueue } from '@sightline/telemetry/queue.ts';
import { createSender } from '@sightline/telemetry/sender.ts';
import { type ExtensionContext, version as editorVersion, env } from 'vscode';
import { createAccount } from './account.ts';
import { createPauseFile } from './pause-file.ts';
import { createPresence } from './presence.ts';
import { programOf } from './program.ts';
import { createQueueFolder } from './queue-folder.ts';
import { createRecorder } from './recorder.ts';
import { createSentFile } from './sent-file.ts';
import { createSentView } from './sent-view.ts';
import { settings } from './settings.ts';

export type EditorParts = ReturnType<typeof createParts>;

/** Creates the objects of one window, without starting or reading anything. */
export function createParts(context: ExtensionContext, onChange: () => void) {
  const folder = context.globalStorageUri.fsPath;
  const extensionVersion = String(context.extension.packageJSON.version);
  const program = programOf({ appName: env.appName, uriScheme: env.uriScheme, appHost: env.appHost });
  const windowId = randomUUID();
  // Logs only the error class, since a message can contain a path.
  const onTrouble = (error: unknown) => console.warn('Sightline:', error instanceof Error ? error.name : 'trouble');

  const account = createAccount(context.secrets, program, extensionVersion);
  const { session, callApi } = account;
  const windows = createQueueFolder(join(folder, 'queue'), windowId);
  const sentFile = createSentFile(folder);
  const log = createLog({ onChange });
  const sentView = createSentView(log, sentFile, session);
  const logEvents: typeof log.record = (events, state, reason) => {
    log.record(events, state, reason);
    const ids = new Set(events.map((event) => event.message_id));
    const entries = state === 'waiting' ? [] : log.entries().filter(({ id }) => ids.has(id));
    void sentFile.add(entries).then(sentView.changed, onTrouble);
  };
  const queue = createQueue({
    store: windows.store,
    onDropped: (events, reason) => logEvents(events, 'dropped', reason),
    onTrouble,
  });
  const sender = createSender({
    queue,
    token: (refused) => session.accessToken(refused),
    owner: () => session.owner(),
    post: (token, events) => callApi('POST', paths.events, { token, body: events }),
    logEvents,
    onState: onChange,
  });
  const pause = createPauseFile(folder);
  const buildEvent = eventBuilder({ plugin: 'sightline-editor', source: program, version: extensionVersion });
  const record = createRecorder({ buildEvent, queue, sender, session, pause, logEvents, onTrouble });
  const who = { side: 'ide', sessionId: windowId, type: program, version: editorVersion.slice(0, 40) } as const;
  const presence = createPresence({ server: settings.server, callApi, session, who, pause: pause.read, onChange });
  return {
    folder,
    program,
    account,
    windows,
    queue,
    sender,
    pause,
    record,
    presence,
    sentView,
    log,
    logEvents,
    onTrouble,
  };
}
