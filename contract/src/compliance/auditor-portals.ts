import { z } from 'zod';
import { controlId } from '../core/control-ids.ts';
import { endpoint } from '../core/endpoint.ts';
import { pagedQuery } from '../core/paging.ts';
import { periodEnds } from '../core/periods.ts';
import { commaList, instant, text } from '../core/text.ts';
import { MAX_SAMPLE_ROWS } from './control-runs.ts';
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

/** Days a portal may be open, at most. */
export const MAX_PORTAL_DAYS = 90;
/** Snapshots in one portal, at most. */
export const MAX_PORTAL_SNAPSHOTS = 20;

export const portalStates = ['open', 'closed', 'revoked'] as const;
export const portalState = z.enum(portalStates);
export type PortalState = z.infer<typeof portalState>;

const redaction = z.enum(snapshotRedactions);

/** What an auditor asks for; `answer` null: nobody answered yet. */
export const portalRequest = z.object({
  id: z.string(),
  /** What it is about; null: nothing particular. */
  control: controlId.nullable(),
  text: z.string(),
  requestedAt: instant,
  answer: z.string().nullable(),
  answeredAt: instant.nullable(),
});
export type PortalRequest = z.infer<typeof portalRequest>;

/** A portal as members of its organization see it. */
export const portal = z.object({
  id: z.string(),
  name: z.string(),
  auditor: z.object({ name: z.string(), email: z.string().nullable() }),
  snapshots: z.array(z.object({ id: z.string(), name: z.string(), period: periodEnds })),
  /** `people`: nothing in it opens what is committed about people, whatever its snapshots disclose. */
  redaction,
  state: portalState,
  createdAt: instant,
  createdBy: z.object({ id: z.string(), name: z.string() }),
  expiresAt: instant,
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
export type Portal = z.infer<typeof portal>;

export const portalDetails = portal.extend({ evidenceRequests: z.array(portalRequest) });
export type PortalDetails = z.infer<typeof portalDetails>;

const reading = { scope: 'organization', permission: 'read:evidence' } as const;
const writing = { scope: 'organization', permission: 'create:evidence' } as const;
const params = z.strictObject({ portalId: z.uuid() });

export const listPortals = endpoint({
  method: 'GET',
  path: '/v2/auditor-portals',
  summary: 'Lists the auditor portals of the organization, newest first.',
  ...reading,
  query: pagedQuery(['date-desc', 'date-asc'], { state: commaList(portalState) }),
  topics: ['orgEvidence'],
  response: z.array(portal),
  paged: true,
});

export const createPortal = endpoint({
  method: 'POST',
  path: '/v2/auditor-portals',
  summary: 'Creates an auditor portal with snapshots and an expiry. Returns its link once.',
  ...writing,
  body: z.strictObject({
    name: text(120).trim().min(1),
    auditor: z.strictObject({
      name: text(120).trim().min(1),
      /** The link is mailed there where one is given. */
      email: text(254).nullable().default(null),
    }),
    snapshots: z.array(z.uuid()).min(1).max(MAX_PORTAL_SNAPSHOTS),
    redaction: redaction.default('none'),
    /** In the future, at most 90 days from now. */
    expiresAt: instant,
  }),
  changes: ['orgEvidence'],
  response: z.object({
    portal,
    /** With the token behind the `#`, which no server is told of by opening it. */
    link: z.string(),
  }),
  status: 201,
  errors: ['not_found', 'conflict'],
});

export const getPortal = endpoint({
  method: 'GET',
  path: '/v2/auditor-portals/:portalId',
  summary: 'Returns an auditor portal with its evidence requests.',
  ...reading,
  params,
  topics: ['orgEvidence'],
  response: portalDetails,
});

export const revokePortal = endpoint({
  method: 'DELETE',
  path: '/v2/auditor-portals/:portalId',
  summary: 'Revokes access to an auditor portal permanently. An expired portal stays unchanged.',
  ...writing,
  params,
  changes: ['orgEvidence'],
  response: portalDetails,
});

export const answerPortalRequest = endpoint({
  method: 'POST',
  path: '/v2/auditor-portals/:portalId/requests/:requestId/answer',
  summary: 'Answers an evidence request, once.',
  ...writing,
  params: params.extend({ requestId: z.uuid() }),
  body: z.strictObject({ answer: text(4000).trim().min(1) }),
  changes: ['orgEvidence'],
  response: portalDetails,
  errors: ['conflict'],
});

// From here on: the auditor's side. Nobody is a member of anything here; a cookie stands for one visit of one portal. Whatever is
// wrong, closed, revoked or somebody else's gets one and the same 404.

export const portalSnapshot = z.object({
  id: z.string(),
  name: z.string(),
  period: periodEnds,
  takenAt: instant,
  ledger: z.object({ epoch: z.number().int(), evaluated: z.number().int(), size: z.number().int() }),
  results: z.array(snapshotControl.extend({ title: z.string() })),
});
export type PortalSnapshot = z.infer<typeof portalSnapshot>;

/** What an auditor finds behind the door. */
export const enteredPortal = z.object({
  id: z.string(),
  name: z.string(),
  organization: z.string(),
  auditor: z.string(),
  redaction,
  createdAt: instant,
  expiresAt: instant,
  snapshots: z.array(portalSnapshot),
  /** How far the newest snapshot is signed, and with whom checkpoints were left until then, as its bundle says. */
  anchoring: z.object({
    size: z.number().int(),
    signedAt: instant,
    anchors: z.array(z.object({ kind: z.string(), party: z.string(), size: z.number().int(), at: instant })),
  }),
});
export type EnteredPortal = z.infer<typeof enteredPortal>;

/** A row as the bundle holds it. */
export const portalRow = verdictRow.extend({
  /** Its place in the file of evidence, from 0. */
  position: z.number().int(),
  /** Id. */
  repository: z.string().nullable(),
  happenedAt: z.string(),
  explanations: z.array(
    z.object({ code: z.string(), text: z.string(), about: z.string().nullable(), remedy: z.string().nullable() }),
  ),
  /** The entry of a change, which the bundle holds with its parts; null: the row is none. */
  change: z.number().int().nullable(),
  /** Disclosed by the bundle; null: withheld, or nothing is. */
  title: z.string().nullable(),
});
export type PortalRow = z.infer<typeof portalRow>;

const portalScope = { scope: 'portal' } as const;
const ofSnapshot = params.extend({ snapshotId: z.uuid() });
const ofControl = ofSnapshot.extend({ controlId });

export const enterPortal = endpoint({
  method: 'POST',
  path: '/v2/portal/enter',
  summary:
    'Exchanges the token of a link for a cookie that gives access to this portal until it expires, for at most one day.',
  scope: 'public',
  body: z.strictObject({ token: text(200) }),
  response: z.object({ portalId: z.string() }),
  errors: ['not_found'],
});

export const getEnteredPortal = endpoint({
  method: 'GET',
  path: '/v2/portal/:portalId',
  summary: 'Returns the contents of an auditor portal. Each view is a ledger entry.',
  ...portalScope,
  params,
  response: enteredPortal,
});

export const getPortalStatus = endpoint({
  method: 'GET',
  path: '/v2/portal/:portalId/status',
  summary: 'Returns whether a portal is active. The page of the portal polls it. Not recorded as a view.',
  ...portalScope,
  params,
  response: z.object({
    expiresAt: instant,
    /** Requests that were answered so far. */
    answered: z.number().int(),
  }),
});

export const getPortalSnapshot = endpoint({
  method: 'GET',
  path: '/v2/portal/:portalId/snapshots/:snapshotId',
  summary: 'Returns a snapshot of an auditor portal with the files of its bundle.',
  ...portalScope,
  params: ofSnapshot,
  response: portalSnapshot.extend({
    bundle: z.object({ name: z.string(), bytes: z.number().int(), sha256: z.string() }),
    files: z.array(snapshotFile),
    /** The public key of the ledger that signed it: compare it with one that came another way. */
    key: z.string(),
  }),
  errors: ['conflict'],
});

export const getPortalControl = endpoint({
  method: 'GET',
  path: '/v2/portal/:portalId/snapshots/:snapshotId/controls/:controlId',
  summary: 'Returns the result of a control in a snapshot with parameters and completeness of the population.',
  ...portalScope,
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

export const listPortalRows = endpoint({
  method: 'GET',
  path: '/v2/portal/:portalId/snapshots/:snapshotId/controls/:controlId/rows',
  summary: 'Lists the items of a control in a snapshot as in the bundle.',
  ...portalScope,
  params: ofControl,
  query: pagedQuery(['position-asc', 'position-desc'], { verdict: commaList(verdict) }),
  response: z.array(portalRow),
  paged: true,
  errors: ['conflict'],
});

export const getPortalSample = endpoint({
  method: 'GET',
  path: '/v2/portal/:portalId/snapshots/:snapshotId/controls/:controlId/sample',
  summary:
    'Returns a sample of the items of a control, selected by the root hash of the checkpoint or by a custom seed. The seed is recorded in the ledger.',
  ...portalScope,
  params: ofControl,
  query: z.strictObject({
    seed: text(200).optional(),
    size: z.coerce.number().int().min(1).max(MAX_SAMPLE_ROWS).default(25),
  }),
  response: z.object({
    seed: z.string(),
    /** Whether the seed is the checkpoint's. */
    isLedgerSeed: z.boolean(),
    /** How many rows it was drawn from. */
    population: z.number().int(),
    rows: z.array(portalRow),
  }),
  errors: ['conflict'],
});

export const getPortalChange = endpoint({
  method: 'GET',
  path: '/v2/portal/:portalId/snapshots/:snapshotId/changes/:entry',
  summary: 'Returns the record of a change as in the bundle of a snapshot.',
  ...portalScope,
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

export const getPortalBundle = endpoint({
  method: 'GET',
  path: '/v2/portal/:portalId/snapshots/:snapshotId/bundle',
  summary:
    'Returns the bundle of a snapshot, complete or as byte ranges. A redacted portal discloses no personal data.',
  ...portalScope,
  params: ofSnapshot,
  response: z.string(),
  file: ['application/zip'],
  errors: ['conflict'],
});

export const listOwnPortalRequests = endpoint({
  method: 'GET',
  path: '/v2/portal/:portalId/requests',
  summary: 'Lists the evidence requests of a portal with their answers.',
  ...portalScope,
  params,
  topics: ['portalRequests'],
  response: z.array(portalRequest),
});

export const requestEvidence = endpoint({
  method: 'POST',
  path: '/v2/portal/:portalId/requests',
  summary: 'Requests evidence.',
  ...portalScope,
  params,
  body: z.strictObject({ control: controlId.nullable().default(null), text: text(2000).trim().min(1) }),
  changes: ['portalRequests'],
  response: portalRequest,
  status: 201,
  errors: ['conflict'],
});
