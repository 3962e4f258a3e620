import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { ofPortal, portalScope } from './auditor-portals.ts';

export const downloadPortalArchive = endpoint({
  method: 'GET',
  path: '/v2/auditor-portals/:portalId/archive',
  summary:
    'Returns a ZIP archive of a portal: bundles, samples, requests, files and signed results. The download is recorded in the audit log.',
  scope: 'organization',
  permission: 'read:evidence',
  cost: 'export',
  params: ofPortal,
  response: z.string(),
  file: ['application/zip'],
  errors: ['conflict'],
});

export const downloadOwnArchive = endpoint({
  method: 'GET',
  path: '/v2/portal/:portalId/archive',
  summary: 'Returns a ZIP archive of a portal for its auditor, with workpapers. Recorded as a download.',
  ...portalScope,
  cost: 'export',
  params: ofPortal,
  response: z.string(),
  file: ['application/zip'],
  errors: ['conflict'],
});
