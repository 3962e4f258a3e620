/**
 * The classes of OCSF 1.9.0 that audit entries map to, as JSON Schema (draft 2020-12): names, types, what is required, values of
 * enumerations and constraints of the attributes in use; any other attribute is refused. Written by hand after the specification at
 * https://schema.ocsf.io/1.9.0 (Apache License 2.0, Copyright the OCSF Authors).
 */
const string = { type: 'string' } as const;
const nonEmpty = { type: 'string', minLength: 1 } as const;
const integer = { type: 'integer' } as const;

interface ObjectSchema {
  type: 'object';
  properties: Record<string, object>;
  required: string[];
  additionalProperties: false;
  anyOf?: { required: string[] }[];
}

const object = (
  properties: Record<string, object>,
  required: string[],
  atLeastOne: readonly string[] = [],
): ObjectSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
  ...(atLeastOne.length > 0 && { anyOf: atLeastOne.map((name) => ({ required: [name] })) }),
});

const namedFeature = object({ name: nonEmpty, uid: nonEmpty, version: string }, [], ['name', 'uid']);
const product = object(
  { name: nonEmpty, vendor_name: nonEmpty, version: string, uid: nonEmpty, lang: string, feature: namedFeature },
  [],
  ['name', 'uid'],
);
const metadata = object(
  {
    version: { const: '1.9.0' },
    product,
    uid: nonEmpty,
    event_code: string,
    log_name: string,
    sequence: integer,
    tenant_uid: string,
    correlation_uid: string,
    labels: { type: 'array', items: string },
  },
  ['version', 'product'],
);
const user = object(
  {
    name: nonEmpty,
    uid: nonEmpty,
    email_addr: { type: 'string', pattern: '^[^@ ]+@[^@ ]+$' },
    full_name: string,
    type: string,
    type_id: { enum: [0, 1, 2, 3, 4, 99] },
  },
  [],
  ['name', 'uid'],
);
const actor = object({ user, app_name: nonEmpty, app_uid: nonEmpty }, [], ['user', 'app_name', 'app_uid']);
const endpoint = object({ ip: { anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }], type: 'string' } }, ['ip']);
const entity = object({ name: nonEmpty, uid: nonEmpty, type: nonEmpty, version: string }, [], ['name', 'uid']);
const service = object({ name: nonEmpty, uid: nonEmpty }, [], ['name', 'uid']);
const iamRole = object({ name: nonEmpty, uid: nonEmpty }, [], ['name', 'uid']);

interface ClassOptions {
  uid: number;
  name: string;
  /** Highest identifier of an activity; 0 and 99 are in every class. */
  activities: number;
  properties: Record<string, object>;
  required: string[];
  atLeastOne?: string[];
}

function classOf({ uid, name, activities, properties, required, atLeastOne = [] }: ClassOptions): object {
  const activityIds = [...Array.from({ length: activities + 1 }, (_, id) => id), 99];
  const base = object(
    {
      activity_id: { enum: activityIds },
      activity_name: nonEmpty,
      category_uid: { const: 3 },
      category_name: { const: 'Identity & Access Management' },
      class_uid: { const: uid },
      class_name: { const: name },
      type_uid: { enum: activityIds.map((id) => uid * 100 + id) },
      type_name: nonEmpty,
      severity_id: { enum: [0, 1, 2, 3, 4, 5, 6, 99] },
      severity: { enum: ['Unknown', 'Informational', 'Low', 'Medium', 'High', 'Critical', 'Fatal', 'Other'] },
      status_id: { enum: [0, 1, 2, 99] },
      status: { enum: ['Unknown', 'Success', 'Failure', 'Other'] },
      time: { type: 'integer', minimum: 1_500_000_000_000 },
      message: nonEmpty,
      metadata,
      actor,
      src_endpoint: endpoint,
      unmapped: { type: 'object' },
      ...properties,
    },
    ['activity_id', 'category_uid', 'class_uid', 'metadata', 'severity_id', 'time', 'type_uid', ...required],
    atLeastOne,
  );
  // An identifier of a type is made of those of its class and activity.
  const types = activityIds.map((id) => ({
    properties: { activity_id: { const: id }, type_uid: { const: uid * 100 + id } },
  }));
  return { allOf: [base, { anyOf: types }] };
}

export const ocsfSchemas: Record<number, object> = {
  3002: classOf({
    uid: 3002,
    name: 'Authentication',
    activities: 7,
    properties: { user, service, is_mfa: { type: 'boolean' } },
    required: ['user'],
    atLeastOne: ['service'],
  }),
  3004: classOf({
    uid: 3004,
    name: 'Entity Management',
    activities: 13,
    properties: { entity, comment: string },
    required: ['entity'],
  }),
  3007: classOf({
    uid: 3007,
    name: 'User Management',
    activities: 19,
    properties: { user, updated_user: user, iam_roles: { type: 'array', items: iamRole } },
    required: ['user'],
  }),
};
