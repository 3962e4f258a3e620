import { getPicture } from '@sightline/contract/identity/pictures.ts';
import { endpointCase } from '../../../architecture/endpoint-case.ts';

export const endpointCases = [
  endpointCase(getPicture, {
    request: () => ({ query: { url: 'https://127.0.0.1:1/picture.png' } }),
    // The server fetches nothing from a local address. pictures/routes.test.ts tests pictures that it fetches.
    access: { allows: 'accounts', status: 400 },
  }),
];
