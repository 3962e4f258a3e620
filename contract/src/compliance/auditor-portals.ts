import { z } from 'zod';
import { controlId } from '../core/control-ids.ts';
import { csvExportOf } from '../core/csv-export.ts';
import { endpoint } from '../core/endpoint.ts';
import { pagedQuery } from '../core/paging.ts';
import { periodEnds } from '../core/periods.ts';
import { boundedText, commaList, timestamp } from '../core/text.ts';
import {
  completeness,
  controlDefinition,
  controlSetting,
  controlStatus,
  exclusion,
  MAX_SAMPLE_ROWS,
  verdict,
  verdictCounts,
  verdictRow,
  weakening,
} from './controls.ts';
import { snapshotControl, snapshotFile, snapshotRedactions } from './snapshots.ts';

/** Maximum number of days that a portal is open. */
export const MAX_PORTAL_DAYS = 90;
/** Maximum number of snapshots in one portal. */
export const MAX_PORTAL_SNAPSHOTS = 20;

export const portalStates = ['open', 'closed', 'revoked'] as const;
export const portalState = z.enum(portalStates);
export type PortalState = z.infer<typeof portalState>;

const redaction = z.enum(snapshotRedactions);

/** How a portal names persons: with the current names that the organization states, or with pseudonyms. */
export const portalNamings = ['pseudonyms', 'names'] as const;
const portalNaming = z.enum(portalNamings);
export type PortalNaming = z.infer<typeof portalNaming>;

/** A portal as shown to members of its organization. */
export const portal = z.object({
  id: z.string(),
  name: z.string(),
  auditor: z.object({ name: z.string(), email: z.string().nullable() }),
  snapshots: z.array(z.object({ id: z.string(), name: z.string(), period: periodEnds })),
  /** `people`: the portal withholds disclosures of personal data, even if its snapshots contain them. */
  redaction,
  people: portalNaming,
  /** The portal of an earlier period that this one continues. */
  earlier: z.object({ id: z.string(), name: z.string() }).nullable(),
  state: portalState,
  createdAt: timestamp,
  createdBy: z.object({ id: z.string(), name: z.string() }),
  expiresAt: timestamp,
  revokedAt: timestamp.nullable(),
  /** When the link was emailed; null: not emailed, or not yet. */
  mailedAt: timestamp.nullable(),
  mailFailed: z.boolean(),
  /** Each view is a ledger entry. */
  views: z.number().int(),
  lastViewAt: timestamp.nullable(),
  /** All requests, those that wait for an answer, and those of them whose due date has passed. */
  requests: z.number().int(),
  openRequests: z.number().int(),
  overdueRequests: z.number().int(),
});
export type Portal = z.infer<typeof portal>;

const reading = { scope: 'organization', permission: 'read:evidence' } as const;
const writing = { scope: 'organization', permission: 'create:evidence' } as const;
const params = z.strictObject({ portalId: z.uuid() });

export const listPortals = endpoint({
  method: 'GET',
  path: '/v2/auditor-portals',
  summary: 'Lists the auditor portals of the organization, newest first.',
  ...reading,
  query: pagedQuery(['date-desc', 'date-asc'], {
    state: commaList(portalState),
    /** Only portals with evidence requests that wait for an answer, or whose due date has passed too. */
    requests: z.enum(['any', 'open', 'overdue']).default('any'),
  }),
  topics: ['orgEvidence'],
  response: z.array(portal),
  paged: true,
});
export const exportPortals = csvExportOf(listPortals);

export const createPortal = endpoint({
  method: 'POST',
  path: '/v2/auditor-portals',
  summary: 'Creates an auditor portal with snapshots and an expiry. Returns its link once.',
  ...writing,
  body: z.strictObject({
    name: boundedText(120).trim().min(1),
    auditor: z.strictObject({
      name: boundedText(120).trim().min(1),
      /** If given, the link is emailed to this address. */
      email: boundedText(254).nullable().default(null),
    }),
    snapshots: z.array(z.uuid()).min(1).max(MAX_PORTAL_SNAPSHOTS),
    redaction: redaction.default('none'),
    /** `names` is not possible with redacted personal data. */
    people: portalNaming.default('pseudonyms'),
    /** A portal of an earlier period for the same auditor: open requests are carried forward, and its samples are shown as references. */
    rollForwardFrom: z.uuid().nullable().default(null),
    /** In the future, at most 90 days from now. */
    expiresAt: timestamp,
  }),
  changes: ['orgEvidence'],
  response: z.object({
    portal,
    /** Contains the token behind the `#`, so opening the link does not send the token to the server. */
    link: z.string(),
  }),
  status: 201,
  errors: ['not_found', 'conflict'],
});

export const getPortal = endpoint({
  method: 'GET',
  path: '/v2/auditor-portals/:portalId',
  summary: 'Returns an auditor portal.',
  ...reading,
  params,
  topics: ['orgEvidence'],
  response: portal,
});

export const revokePortal = endpoint({
  method: 'DELETE',
  path: '/v2/auditor-portals/:portalId',
  summary: 'Revokes access to an auditor portal permanently. An expired portal stays unchanged.',
  ...writing,
  params,
  changes: ['orgEvidence'],
  response: portal,
});

// The endpoints below serve auditors, who are not members of an organization. A cookie authenticates one visit to one
// portal. Unknown, closed, revoked and foreign portals all return the same 404.

export const portalSnapshot = z.object({
  id: z.string(),
  name: z.string(),
  period: periodEnds,
  takenAt: timestamp,
  ledger: z.object({ epoch: z.number().int(), evaluated: z.number().int(), size: z.number().int() }),
  results: z.array(snapshotControl.extend({ title: z.string() })),
});
export type PortalSnapshot = z.infer<typeof portalSnapshot>;

