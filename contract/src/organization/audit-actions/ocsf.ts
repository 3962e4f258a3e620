/** The version of the Open Cybersecurity Schema Framework that events are written in. */
export const OCSF_VERSION = '1.9.0';

/** The classes of OCSF that audit entries map to, all of category 3, Identity & Access Management, with the activities in use. */
export const eventClasses = {
  authentication: { uid: 3002, name: 'Authentication', activities: { Logon: 1, Logoff: 2, Preauth: 6, Other: 99 } },
  entity: {
    uid: 3004,
    name: 'Entity Management',
    activities: {
      Create: 1,
      Read: 2,
      Update: 3,
      Delete: 4,
      Move: 5,
      Enroll: 6,
      Unenroll: 7,
      Enable: 8,
      Disable: 9,
      Suspend: 12,
      Resume: 13,
      Other: 99,
    },
  },
  user: {
    uid: 3007,
    name: 'User Management',
    activities: {
      Create: 1,
      Update: 2,
      Delete: 3,
      Enable: 4,
      Disable: 5,
      'Password Change': 8,
      'Password Reset': 9,
      'Enable MFA Factors': 12,
      'Disable MFA Factors': 13,
      'Assign Roles': 16,
      'Add Programmatic Credentials': 18,
      'Remove Programmatic Credentials': 19,
      Other: 99,
    },
  },
} as const;
export type EventClassName = keyof typeof eventClasses;

/** What an action is in OCSF. */
export interface AuditEventType {
  className: EventClassName;
  activity: string;
  activityId: number;
  failed: boolean;
  /** Informational, low, medium or high. */
  severityId: 1 | 2 | 3 | 4;
}

type EventTypeOptions = Partial<Pick<AuditEventType, 'failed' | 'severityId'>>;

const typeOf =
  <Name extends EventClassName>(className: Name) =>
  (
    activity: keyof (typeof eventClasses)[Name]['activities'] & string,
    options: EventTypeOptions = {},
  ): AuditEventType => ({
    className,
    activity,
    activityId: (eventClasses[className].activities as Record<string, number>)[activity] ?? 99,
    failed: false,
    severityId: 1,
    ...options,
  });

export const authentication = typeOf('authentication');
export const entity = typeOf('entity');
export const user = typeOf('user');

export const attempt: EventTypeOptions = { failed: true, severityId: 3 };
export const sensitive: EventTypeOptions = { severityId: 2 };
export const alarming: EventTypeOptions = { severityId: 4 };

/** An action that this version does not define. */
export const unknownAction = entity('Other');
