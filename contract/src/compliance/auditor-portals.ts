import { z } from 'zod';
import { controlId } from '../core/control-ids.ts';
import { endpoint } from '../core/endpoint.ts';
import { pagedQuery } from '../core/paging.ts';
import { periodEnds } from '../core/periods.ts';
import { commaList, instant, text } from '../core/text.ts';
import { largestSample } from './control-runs.ts';
import {
  completeness,
  controlDefinition,
  controlSetting,
  controlStatus,
  verdict,
  verdictCounts,
  verdictRow,
} from './controls.ts';
import { snapshotControl, snapshotFile, snapshotRedactions } from './snapshots.ts';

/** Days a room may be open, at most. */
export const longestRoomDays = 90;
/** Snapshots in one room, at most. */
export const mostRoomSnapshots = 20;

export const roomStates = ['open', 'closed', 'revoked'] as const;
export const roomState = z.enum(roomStates);
export type RoomState = z.infer<typeof roomState>;

const redaction = z.enum(snapshotRedactions);

/** What an auditor asks for; `answer` null: nobody answered yet. */
export const roomRequest = z.object({
  id: z.string(),
  /** What it is about; null: nothing particular. */
  control: controlId.nullable(),
  text: z.string(),
  askedAt: instant,
  answer: z.string().nullable(),
  answeredAt: instant.nullable(),
});
export type RoomRequest = z.infer<typeof roomRequest>;

/** A room as members of its organization see it. */
export const room = z.object({
  id: z.string(),
  name: z.string(),
  auditor: z.object({ name: z.string(), email: z.string().nullable() }),
  snapshots: z.array(z.object({ id: z.string(), name: z.string(), period: periodEnds })),
  /** `people`: nothing in it opens what is committed about people, whatever its snapshots disclose. */
  redaction,
  state: roomState,
  openedAt: instant,
  openedBy: z.object({ id: z.string(), name: z.string() }),
  closesAt: instant,
  revokedAt: instant.nullable(),
  /** When the link was mailed; null: it was not, or not yet. */
  mailedAt: instant.nullable(),
  mailFailed: z.boolean(),
  /** Each is an entry of the ledger. */
  views: z.number().int(),
  lastViewAt: instant.nullable(),
  /** Requests, and those of them that nobody answered yet. */
  requests: z.number().int(),
  openRequests: z.number().int(),
});
export type Room = z.infer<typeof room>;

export const roomDetails = room.extend({ asked: z.array(roomRequest) });
export type RoomDetails = z.infer<typeof roomDetails>;

const reading = { scope: 'organization', permission: 'read:evidence' } as const;
const writing = { scope: 'organization', permission: 'create:evidence' } as const;
const params = z.strictObject({ roomId: z.uuid() });

export const listRooms = endpoint({
  method: 'GET',
  path: '/v2/rooms',
  summary: 'Lists the auditor portals of the organization, newest first.',
  ...reading,
  query: pagedQuery(['date-desc', 'date-asc'], { state: commaList(roomState) }),
  response: z.array(room),
  paged: true,
});

export const openRoom = endpoint({
  method: 'POST',
  path: '/v2/rooms',
  summary: 'Creates an auditor portal with snapshots and an expiry. Returns its link once.',
  ...writing,
  body: z.strictObject({
    name: text(120).trim().min(1),
    auditor: z.strictObject({
      name: text(120).trim().min(1),
      /** The link is mailed there where one is given. */
      email: text(254).nullable().default(null),
    }),
    snapshots: z.array(z.uuid()).min(1).max(mostRoomSnapshots),
    redaction: redaction.default('none'),
    /** In the future, at most 90 days from now. */
    closesAt: instant,
  }),
  response: z.object({
    room,
    /** With the token behind the `#`, which no server is told of by opening it. */
    link: z.string(),
  }),
  status: 201,
  errors: ['not_found', 'conflict'],
});

export const getRoom = endpoint({
  method: 'GET',
  path: '/v2/rooms/:roomId',
  summary: 'Returns an auditor portal with its evidence requests.',
  ...reading,
  params,
  response: roomDetails,
});

