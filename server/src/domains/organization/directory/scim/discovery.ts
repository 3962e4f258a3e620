import { GROUP_SCHEMA, MAX_RESULTS, USER_SCHEMA } from './resources.ts';

/** The discovery documents of RFC 7643, sections 5 to 7: what this service supports. */

export const serviceProviderConfig = (base: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  documentationUri: `${new URL(base).origin}/docs/directory`,
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MAX_RESULTS },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'The token that is shown when the directory is connected.',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
});

export const resourceTypes = (base: string) =>
  [
    { name: 'User', endpoint: '/Users', schema: USER_SCHEMA },
    { name: 'Group', endpoint: '/Groups', schema: GROUP_SCHEMA },
  ].map(({ name, endpoint, schema }) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id: name,
    name,
    endpoint,
    description: `${name}s of the directory`,
    schema,
    schemaExtensions: [],
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
  }));

interface Attribute {
  name: string;
  type?: 'string' | 'boolean' | 'complex' | 'reference';
  description: string;
  required?: boolean;
  multiValued?: boolean;
  caseExact?: boolean;
  mutability?: 'readWrite' | 'readOnly';
  uniqueness?: 'none' | 'server';
  canonicalValues?: string[];
  referenceTypes?: string[];
  subAttributes?: Attribute[];
}

const complete = ({ name, type = 'string', description, subAttributes, ...rest }: Attribute): object => ({
  name,
  type,
  multiValued: false,
  description,
  required: false,
  ...(type === 'string' && { caseExact: false }),
  mutability: 'readWrite',
  returned: 'default',
  ...(type === 'string' && { uniqueness: 'none' }),
  ...rest,
  ...(subAttributes && { subAttributes: subAttributes.map(complete) }),
});

const userAttributes: Attribute[] = [
  { name: 'userName', description: 'The name of the user in the directory.', required: true, uniqueness: 'server' },
  {
    name: 'name',
    type: 'complex',
    description: 'The parts of the name.',
    subAttributes: [
      { name: 'formatted', description: 'The full name.' },
      { name: 'familyName', description: 'The family name.' },
      { name: 'givenName', description: 'The given name.' },
    ],
  },
  { name: 'displayName', description: 'The name that people read.' },
  { name: 'active', type: 'boolean', description: 'Whether the user may have access.' },
  {
    name: 'emails',
    type: 'complex',
    multiValued: true,
    description: 'Email addresses. The primary one, else that of work, determines the account.',
    subAttributes: [
      { name: 'value', description: 'The address.' },
      { name: 'type', description: 'Such as work.', canonicalValues: ['work', 'home', 'other'] },
      { name: 'primary', type: 'boolean', description: 'Whether this is the primary address.' },
    ],
  },
  {
    name: 'groups',
    type: 'complex',
    multiValued: true,
    mutability: 'readOnly',
    description: 'The groups of the user.',
    subAttributes: [
      { name: 'value', description: 'The ID of the group.', mutability: 'readOnly' },
      {
        name: '$ref',
        type: 'reference',
        referenceTypes: ['Group'],
        description: 'Its address.',
        mutability: 'readOnly',
      },
      { name: 'display', description: 'Its name.', mutability: 'readOnly' },
    ],
  },
];

const groupAttributes: Attribute[] = [
  { name: 'displayName', description: 'The name of the group.', required: true, uniqueness: 'server' },
  {
    name: 'members',
    type: 'complex',
    multiValued: true,
    description: 'The users of the group. Groups in groups are not supported.',
    subAttributes: [
      { name: 'value', description: 'The ID of the user.' },
      { name: '$ref', type: 'reference', referenceTypes: ['User'], description: 'Its address.' },
      { name: 'display', description: 'Its name.', mutability: 'readOnly' },
      { name: 'type', description: 'Always User.', canonicalValues: ['User'] },
    ],
  },
];

export const schemas = (base: string) =>
  [
    { id: USER_SCHEMA, name: 'User', attributes: userAttributes },
    { id: GROUP_SCHEMA, name: 'Group', attributes: groupAttributes },
  ].map(({ id, name, attributes }) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    id,
    name,
    description: `${name}s of the directory. Other attributes are ignored.`,
    attributes: attributes.map(complete),
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
  }));
