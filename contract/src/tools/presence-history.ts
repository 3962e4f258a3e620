import { z } from 'zod';
import { instant } from '../core/text.ts';
import { cursor, type Event, eventKind } from '../timeline/events.ts';
import type { ExtensionStatus, UserStatus } from './presence.ts';

/**
 * What a socket may ask: on `/user` about the asking person, on `/project` about everybody in a repository,
 * in both as far as their role lets them look. Without `projectId` a project is the one open in the editor.
 */
export const askActivity = z.strictObject({ projectId: z.uuid().optional(), since: instant.optional() }).prefault({});
export interface Activity {
  ide: { status: ExtensionStatus['ide_status']; timestamp: string | null; type: string | null };
  browser: { status: ExtensionStatus['browser_status']; timestamp: string | null; type: string | null };
  currentProject: UserStatus['currentProject'];
  /** The newest event, if it is newer than `since`. */
  lastEvent: Event | null;
}

export const askHistory = z
  .strictObject({
    projectId: z.uuid().optional(),
    /** A time, or `next` of an earlier answer. */
    before: z.union([instant, cursor]).optional(),
    limit: z.int().min(1).max(100).default(20),
    kinds: z.array(eventKind).max(20).default([]),
  })
  .prefault({});
export interface History {
  /** Newest first. */
  events: Event[];
  /** Null once there is nothing older. */
  next: string | null;
}
