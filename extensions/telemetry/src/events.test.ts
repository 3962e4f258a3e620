import {
  getExtensionSettings,
  redeemExtensionCode,
  renewExtensionToken,
  revokeExtensionToken,
} from '@sightline/contract/identity/extensions.ts';
import { identifyEvent, MAX_INGESTED_EVENTS, recordEvents } from '@sightline/contract/timeline/events.ts';
import { identifiersOf } from '@sightline/contract/timeline/identifiers.ts';
import { reportTools } from '@sightline/contract/tools/editor-reports.ts';
import {
  HEARTBEAT_INTERVAL_MS as contractEveryMs,
  getUserStatus,
  sendHeartbeat,
} from '@sightline/contract/tools/presence.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCharacter } from '../../../scripts/properties.ts';
import { paths } from './api.ts';
import { type EventType, eventBuilder } from './events.ts';
import { HEARTBEAT_INTERVAL_MS } from './presence.ts';
import { batchBytes, batchEvents } from './sender.ts';
import { me } from './testing/events.ts';

const build = eventBuilder({
  plugin: 'sightline-editor',
  source: 'vscode',
  version: '1.0.0',
  clock: () => Date.UTC(2026, 10, 1),
});

test('includes who, when, the listed identifiers, and scheme and host of an address', () => {
  const given = { sha: 'a'.repeat(40), branch: '', files: 3, title: 'secret' };
  const { message_id, ...event } = build('commit', {
    owner: me,
    identifiers: given,
    contentUri: 'http://ada:secret@github.com:8080/acme?q=secret#secret',
  });
  expect(message_id).toMatch(/^[0-9a-f-]{36}$/);
  expect(event).toEqual({
    plugin_id: 'sightline-editor',
    event_type: 'commit',
    org_id: 'org-1',
    user_id: 'account-1',
    identifiers: { sha: 'a'.repeat(40), files: '3' },
    original_timestamp: '2026-11-01T00:00:00.000Z',
    tracking_version: '1.0.0',
    tracking_source: 'vscode',
    content_uri: 'https://github.com/',
  });
});

test('builds only events that the server accepts, for any texts and clock', () => {
  const types = Object.keys(identifiersOf) as EventType[];
  const names = [...new Set(Object.values(identifiersOf).flat()), 'title', '__proto__'];
  const hostileValue = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 700 }),
    fc.constantFrom('\0', '\ud800', 'x'.repeat(600)),
  );
  fc.assert(
    fc.property(
      fc.constantFrom(...types),
      fc.dictionary(fc.constantFrom(...names), hostileValue),
      fc.oneof(fc.integer(), fc.double(), fc.constantFrom(Number.MAX_VALUE, -1e15, Number.NaN)),
      fc.oneof(fc.webUrl(), fc.string()),
      (type, identifiers, at, contentUri) => {
        const event = build(type, { owner: me, identifiers, at, contentUri });
        const parsed = identifyEvent.safeParse(JSON.parse(JSON.stringify(event)));
        expect(parsed.error).toBeUndefined();
        expect(
          Object.keys(event.identifiers).every((name) => (identifiersOf[type] as readonly string[]).includes(name)),
        ).toBe(true);
      },
    ),
  );
});

test('uses the paths, times and limits of the contract', () => {
  const endpoints = {
    events: recordEvents,
    heartbeat: sendHeartbeat,
    tools: reportTools,
    redeem: redeemExtensionCode,
    renew: renewExtensionToken,
    revoke: revokeExtensionToken,
    settings: getExtensionSettings,
    status: getUserStatus,
  };
  for (const [name, { path }] of Object.entries(endpoints)) {
    expect([name, paths[name as keyof typeof paths]]).toEqual([name, `/api${path}`]);
  }
  expect(HEARTBEAT_INTERVAL_MS).toBe(contractEveryMs);
  expect(batchEvents).toBeLessThanOrEqual(MAX_INGESTED_EVENTS);
  expect(batchBytes).toBeLessThan(1_000_000);
});
