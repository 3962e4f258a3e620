import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { timestamp } from '../core/text.ts';
import { erasure } from './erasure.ts';

/** The sources of personal data, in display order. */
export const personalDataSources = {
  account: 'Your account',
  code_hosts: 'Code hosts',
  editor: 'The editor extension',
  browser: 'The browser extension',
  agents: 'Coding agents',
  sightline: 'What you did in Sightline',
} as const;
export type PersonalDataSource = keyof typeof personalDataSources;

const item = z.object({
  id: z.string(),
  source: z.enum(Object.keys(personalDataSources) as [PersonalDataSource, ...PersonalDataSource[]]),
  label: z.string(),
  /** The stored fields. */
  fields: z.array(z.string()),
  count: z.number(),
  first: timestamp.nullable(),
  last: timestamp.nullable(),
  visibleTo: z.string(),
  retention: z.string(),
  /** The effect of an erasure. */
  erasureEffect: z.string(),
});
export type PersonalDataItem = z.infer<typeof item>;

/** A pause of an extension; `to` is null while it lasts. */
const pause = z.object({
  program: z.string(),
  side: z.enum(['browser', 'ide']),
  from: timestamp,
  to: timestamp.nullable(),
});
export type Pause = z.infer<typeof pause>;

export const getPersonalData = endpoint({
  method: 'GET',
  path: '/v2/me/personal-data',
  summary: 'Returns the data recorded about the caller by field and source, and their pauses.',
  scope: 'organization',
  permission: 'read:org',
  topics: ['personalData'],
  response: z.object({
    items: z.array(item),
    pauses: z.array(pause),
    /** The last erasure request of the person. */
    erasure: erasure.nullable(),
    /** Days until backups from before an erasure are deleted; null if the operator did not configure it. */
    backupDays: z.number().nullable(),
  }),
});
export type PersonalData = z.infer<typeof getPersonalData.response>;

export const exportPersonalData = endpoint({
  method: 'GET',
  path: '/v2/me/personal-data/export',
  summary: 'Exports all data recorded about the caller as JSON.',
  scope: 'organization',
  permission: 'read:org',
  response: z.unknown(),
  file: ['application/json'],
  cost: 'export',
});
