import { expect, test } from 'vitest';
import { canHear, notificationTypeNames } from './notification-types.ts';

test('offers a role only the notification types it may receive', () => {
  const heard = (role: Parameters<typeof canHear>[0]) => notificationTypeNames.filter((type) => canHear(role, type));
  expect(heard('rol_owner')).toEqual(notificationTypeNames);
  const contributor = heard('rol_contributor');
  // A tool is told of the organization as a whole, whose inventory a contributor does not see.
  expect(contributor).not.toContain('tool.new');
  expect(contributor).not.toContain('member.joined');
  for (const type of ['finding.new', 'repository.enabled', 'member.role_changed', 'extension.disconnected'] as const) {
    expect(contributor).toContain(type);
  }
  expect(heard('rol_auditor')).toContain('tool.new');
});
