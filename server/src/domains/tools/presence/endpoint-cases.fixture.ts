import {
  getExtensionStatus,
  getUserStatus,
  listMembersExtensionStatus,
  openContext,
  sendHeartbeat,
} from '@sightline/contract/tools/presence.ts';
import { newId } from '#core/ids.ts';
import { endpointCase } from '../../../architecture/endpoint-case.ts';

export const endpointCases = [
  endpointCase(getExtensionStatus, {
    access: { allows: 'accounts', accepts: 'extensions' },
  }),
  endpointCase(getUserStatus, {
    access: { allows: 'accounts', accepts: 'extensions' },
  }),
  endpointCase(listMembersExtensionStatus, {
    access: { allows: ['owner', 'reviewer', 'auditor'] },
  }),
  endpointCase(openContext, {
    request: ({ fullName }) => ({
      body: { repo: `git@code.example:${fullName}.git`, file: 'src/main.ts' },
    }),
    access: { allows: 'members', accepts: 'extensions' },
    writesNothing: 'Stores filters under an ID, so that a link can contain it.',
  }),
  endpointCase(sendHeartbeat, {
    request: () => ({
      body: { side: 'browser', sessionId: newId(), type: 'firefox', version: '1.0.0' },
    }),
    access: { allows: 'members', accepts: 'extensions' },
    writesNothing: 'Updates the last heartbeat of an extension every few minutes.',
  }),
];
