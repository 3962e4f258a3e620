import { Buffer } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { newSalt } from '@sightline/telemetry/redact.ts';
import { createOrReadText, parseJson } from './shared-file.ts';

/** Data shared by all windows of an editor on one machine. */
export interface Installation {
  deviceId: string;
  /** Never leaves the machine. */
  salt: Uint8Array<ArrayBuffer>;
}

export async function readInstallation(folder: string): Promise<Installation> {
  const made = JSON.stringify({ deviceId: randomUUID(), salt: Buffer.from(newSalt()).toString('base64') });
  const stored = parseJson(await createOrReadText(join(folder, 'installation.json'), made)) as
    | Record<string, unknown>
    | undefined;
  const { deviceId, salt } = stored ?? {};
  // The file is incomplete after a crash, so this window uses values of its own.
  if (typeof deviceId !== 'string' || typeof salt !== 'string') return { deviceId: randomUUID(), salt: newSalt() };
  return { deviceId, salt: new Uint8Array(Buffer.from(salt, 'base64')) };
}