export const revokeRoom = endpoint({
  method: 'DELETE',
  path: '/v2/rooms/:roomId',
  summary: 'Revokes access to an auditor portal permanently. An expired portal stays unchanged.',
  ...writing,
  params,
  response: roomDetails,
});

export const answerRoomRequest = endpoint({
  method: 'POST',
  path: '/v2/rooms/:roomId/requests/:requestId/answer',
  summary: 'Answers an evidence request, once.',
  ...writing,
  params: params.extend({ requestId: z.uuid() }),
  body: z.strictObject({ answer: text(4000).trim().min(1) }),
  response: roomDetails,
  errors: ['conflict'],
});

// From here on: the auditor's side. Nobody is a member of anything here; a cookie stands for one visit of one room. Whatever is
// wrong, closed, revoked or somebody else's gets one and the same 404.

export const roomSnapshot = z.object({
  id: z.string(),
  name: z.string(),
  period: periodEnds,
  frozenAt: instant,
  ledger: z.object({ epoch: z.number().int(), judged: z.number().int(), size: z.number().int() }),
  results: z.array(snapshotControl.extend({ title: z.string() })),
});
export type RoomSnapshot = z.infer<typeof roomSnapshot>;

/** What an auditor finds behind the door. */
export const enteredRoom = z.object({
  id: z.string(),
  name: z.string(),
  organization: z.string(),
  auditor: z.string(),
  redaction,
  openedAt: instant,
  closesAt: instant,
  snapshots: z.array(roomSnapshot),
  /** How far the newest snapshot is signed, and with whom checkpoints were left until then, as its bundle says. */
  vouched: z.object({
    size: z.number().int(),
    signedAt: instant,
    anchors: z.array(z.object({ kind: z.string(), party: z.string(), size: z.number().int(), at: instant })),
  }),
});
export type EnteredRoom = z.infer<typeof enteredRoom>;

/** A row as the bundle holds it. */
export const roomRow = verdictRow.extend({
  /** Its place in the file of evidence, from 0. */
  place: z.number().int(),
  /** Id. */
  repository: z.string().nullable(),
  happenedAt: z.string(),
  told: z.array(
    z.object({ code: z.string(), says: z.string(), about: z.string().nullable(), closedBy: z.string().nullable() }),
  ),
  /** The entry of a change, which the bundle holds with its parts; null: the row is none. */
  change: z.number().int().nullable(),
  /** Disclosed by the bundle; null: withheld, or nothing is. */
  title: z.string().nullable(),
});
export type RoomRow = z.infer<typeof roomRow>;

const inRoom = { scope: 'room' } as const;
const ofSnapshot = params.extend({ snapshotId: z.uuid() });
const ofControl = ofSnapshot.extend({ controlId });

export const enterRoom = endpoint({
  method: 'POST',
  path: '/v2/room/enter',
  summary:
    'Exchanges the token of a link for a cookie that gives access to this portal until it expires, for at most one day.',
  scope: 'public',
  body: z.strictObject({ token: text(200) }),
  response: z.object({ roomId: z.string() }),
  errors: ['not_found'],
});

export const getEnteredRoom = endpoint({
  method: 'GET',
  path: '/v2/room/:roomId',
  summary: 'Returns the contents of an auditor portal. Each view is a ledger entry.',
  ...inRoom,
  params,
  response: enteredRoom,
});

export const getRoomDoor = endpoint({
  method: 'GET',
  path: '/v2/room/:roomId/door',
  summary: 'Returns whether a portal is active. The page of the portal polls it. Not recorded as a view.',
  ...inRoom,
  params,
  response: z.object({
    closesAt: instant,
    /** Requests that were answered so far. */
    answered: z.number().int(),
  }),
});

export const getRoomSnapshot = endpoint({
  method: 'GET',
  path: '/v2/room/:roomId/snapshots/:snapshotId',
  summary: 'Returns a snapshot of an auditor portal with the files of its bundle.',
  ...inRoom,
  params: ofSnapshot,
  response: roomSnapshot.extend({
    bundle: z.object({ name: z.string(), bytes: z.number().int(), sha256: z.string() }),
    files: z.array(snapshotFile),
    /** The public key of the ledger that signed it: compare it with one that came another way. */
    key: z.string(),
  }),
  errors: ['conflict'],
});

