import {
  approveFrameworkMapping,
  exportFramework,
  getFramework,
  importFramework,
  listFrameworks,
  removeFramework,
  updateFrameworkMapping,
  updateFrameworkRequirement,
} from '@sightline/contract/compliance/frameworks.ts';
import { endpointCase } from '../../../architecture/endpoint-case.ts';
import { seededMappingHash } from '../../../architecture/framework.ts';

const document = JSON.stringify({
  profile: {
    uuid: '74c8ba1e-5cd4-4ad1-bbfd-d888e2f6c724',
    metadata: {
      title: 'Our baseline',
      version: '1',
      'last-modified': '2026-01-01T00:00:00Z',
      'oscal-version': '1.2.1',
    },
    imports: [{ href: 'catalog.json', 'include-controls': [{ 'with-ids': ['ac-6.7'] }] }],
  },
});

const readers = ['owner', 'reviewer', 'auditor'] as const;
const writers = ['owner', 'reviewer'] as const;

export const endpointCases = [
  endpointCase(approveFrameworkMapping, {
    request: ({ frameworkId, org }) => ({
      params: { frameworkId },
      body: { sha256: seededMappingHash(org).toString('hex') },
    }),
    access: { allows: [...writers], foreign: 404 },
    recentSignIn: true,
    writes: ['framework.mapping_approved'],
  }),
  endpointCase(exportFramework, {
    request: ({ frameworkId }) => ({ params: { frameworkId }, query: { period: '2026-Q1', format: 'oscal' } }),
    access: { allows: [...readers], foreign: 404 },
    writes: ['framework.exported'],
  }),
  endpointCase(getFramework, {
    request: ({ frameworkId }) => ({ params: { frameworkId }, query: { period: '2026-Q1' } }),
    access: { allows: [...readers], foreign: 404 },
  }),
  endpointCase(importFramework, {
    request: () => ({ body: { name: 'Our baseline', document } }),
    access: { allows: [...writers] },
    writes: ['framework.imported'],
  }),
  endpointCase(listFrameworks, { access: { allows: [...readers] } }),
  endpointCase(removeFramework, {
    request: ({ frameworkId }) => ({ params: { frameworkId } }),
    access: { allows: [...writers], foreign: 404 },
    writes: ['framework.removed'],
  }),
  endpointCase(updateFrameworkMapping, {
    request: ({ frameworkId }) => ({
      params: { frameworkId },
      body: { version: 1, mappings: [{ requirement: 'cm-3', control: 'CHG-02', rationale: 'Changes are reviewed.' }] },
    }),
    access: { allows: [...writers], foreign: 404 },
    writes: ['framework.mapping_changed'],
  }),
  endpointCase(updateFrameworkRequirement, {
    request: ({ frameworkId }) => ({
      params: { frameworkId, requirementId: 'cm-3' },
      body: { ownerId: null, dueOn: '2026-12-31', notes: 'Ask the platform team.' },
    }),
    access: { allows: [...writers], foreign: 404 },
    writes: ['framework.requirement_updated'],
  }),
];
