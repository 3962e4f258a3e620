import { expect, test } from 'vitest';
import { canReceiveNotification, notificationTypeNames } from './notification-types.ts';

test('offers a role only the notification types it may receive', () => {
  const typesFor = (role: Parameters<typeof canReceiveNotification>[0]) =>
    notificationTypeNames.filter((type) => canReceiveNotification(role, type));
  expect(typesFor('rol_owner')).toEqual(notificationTypeNames);
  const contributor = typesFor('rol_contributor');
  // Tool notifications are about the entire organization, whose inventory a contributor cannot see.
  expect(contributor).not.toContain('tool.new');
  expect(contributor).not.toContain('member.joined');
  for (const type of ['finding.new', 'repository.enabled', 'member.role_changed', 'extension.disconnected'] as const) {
    expect(contributor).toContain(type);
  }
  expect(typesFor('rol_auditor')).toContain('tool.new');
});
