import { type RoleId, roleIds } from '@sightline/contract/core/permissions.ts';
import { severities } from '@sightline/contract/core/severities.ts';
import {
  defaultCadence,
  defaultNotificationChannels,
  defaultNotificationSeverity,
} from '@sightline/contract/delivery/notification-types.ts';

/** What nobody chose: by role, then by type, then by channel. */
export const builtIn = JSON.stringify(
  Object.fromEntries(roleIds.map((role): [RoleId, object] => [role, defaultNotificationChannels(role)])),
);

/**
 * Everybody who may be told in organization `$1`, with what holds for them: their own choice, unless their role is locked;
 * else the role's; else what the product has.
 */
export const peopleSql = `
  select m.account_id, m.role_id, s.repositories,
    case when d.locked then null else s.matrix end as own_matrix, d.matrix as role_matrix,
    coalesce(case when not coalesce(d.locked, false) then s.min_severity end, d.min_severity, ${severities.indexOf(defaultNotificationSeverity)}) as threshold,
    coalesce(case when not coalesce(d.locked, false) then s.cadence end, d.cadence, '${defaultCadence}') as cadence,
    coalesce(s.timezone, 'UTC') as timezone, s.quiet_from, s.quiet_until, coalesce(s.send_empty, false) as send_empty
  from member m
  left join notification_setting s on s.org_id = $1 and s.account_id = m.account_id
  left join notification_default d on d.org_id = $1 and d.role_id = m.role_id
  where m.org_id = $1 and m.status <> 'deactivated'`;

/** Whether a person `p` is told of a type by a channel; `builtIn` is the parameter with what nobody chose. */
export const wantsSql = (type: string, channel: 'inApp' | 'mail', builtInParameter: string): string =>
  `coalesce(p.own_matrix->${type}->>'${channel}', p.role_matrix->${type}->>'${channel}', ${builtInParameter}::jsonb->p.role_id->${type}->>'${channel}')::boolean`;
