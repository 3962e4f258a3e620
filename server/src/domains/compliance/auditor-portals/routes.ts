import {
  enterPortal,
  exportPortals,
  getPortal,
  getPortalBundle,
  getPortalControl,
  getPortalSample,
  getPortalSnapshot,
  getPortalStatus,
  getPortalVisit,
  listPortals as listCall,
  listPortalRows,
  createPortal as openCall,
  reperformControl,
  revokePortal as revokeCall,
} from '@sightline/contract/compliance/auditor-portals.ts';
import { downloadOwnArchive, downloadPortalArchive } from '@sightline/contract/compliance/portal-archives.ts';
import {
  assertToAuditor,
  listOwnAssertions,
  listPortalAssertions,
} from '@sightline/contract/compliance/portal-assertions.ts';
import {
  attachAsAuditor,
  attachToPortal,
  downloadAsAuditor,
  downloadPortalAttachment,
} from '@sightline/contract/compliance/portal-attachments.ts';
import { exportPortalPeople, getPortalChange } from '@sightline/contract/compliance/portal-changes.ts';
import { listPortalRecords } from '@sightline/contract/compliance/portal-records.ts';
import {
  answerEvidenceRequest,
  closeEvidenceRequest,
  listEvidenceRequests,
  listOwnEvidenceRequests,
  replyToAnswer,
  requestEvidence,
} from '@sightline/contract/compliance/portal-requests.ts';
import {
  downloadPortalResult,
  listOwnResults,
  listPortalResults,
  returnResult,
} from '@sightline/contract/compliance/portal-results.ts';
import {
  createAuditSample,
  getAuditSample,
  getEarlierPortal,
  getPortalSampleRows,
  listAuditSamples,
  listPortalSamples,
  writeWorkpaper,
} from '@sightline/contract/compliance/portal-samples.ts';
import type { FastifyInstance } from 'fastify';
import { exportRoute } from '#core/list-exports.ts';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { archiveForAuditor, archiveForOrganization } from './archive.ts';
import { listAssertions, saveAssertion, viewAssertions } from './assertions.ts';
import { attachForAuditor, attachForOrganization, downloadAttachment, readAttachment } from './attachments.ts';
import { openPortal, revokePortal } from './commands.ts';
import { portalCsvColumns } from './csv-columns.ts';
import {
  closeRequest,
  createEvidenceRequest,
  listRequests,
  replyToRequest,
  saveEvidenceAnswer,
} from './evidence-requests.ts';
import { exportPeople } from './portal-people.ts';
import { viewRecords } from './portal-records.ts';
import { recordView, startVisit } from './portal-visits.ts';
import { findPortal, listPortals } from './queries.ts';
import { reperform } from './reperformance.ts';
import { keepResult, listResults, readResult, viewResults } from './results.ts';
import { viewEarlierPortal } from './roll-forward.ts';
import { keepSample, listSamples, readSample, saveWorkpaper, viewSampleDetails, viewSamples } from './samples.ts';
import {
  downloadBundle,
  readPortalStatus,
  viewChange,
  viewControl,
  viewPortal,
  viewRows,
  viewSample,
  viewSnapshot,
} from './views.ts';

/** For members of the organization. */
export function portalRoutes(app: FastifyInstance, services: Services): void {
  const { withOrg } = services.database;
  route(app, services, listCall, ({ actor, query }) =>
    withOrg(actor.orgId, (tx) => listPortals(tx, actor.orgId, query)),
  );
  exportRoute(app, services, [listCall, exportPortals], { name: 'Auditor portals', columns: portalCsvColumns });
  route(app, services, openCall, ({ actor, body }) => openPortal(services, actor, body));
  route(app, services, getPortal, ({ actor, params }) =>
    withOrg(actor.orgId, (tx) => findPortal(tx, actor.orgId, params.portalId)),
  );
  route(app, services, exportPortalPeople, ({ actor, params }) => exportPeople(services, actor, params.portalId));
  route(app, services, revokeCall, ({ actor, params }) => revokePortal(services, actor, params.portalId));
  route(app, services, answerEvidenceRequest, ({ actor, params, body }) =>
    saveEvidenceAnswer(services, actor, { ...params, ...body }),
  );
  route(app, services, listEvidenceRequests, ({ actor, params }) =>
    withOrg(actor.orgId, async (tx) => {
      const { id } = await findPortal(tx, actor.orgId, params.portalId);
      return listRequests(tx, actor.orgId, id);
    }),
  );
  route(app, services, listPortalSamples, ({ actor, params }) =>
    withOrg(actor.orgId, (tx) => listSamples(tx, actor.orgId, params.portalId)),
  );
  route(app, services, getPortalSampleRows, ({ actor, params }) => readSample(services, actor.orgId, params));
  route(app, services, attachToPortal, ({ actor, params, query, file }) =>
    attachForOrganization(services, actor, { portalId: params.portalId, place: query, file }),
  );
  route(app, services, downloadPortalAttachment, ({ actor, params }) => readAttachment(services, actor.orgId, params));
  route(app, services, listPortalResults, ({ actor, params }) =>
    withOrg(actor.orgId, (tx) => listResults(tx, actor.orgId, params.portalId)),
  );
  route(app, services, listPortalAssertions, ({ actor, params }) =>
    withOrg(actor.orgId, (tx) => listAssertions(tx, actor.orgId, params.portalId)),
  );
  route(app, services, assertToAuditor, ({ actor, params, body }) =>
    saveAssertion(services, actor, { portalId: params.portalId, text: body.text }),
  );
  route(app, services, downloadPortalArchive, ({ actor, params }) =>
    archiveForOrganization(services, actor, params.portalId),
  );
  route(app, services, downloadPortalResult, ({ actor, params }) => readResult(services, actor.orgId, params));
  auditorRoutes(app, services);
  auditorWorkRoutes(app, services);
}

