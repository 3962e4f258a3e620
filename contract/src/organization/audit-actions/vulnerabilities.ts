import type { AuditActionDefinition } from './definition.ts';
import { entity, sensitive } from './ocsf.ts';

export const vulnerabilityActions = {
  'finding.dismissed': {
    label: 'Vulnerability dismissed',
    sentence: 'dismissed {subject}[ in {data.repository}][ as {after.reason}]',
    ocsf: entity('Update'),
  },
  'finding.reopened': {
    label: 'Vulnerability reopened',
    sentence: 'reopened {subject}[ in {data.repository}]',
    ocsf: entity('Update'),
  },
  'finding.waiver_requested': {
    label: 'Waiver requested',
    sentence: 'requested a waiver for {subject}[ in {data.repository}][ until {data.until}]',
    ocsf: entity('Update'),
  },
  'finding.waiver_approved': {
    label: 'Waiver approved',
    sentence: 'approved a waiver for {subject}[ in {data.repository}][ until {data.until}]',
    ocsf: entity('Update', sensitive),
  },
  'finding.waiver_refused': {
    label: 'Waiver denied',
    sentence: 'denied a waiver for {subject}[ in {data.repository}]',
    ocsf: entity('Update'),
  },
  'finding.waiver_withdrawn': {
    label: 'Waiver withdrawn',
    sentence: 'withdrew a waiver for {subject}[ in {data.repository}]',
    ocsf: entity('Update'),
  },
  'finding.waiver_expired': {
    label: 'Waiver expired',
    sentence: 'ended an expired waiver for {subject}[ in {data.repository}]',
    ocsf: entity('Update'),
  },
  'finding.merged': {
    label: 'Vulnerabilities merged',
    sentence: 'merged[ {data.merged} into] {subject}[ in {data.repository}]',
    ocsf: entity('Update'),
  },
  'finding.split': {
    label: 'Vulnerability split',
    sentence: 'split {subject}[ in {data.repository}] in two',
    ocsf: entity('Update'),
  },
  'finding.edited': {
    label: 'Vulnerabilities edited',
    sentence: 'changed assignee, labels or ticket of[ {data.title}][ {data.findings} vulnerabilities]',
    ocsf: entity('Update'),
  },
  'finding.exported': {
    label: 'Vulnerabilities exported',
    sentence: 'exported vulnerabilities[ as {data.format}][, {data.findings} in all]',
    ocsf: entity('Read', sensitive),
  },
  'scan.imported': {
    label: 'Scan imported',
    sentence:
      'imported a scan of {subject}[ by {data.tool}][: {data.new} new][, {data.fixed} fixed][, {data.reopened} reopened]',
    ocsf: entity('Update'),
  },
} as const satisfies Record<string, AuditActionDefinition>;
