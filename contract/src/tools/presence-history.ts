import { z } from 'zod';
import { timestamp } from '../core/text.ts';
import { cursor, type Event, eventKind } from '../timeline/events.ts';
import type { ExtensionStatus, UserStatus } from './presence.ts';

/**
 * Socket requests: on `/user` about the requesting person, on `/project` about everyone in a repository, both within
 * the scope of their role. Default `projectId`: the repository open in the editor.
 */
export const activityRequest = z
  .strictObject({ projectId: z.uuid().optional(), since: timestamp.optional() })
  .prefault({});
export interface Activity {
  ide: { status: ExtensionStatus['ide_status']; timestamp: string | null; type: string | null };
  browser: { status: ExtensionStatus['browser_status']; timestamp: string | null; type: string | null };
  currentProject: UserStatus['currentProject'];
  /** The newest event, if newer than `since`. */
  lastEvent: Event | null;
}

export const historyRequest = z
  .strictObject({
    projectId: z.uuid().optional(),
    /** A time, or `next` of an earlier response. */
    before: z.union([timestamp, cursor]).optional(),
    limit: z.int().min(1).max(100).default(20),
    kinds: z.array(eventKind).max(20).default([]),
  })
  .prefault({});
export interface EventsPage {
  /** Newest first. */
  events: Event[];
  /** Null without older events. */
  next: string | null;
}
