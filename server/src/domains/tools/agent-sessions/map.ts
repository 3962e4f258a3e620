import { hash } from 'node:crypto';
import type {
  AgentMeasure,
  AgentRecord,
  AgentRecordKind,
  AgentTotals,
  TelemetrySignal,
} from '@sightline/contract/tools/agent-sessions.ts';
import { normalizeEmail } from '#core/email-address.ts';
import { attachedBuildOf } from './builds.ts';
import type { Attributes, TelemetryRecord } from './otlp/records.ts';
import { type SessionTouch, touchesOf } from './touches.ts';
import type { AgentVendor, MetricMapping, RecordFields, RecordMapping } from './vendor.ts';
import { vendorOf } from './vendors.ts';

/** What is stored of a record besides its time: no texts, only numbers and names without spaces. */
export type StoredFields = Partial<
  Pick<AgentRecord, 'model' | 'tool' | 'mcpServer' | 'decision' | 'success' | 'durationMs' | 'promptLength'>
> & { measures: AgentTotals };

/** The session of a record, as far as the record names it. */
export interface DeclaredSession {
  agent: string;
  vendorSession: string;
  email: string | undefined;
  version: string | undefined;
  /** Host and path of the repository: `github.com/acme/api`. */
  remote: string | undefined;
  branch: string | undefined;
}

export interface MappedRecord {
  session: DeclaredSession;
  signal: TelemetrySignal;
  kind: AgentRecordKind;
  at: Date;
  fields: StoredFields;
  /** SHA-256 of the canonical record, the same for each delivery. */
  digest: Buffer;
  /** The text of a prompt, which is hashed and never stored. */
  promptText: string | undefined;
  /** The commits and files that the session touched. */
  touches: readonly SessionTouch[];
  /** A point of a cumulative series, by its attributes and start. Its largest value counts. */
  isCumulative: boolean;
}

/** Why a record is not stored: `ignored` if it contains nothing of interest. */
export type Unmapped = 'ignored' | 'unknown agent' | 'no session' | 'outside the retention period';

interface TimeRange {
  from: number;
  to: number;
}

/** Maps a record of telemetry by the data of its vendor. */
export function mapRecord(record: TelemetryRecord, kept: TimeRange): MappedRecord | Unmapped {
  const vendor = vendorOf(String(record.resource.get('service.name') ?? ''));
  const content = vendor && (record.point ? measurementOf(vendor, record) : contentOf(vendor, record));
  if (!vendor || !content) return vendor && vendor.services.length > 0 ? 'ignored' : 'unknown agent';
  const reader = readerOf(record);
  const vendorSession = reader.word(vendor.session);
  if (vendorSession === undefined) return 'no session';
  const at = Number(record.time) / 1e6;
  if (!(at >= kept.from && at < kept.to)) return 'outside the retention period';
  const isCumulative = record.point?.isCumulative ?? false;
  return {
    session: {
      agent: vendor.id,
      vendorSession,
      email: normalizeEmail(reader.word('user.email') ?? ''),
      version: vendor.version === undefined ? undefined : reader.word(vendor.version),
      remote: remoteOf(reader.word(['github.copilot.git.repository', 'vcs.repository.url.full']) ?? ''),
      branch: reader.word(['github.copilot.git.branch', 'vcs.ref.head.name']),
    },
    signal: record.signal,
    kind: content.kind,
    at: new Date(at),
    fields: content.fields,
    digest: digestOf(record, content),
    promptText: content.promptText,
    touches: content.touches ?? [],
    isCumulative,
  };
}

interface RecordContent {
  kind: AgentRecordKind;
  fields: StoredFields;
  reference?: string | undefined;
  promptText?: string | undefined;
  touches?: readonly SessionTouch[];
}

