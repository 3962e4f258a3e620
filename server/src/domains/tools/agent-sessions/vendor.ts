import type { AgentMeasure, AgentRecordKind } from '@sightline/contract/tools/agent-sessions.ts';

/** One attribute name, or several in order of preference. */
type AttributeNames = string | readonly string[];

/**
 * The attributes that are read from a record; all others are dropped. Texts are read only as names without spaces, so
 * that no field can hold a prompt.
 */
export interface RecordFields {
  model?: AttributeNames;
  tool?: AttributeNames;
  mcpServer?: AttributeNames;
  /** `accept`, `approved`, `reject`, `denied`, … */
  decision?: AttributeNames;
  success?: AttributeNames;
  durationMs?: AttributeNames;
  promptLength?: AttributeNames;
  /** Distinguishes records of the same time: a sequence number, the ID of a call or request. */
  reference?: AttributeNames;
  /** The text of a prompt, of which only the length and a keyed hash are stored. */
  promptText?: AttributeNames;
}

/** Attributes that contain JSON, with the property that is read; the rest is dropped. */
export interface TouchMapping {
  /** The property is the SHA of a commit that the session made, possibly shortened. */
  commits?: readonly [attribute: string, property: string];
  /** The property is the path of a file that the session edited, of which only hashes are stored. */
  files?: readonly [attribute: string, property: string];
}

/** How one log event or span of a vendor becomes a record. */
export interface RecordMapping {
  kind: AgentRecordKind;
  /** Only records with this attribute. */
  requires?: string;
  fields?: RecordFields;
  touches?: TouchMapping;
  /** Attributes whose numbers add to a measure. */
  measures?: Partial<Record<AgentMeasure, AttributeNames>>;
}

/** How the points of one metric add to measures. */
export type MetricMapping = { model?: AttributeNames } & (
  | { measure: AgentMeasure }
  /** The value of an attribute determines the measure. */
  | { by: string; measures: Readonly<Record<string, AgentMeasure>> }
);

export interface SetupText {
  name: string;
  /** Contains `{address}` and `{key}`. */
  text: string;
}

/**
 * The telemetry of one vendor's agent, as data. A file in the folder `vendors/`, named like the agent, exports it as
 * `vendor`. No other list exists.
 */
export interface AgentVendor {
  id: string;
  name: string;
  /** The documentation of the vendor that the mapping follows. */
  source: string;
  /** Values of the resource attribute `service.name`. None: records that no other vendor sends, if they fit. */
  services: readonly string[];
  session: AttributeNames;
  version?: AttributeNames;
  /** By the name of the event, its attribute `event.name`, or the text of its body. */
  logs: Readonly<Record<string, RecordMapping>>;
  /** By `gen_ai.operation.name`, otherwise the name of the span. */
  spans: Readonly<Record<string, RecordMapping>>;
  metrics: Readonly<Record<string, MetricMapping>>;
  /** Tools whose accepted and rejected calls count as edits. */
  editTools: readonly string[];
  setup: { personal: readonly SetupText[]; organization: readonly SetupText[]; note?: string };
}
