import type { SeededItems } from '../../../architecture/endpoint-case.ts';
import { samlKeyLocation } from './queries.ts';

/** A SAML login that no organization requires. */
export const seededItems: SeededItems = {
  create: () => ({}),
  restore: async ({ secrets }, { db }, { orgId, org }) => {
    await db.deleteFrom('saml_login').where('org_id', '=', orgId).execute();
    await db
      .insertInto('saml_login')
      .values({
        org_id: orgId,
        label: `Login of ${org.name}`,
        entity_id: `https://idp.example/${org.name}`,
        sign_in_url: 'https://idp.example/sso',
        certificates: [],
        key_sealed: secrets.seal(samlKeyLocation(orgId), Buffer.from('key')),
        certificate: '',
      })
      .execute();
  },
};