function contentOf(vendor: AgentVendor, record: TelemetryRecord): RecordContent | undefined {
  const attached = record.signal === 'logs' ? attachedBuildOf(record.names, readerOf(record).word) : undefined;
  if (attached)
    return attached.length === 0 ? undefined : { kind: 'build', fields: { measures: {} }, touches: attached };
  const mapping = mappingOf(record.signal === 'logs' ? vendor.logs : vendor.spans, record);
  if (!mapping) return undefined;
  const reader = readerOf(record);
  const { fields: names = {}, measures = {} } = mapping;
  const fields = { ...fieldsOf(reader, names), ...spanFieldsOf(record) };
  const quantities: AgentTotals = {};
  for (const [measure, attributes] of Object.entries(measures) as [AgentMeasure, string | readonly string[]][]) {
    const value = reader.number(attributes);
    if (value !== undefined && value > 0) quantities[measure] = value;
  }
  const promptText = names.promptText === undefined ? undefined : reader.text(names.promptText);
  return {
    kind: mapping.kind,
    fields: { ...fields, measures: { ...countsOf(vendor, mapping.kind, fields), ...quantities } },
    reference: names.reference === undefined ? undefined : reader.word(names.reference),
    promptText: promptText === undefined || isRedacted.test(promptText) ? undefined : promptText,
    touches:
      mapping.touches && fields.success !== false
        ? touchesOf(mapping.touches, reader.text, fields.tool != null && vendor.editTools.includes(fields.tool))
        : [],
  };
}

function mappingOf(
  mappings: Readonly<Record<string, RecordMapping>>,
  { names, attributes }: TelemetryRecord,
): RecordMapping | undefined {
  const name = names.find((one) => Object.hasOwn(mappings, one));
  const mapping = name === undefined ? undefined : mappings[name];
  return mapping?.requires === undefined || attributes.has(mapping.requires) ? mapping : undefined;
}

/** A span measures its duration itself, and says whether it failed. */
const spanFieldsOf = ({ span }: TelemetryRecord) =>
  span && { durationMs: Math.round(span.durationMs), success: !span.hasFailed };

