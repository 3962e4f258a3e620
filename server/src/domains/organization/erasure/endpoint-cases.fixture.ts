import {
  decideErasure,
  erasePerson,
  exportErasures,
  listErasures,
  requestOwnErasure,
  withdrawOwnErasure,
} from '@sightline/contract/organization/erasure.ts';
import { endpointCase, listCases } from '../../../architecture/endpoint-case.ts';
import { erasablePersonName } from '../../../architecture/erasure.ts';

export const endpointCases = [
  endpointCase(decideErasure, {
    request: ({ erasureId }) => ({
      params: { erasureId },
      body: { decision: 'refuse', reason: 'The law asks us to keep it.' },
    }),
    access: { allows: ['owner'], foreign: 404 },
    recentSignIn: true,
    writes: ['erasure.refused'],
  }),
  endpointCase(erasePerson, {
    request: ({ erasableId }) => ({
      body: { subject: { kind: 'person', id: erasableId }, confirm: erasablePersonName },
    }),
    access: { allows: ['owner'], foreign: 404 },
    recentSignIn: true,
    writes: ['person.erased'],
  }),
  ...listCases([listErasures, exportErasures], {
    request: () => ({ query: { state: 'requested,running', search: 'o', sort: 'date-asc' } }),
    access: { allows: ['owner'] },
  }),
  endpointCase(requestOwnErasure, {
    access: { allows: 'members' },
    recentSignIn: true,
    writes: ['erasure.requested'],
    auditing: {
      before: (server, { org }) =>
        server.services.database.withOrg(org.id, async ({ db }) => {
          await db.deleteFrom('erasure').where('org_id', '=', org.id).execute();
        }),
    },
  }),
  endpointCase(withdrawOwnErasure, {
    access: { allows: 'members', except: { exchanged: 404, otherExchanged: 404 } },
    writes: ['erasure.withdrawn'],
  }),
];