/** For auditors, who open a portal with its link. */
function auditorRoutes(app: FastifyInstance, services: Services): void {
  const { withOrg } = services.database;
  route(app, services, enterPortal, ({ caller, body }) => startVisit(services, caller, body.token));
  route(app, services, getPortalVisit, ({ actor }) => viewPortal(services, actor));
  route(app, services, getPortalStatus, ({ actor }) => readPortalStatus(services, actor));
  route(app, services, getPortalSnapshot, ({ actor, params }) => viewSnapshot(services, actor, params.snapshotId));
  route(app, services, getPortalControl, ({ actor, params }) => viewControl(services, actor, params));
  route(app, services, listPortalRows, ({ actor, params, query }) => viewRows(services, actor, params, query));
  route(app, services, getPortalSample, ({ actor, params, query }) => viewSample(services, actor, params, query));
  route(app, services, getPortalChange, ({ actor, params }) => viewChange(services, actor, params));
  route(app, services, listPortalRecords, ({ actor, params, query }) => viewRecords(services, actor, params, query));
  route(app, services, getPortalBundle, ({ actor, params }) => downloadBundle(services, actor, params.snapshotId));
  route(app, services, listOwnEvidenceRequests, ({ actor }) =>
    withOrg(actor.orgId, async (tx) => {
      await recordView(services, tx, {
        actor,
        action: 'portal.viewed',
        viewDetails: { view: 'requests and answers' },
      });
      return listRequests(tx, actor.orgId, actor.portal.id);
    }),
  );
  route(app, services, requestEvidence, ({ actor, body }) => createEvidenceRequest(services, actor, body));
  route(app, services, replyToAnswer, ({ actor, params, body }) =>
    replyToRequest(services, actor, { requestId: params.requestId, text: body.text }),
  );
  route(app, services, closeEvidenceRequest, ({ actor, params }) => closeRequest(services, actor, params.requestId));
}

/** For the work of auditors: samples, workpapers, files and results. */
function auditorWorkRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, listOwnAssertions, ({ actor }) => viewAssertions(services, actor));
  route(app, services, downloadOwnArchive, ({ actor }) => archiveForAuditor(services, actor));
  route(app, services, listOwnResults, ({ actor }) => viewResults(services, actor));
  route(app, services, getEarlierPortal, ({ actor }) => viewEarlierPortal(services, actor));
  route(app, services, reperformControl, ({ actor, params }) => reperform(services, actor, params));
  route(app, services, returnResult, ({ actor, file }) => keepResult(services, actor, file));
  route(app, services, listAuditSamples, ({ actor }) => viewSamples(services, actor));
  route(app, services, createAuditSample, ({ actor, body }) => keepSample(services, actor, body));
  route(app, services, getAuditSample, ({ actor, params }) => viewSampleDetails(services, actor, params.sampleId));
  route(app, services, writeWorkpaper, ({ actor, params, body }) =>
    saveWorkpaper(services, actor, params.sampleId, body),
  );
  route(app, services, attachAsAuditor, ({ actor, query, file }) =>
    attachForAuditor(services, actor, { place: query, file }),
  );
  route(app, services, downloadAsAuditor, ({ actor, params }) =>
    downloadAttachment(services, actor, params.attachmentId),
  );
}