function fieldsOf(reader: AttributeReader, names: RecordFields): Omit<StoredFields, 'measures'> {
  const word = (name: RecordFields[keyof RecordFields]) => (name === undefined ? undefined : reader.word(name));
  const number = (name: RecordFields[keyof RecordFields]) => (name === undefined ? undefined : reader.number(name));
  const tool = word(names.tool);
  const decision = word(names.decision);
  const success = word(names.success);
  const found = {
    model: word(names.model),
    tool,
    mcpServer: word(names.mcpServer) ?? /^mcp__([^_](?:(?!__).)*)__/.exec(tool ?? '')?.[1],
    decision: decision === undefined ? undefined : acceptance(decision),
    success: success === undefined ? undefined : success === 'true',
    durationMs: number(names.durationMs),
    promptLength: number(names.promptLength),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

/** Undefined for any other word: a request that timed out was neither. */
function acceptance(decision: string): 'accepted' | 'rejected' | undefined {
  if (/^(auto_)?(accept|approve|modify)/.test(decision)) return 'accepted';
  return /^(reject|denied|abort|cancel)/.test(decision) ? 'rejected' : undefined;
}

/** What agents send in place of a prompt that they leave out. */
const isRedacted = /^[<[]redacted[>\]]$/i;

/** What a record counts as, apart from the numbers in it. */
function countsOf(
  { editTools }: AgentVendor,
  kind: AgentRecordKind,
  { tool, decision, success }: Omit<StoredFields, 'measures'>,
): AgentTotals {
  const isEdit = tool != null && editTools.includes(tool);
  return {
    ...(kind === 'prompt' && { prompts: 1 }),
    ...(kind === 'model_request' && (success === false ? { requestErrors: 1 } : { requests: 1 })),
    ...(kind === 'model_error' && { requestErrors: 1 }),
    ...(kind === 'tool_call' && { toolCalls: 1, ...(success === false && { toolFailures: 1 }) }),
    ...(isEdit && decision === 'accepted' && { editsAccepted: 1 }),
    ...(isEdit && decision === 'rejected' && { editsRejected: 1 }),
  };
}

function measurementOf({ metrics }: AgentVendor, record: TelemetryRecord): RecordContent | undefined {
  const [name = ''] = record.names;
  const mapping = Object.hasOwn(metrics, name) ? metrics[name] : undefined;
  const value = record.point?.value ?? 0;
  const measure = mapping && measureOf(mapping, record.attributes);
  if (!mapping || measure === undefined || !(value > 0 && value < LARGEST_NUMBER)) return undefined;
  const model = mapping.model === undefined ? undefined : readerOf(record).word(mapping.model);
  return { kind: 'measurement', fields: { ...(model !== undefined && { model }), measures: { [measure]: value } } };
}

function measureOf(mapping: MetricMapping, attributes: Attributes): AgentMeasure | undefined {
  if ('measure' in mapping) return mapping.measure;
  const value = String(attributes.get(mapping.by) ?? '');
  return Object.hasOwn(mapping.measures, value) ? mapping.measures[value] : undefined;
}

/**
 * Identifies a record by all that is kept of it. A point of a cumulative series is identified by its series and start,
 * without time and value, so that later points replace it. Attributes that are not kept can distinguish series, except
 * those of persons, which a digest must not make guessable.
 */
function digestOf({ signal, names, time, attributes, span, point }: TelemetryRecord, content: RecordContent): Buffer {
  const { kind, fields, reference, touches = [] } = content;
  const series = point && [names[0], [...attributes].filter(isNeutral).toSorted(byKey)];
  const identity = point?.isCumulative
    ? [signal, series, point.start]
    : [
        signal,
        kind,
        time,
        span?.id,
        reference,
        Object.entries(fields).toSorted(byKey),
        series,
        ...touches.map(({ value }) => value),
      ];
  return hash('sha256', JSON.stringify(identity), 'buffer');
}

const isNeutral = ([key, value]: readonly [string, unknown]) =>
  !/^(end)?user\b/.test(key) && wordPattern.test(String(value));
const byKey = ([one]: readonly unknown[], [other]: readonly unknown[]) => (String(one) < String(other) ? -1 : 1);

const LARGEST_NUMBER = 1e15;
const wordPattern = /^[\x21-\x7e]{1,200}$/;

interface AttributeReader {
  /** A value without spaces, at most 200 characters. */
  word: (names: string | readonly string[]) => string | undefined;
  /** A number from 0, also as text. */
  number: (names: string | readonly string[]) => number | undefined;
  text: (names: string | readonly string[]) => string | undefined;
}

/** Reads attributes of a record, otherwise of its resource. */
function readerOf({ attributes, resource }: TelemetryRecord): AttributeReader {
  const attributeOf = (names: string | readonly string[]) => {
    for (const name of [names].flat()) {
      const value = attributes.get(name) ?? resource.get(name);
      if (value !== undefined && value !== '') return value;
    }
    return undefined;
  };
  return {
    word(names) {
      const value = String(attributeOf(names) ?? '');
      return wordPattern.test(value) ? value : undefined;
    },
    number(names) {
      const value = attributeOf(names);
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
      return typeof number === 'number' && number >= 0 && number < LARGEST_NUMBER ? number : undefined;
    },
    text(names) {
      const value = attributeOf(names);
      return typeof value === 'string' ? value : undefined;
    },
  };
}

/** Host and path of the URL of a repository, without user, port and `.git`. */
function remoteOf(url: string): string | undefined {
  const [, host = '', path = ''] =
    /^(?:[a-z+]+:\/\/)?(?:[^@/]*@)?([\w.-]+)(?::\d+)?[/:]([\w./~-]+?)(?:\.git)?\/?$/i.exec(url) ?? [];
  return path === '' ? undefined : `${host.toLowerCase()}/${path}`;
}