export const getRoomControl = endpoint({
  method: 'GET',
  path: '/v2/room/:roomId/snapshots/:snapshotId/controls/:controlId',
  summary: 'Returns the result of a control in a snapshot with parameters and completeness of the population.',
  ...inRoom,
  params: ofControl,
  response: controlDefinition.extend({
    status: controlStatus,
    counts: verdictCounts,
    completeness: z.array(completeness),
    settings: z.array(
      z.object({
        version: z.number().int(),
        setting: controlSetting,
        from: z.string().nullable(),
        until: z.string().nullable(),
      }),
    ),
    /** The entry of the ledger that holds what came of it, and the hash of its rows. */
    entry: z.number().int(),
    rowsSha256: z.string(),
  }),
  errors: ['conflict'],
});

export const listRoomRows = endpoint({
  method: 'GET',
  path: '/v2/room/:roomId/snapshots/:snapshotId/controls/:controlId/rows',
  summary: 'Lists the items of a control in a snapshot as in the bundle.',
  ...inRoom,
  params: ofControl,
  query: pagedQuery(['place-asc', 'place-desc'], { verdict: commaList(verdict) }),
  response: z.array(roomRow),
  paged: true,
  errors: ['conflict'],
});

export const getRoomSample = endpoint({
  method: 'GET',
  path: '/v2/room/:roomId/snapshots/:snapshotId/controls/:controlId/sample',
  summary:
    'Returns a sample of the items of a control, selected by the root hash of the checkpoint or by a custom seed. The seed is recorded in the ledger.',
  ...inRoom,
  params: ofControl,
  query: z.strictObject({
    seed: text(200).optional(),
    size: z.coerce.number().int().min(1).max(largestSample).default(25),
  }),
  response: z.object({
    seed: z.string(),
    /** Whether the seed is the checkpoint's. */
    isDrawnByLedger: z.boolean(),
    /** How many rows it was drawn from. */
    population: z.number().int(),
    rows: z.array(roomRow),
  }),
  errors: ['conflict'],
});

export const getRoomChange = endpoint({
  method: 'GET',
  path: '/v2/room/:roomId/snapshots/:snapshotId/changes/:entry',
  summary: 'Returns the record of a change as in the bundle of a snapshot.',
  ...inRoom,
  params: ofSnapshot.extend({ entry: z.coerce.number().int().min(0).max(999_999_999_999) }),
  response: z.object({
    /** Its entry of the ledger, by index, and how many hashes lead from there to the root. */
    entry: z.number().int(),
    proof: z.number().int(),
    asOf: z.string(),
    receivedAt: z.string(),
    source: z.string(),
    /** Disclosed; null: withheld, or nothing is. */
    title: z.string().nullable(),
    /** What stands in the open. */
    subject: z.record(z.string(), z.unknown()),
    /** What the entry holds the hash of: each part with how far it is known. */
    parts: z.record(z.string(), z.unknown()),
  }),
  errors: ['conflict'],
});

export const getRoomBundle = endpoint({
  method: 'GET',
  path: '/v2/room/:roomId/snapshots/:snapshotId/bundle',
  summary:
    'Returns the bundle of a snapshot, complete or as byte ranges. A redacted portal discloses no personal data.',
  ...inRoom,
  params: ofSnapshot,
  response: z.string(),
  file: ['application/zip'],
  errors: ['conflict'],
});

export const listOwnRoomRequests = endpoint({
  method: 'GET',
  path: '/v2/room/:roomId/requests',
  summary: 'Lists the evidence requests of a portal with their answers.',
  ...inRoom,
  params,
  response: z.array(roomRequest),
});

export const askInRoom = endpoint({
  method: 'POST',
  path: '/v2/room/:roomId/requests',
  summary: 'Requests evidence.',
  ...inRoom,
  params,
  body: z.strictObject({ control: controlId.nullable().default(null), text: text(2000).trim().min(1) }),
  response: roomRequest,
  status: 201,
  errors: ['conflict'],
});
