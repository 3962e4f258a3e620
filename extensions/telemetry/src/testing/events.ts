import type { IdentifyEvent } from '@sightline/contract/timeline/events.ts';
import { eventBuilder, type Owner } from '../events.ts';

export const me: Owner = { accountId: 'account-1', orgId: 'org-1' };

const build = eventBuilder({ plugin: 'sightline-browser', source: 'chrome', version: '1.0.0' });

export const record = (at: number, owner = me): IdentifyEvent =>
  build('web_page_view', { owner, identifiers: { kind: 'issue' }, contentUri: 'https://github.com/acme/api', at });
