import type { AuditActionDefinition } from './definition.ts';
import { entity, sensitive } from './ocsf.ts';

export const vulnerabilityActions = {
  'finding.dismissed': {
    label: 'Vulnerability dismissed',
    says: 'dismissed {subject}[ in {data.repository}][ as {after.reason}]',
    ocsf: entity('Update'),
  },
  'finding.reopened': {
    label: 'Vulnerability reopened',
    says: 'reopened {subject}[ in {data.repository}]',
    ocsf: entity('Update'),
  },
  'finding.waiver_requested': {
    label: 'Waiver requested',
    says: 'requested a waiver for {subject}[ in {data.repository}][ until {data.until}]',
    ocsf: entity('Update'),
  },
  'finding.waiver_approved': {
    label: 'Waiver approved',
    says: 'approved a waiver for {subject}[ in {data.repository}][ until {data.until}]',
    ocsf: entity('Update', sensitive),
  },
  'finding.waiver_refused': {
    label: 'Waiver denied',
    says: 'denied a waiver for {subject}[ in {data.repository}]',
    ocsf: entity('Update'),
  },
  'finding.waiver_withdrawn': {
    label: 'Waiver withdrawn',
    says: 'withdrew a waiver for {subject}[ in {data.repository}]',
    ocsf: entity('Update'),
  },
  'finding.waiver_expired': {
    label: 'Waiver expired',
    says: 'ended an expired waiver for {subject}[ in {data.repository}]',
    ocsf: entity('Update'),
  },
  'finding.merged': {
    label: 'Vulnerabilities merged',
    says: 'merged[ {data.merged} into] {subject}[ in {data.repository}]',
    ocsf: entity('Update'),
  },
  'finding.split': {
    label: 'Vulnerability split',
    says: 'split {subject}[ in {data.repository}] in two',
    ocsf: entity('Update'),
  },
  'finding.exported': {
    label: 'Vulnerabilities exported',
    says: 'exported vulnerabilities[ as {data.format}][, {data.findings} in all]',
    ocsf: entity('Read', sensitive),
  },
  'scan.imported': {
    label: 'Scan imported',
    says: 'imported a scan of {subject}[ by {data.tool}][: {data.new} new][, {data.fixed} fixed][, {data.reopened} reopened]',
    ocsf: entity('Update'),
  },
} as const satisfies Record<string, AuditActionDefinition>;