/** The portal as shown to an auditor. */
export const portalVisit = z.object({
  id: z.string(),
  name: z.string(),
  organization: z.string(),
  auditor: z.string(),
  redaction,
  people: portalNaming,
  createdAt: timestamp,
  expiresAt: timestamp,
  snapshots: z.array(portalSnapshot),
  /** The signed size of the newest snapshot, and the anchor receipts up to then, as its bundle states. */
  anchoring: z.object({
    size: z.number().int(),
    signedAt: timestamp,
    anchors: z.array(z.object({ kind: z.string(), party: z.string(), size: z.number().int(), at: timestamp })),
  }),
});
export type PortalVisit = z.infer<typeof portalVisit>;

/** A row as stored in the bundle. */
export const portalRow = verdictRow.extend({
  /** What followed a failure in the period, in words; null: nothing was recorded. It begins with `failed`. */
  remediation: z.string().nullable(),
  /** Position in the evidence file, from 0. */
  position: z.number().int(),
  /** Repository ID. */
  repository: z.string().nullable(),
  happenedAt: z.string(),
  explanations: z.array(
    z.object({ code: z.string(), text: z.string(), about: z.string().nullable(), remedy: z.string().nullable() }),
  ),
  /** The ledger entry of the change, which the bundle contains with its parts; null: the row is not a change. */
  change: z.number().int().nullable(),
  /** Disclosed by the bundle; null: withheld, or nothing to disclose. */
  title: z.string().nullable(),
});
export type PortalRow = z.infer<typeof portalRow>;

export const portalScope = { scope: 'portal' } as const;
export const ofPortal = params;
export const ofSnapshot = params.extend({ snapshotId: z.uuid() });
const ofControl = ofSnapshot.extend({ controlId });

export const enterPortal = endpoint({
  method: 'POST',
  path: '/v2/portal/enter',
  summary:
    'Exchanges the token of a link for a cookie that gives access to this portal until it expires, for at most one day.',
  scope: 'public',
  body: z.strictObject({ token: boundedText(200) }),
  response: z.object({ portalId: z.string() }),
  errors: ['not_found'],
});

export const getPortalVisit = endpoint({
  method: 'GET',
  path: '/v2/portal/:portalId',
  summary: 'Returns the contents of an auditor portal. Each view is a ledger entry.',
  ...portalScope,
  params,
  response: portalVisit,
});

export const getPortalStatus = endpoint({
  method: 'GET',
  path: '/v2/portal/:portalId/status',
  summary: 'Returns whether a portal is active. The page of the portal polls it. Not recorded as a view.',
  ...portalScope,
  params,
  response: z.object({
    expiresAt: timestamp,
    /** Number of messages of the organization about requests. */
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
    /** The public key of the ledger that signed the bundle. Auditors compare it with a key from another source. */
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
    exclusions: z.array(exclusion),
    weakenings: z.array(weakening),
    settings: z.array(
      z.object({
        version: z.number().int(),
        setting: controlSetting,
        from: z.string().nullable(),
        until: z.string().nullable(),
      }),
    ),
    /** The ledger entry that contains the result and the hash of its rows. */
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
    seed: boundedText(200).optional(),
    size: z.coerce.number().int().min(1).max(MAX_SAMPLE_ROWS).default(25),
  }),
  response: z.object({
    seed: z.string(),
    /** Whether the seed is the root hash of the checkpoint. */
    isLedgerSeed: z.boolean(),
    /** Number of rows from which the sample was drawn. */
    population: z.number().int(),
    rows: z.array(portalRow),
  }),
  errors: ['conflict'],
});

/** Maximum number of differences that a re-performance lists. */
export const MAX_REPERFORMED_DIFFERENCES = 200;

const verdictOrExcluded = z.enum([...verdict.options, 'excluded']);

export const reperformControl = endpoint({
  method: 'POST',
  path: '/v2/portal/:portalId/snapshots/:snapshotId/controls/:controlId/reperformance',
  summary:
    'Evaluates a control again on this server, from the facts below the ledger size of the snapshot, and compares each item with the bundle, also those that parameters excluded. The result is recorded in the ledger.',
  ...portalScope,
  params: ofControl,
  response: z.object({
    /** The server that computed it, by its address. */
    computedBy: z.string(),
    computedAt: timestamp,
    /** Version of the catalog of the server. */
    catalog: z.string(),
    ledger: z.object({ epoch: z.number().int(), size: z.number().int() }),
    counts: z.object({ bundle: verdictCounts, again: verdictCounts }),
    /** Number of items that parameters excluded. */
    excluded: z.object({ bundle: z.number().int(), again: z.number().int() }),
    /** The hash of all items, as in the ledger entry of the snapshot and as computed again. */
    rowsSha256: z.object({ bundle: z.string(), again: z.string() }),
    /** The same of the excluded items. */
    excludedSha256: z.object({ bundle: z.string(), again: z.string() }),
    /** Number of items that differ; `differences` lists the first ones. */
    total: z.number().int(),
    differences: z.array(
      z.object({
        subject: z.string(),
        /** Verdict in the bundle, or that a parameter excluded the item; null: the bundle lacks the item. */
        bundle: verdictOrExcluded.nullable(),
        /** The same, computed again; null: the item is missing now. */
        again: verdictOrExcluded.nullable(),
        /** Names of the fields that differ. */
        fields: z.array(z.string()),
      }),
    ),
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
