import type { AuditEventType } from './ocsf.ts';

export type AuditEntryData = Readonly<Record<string, unknown>>;

export interface AuditActionDefinition {
  /** Label in a list of actions: 'Role changed'. */
  label: string;
  /**
   * The text after the actor's name. `{subject}` stands for the target, `{before.role}` and `{data.account}` for values
   * of the entry. A part in square brackets is omitted if one of its values is missing.
   */
  sentence: string;
  /**
   * Whether all owners receive an email, since attackers with a stolen session would start with this action. A function
   * decides by the data of the entry.
   */
  mailsOwners?: true | ((data: AuditEntryData) => boolean);
  /** The class, activity and severity in the Open Cybersecurity Schema Framework, for audit log streams. */
  ocsf: AuditEventType;
}

export const isOwnerRole = ({ role }: AuditEntryData): boolean => role === 'rol_owner';
