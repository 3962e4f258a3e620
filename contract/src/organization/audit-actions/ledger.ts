import type { AuditActionDefinition } from './definition.ts';
import { alarming, entity, sensitive } from './ocsf.ts';

export const ledgerActions = {
  'ledger.published': {
    label: 'Ledger made public',
    sentence: 'made the ledger readable for anyone',
    mailsOwners: true,
    ocsf: entity('Update', sensitive),
  },
  'ledger.unpublished': {
    label: 'Ledger made private',
    sentence: 'made the ledger readable only with an access key',
    ocsf: entity('Update'),
  },
  'ledger.epoch_closed': {
    label: 'Ledger epoch started',
    sentence:
      'started a new epoch of the ledger[, epoch {after.epoch}][ after {before.size} entries of epoch {before.epoch}]',
    ocsf: entity('Update', alarming),
  },
  'ledger.anchor_added': {
    label: 'Ledger anchor added',
    sentence: 'added a ledger anchor[, {data.kind}][ at {data.host}]',
    mailsOwners: true,
    ocsf: entity('Update'),
  },
  'ledger.anchor_changed': {
    label: 'Ledger anchor changed',
    sentence: 'changed a ledger anchor[, {data.kind}][ at {data.host}]',
    mailsOwners: true,
    ocsf: entity('Update'),
  },
  'ledger.anchor_removed': {
    label: 'Ledger anchor removed',
    sentence: 'removed a ledger anchor[, {data.kind}][ at {data.host}]',
    mailsOwners: true,
    ocsf: entity('Update', sensitive),
  },
  'ledger.anchor_requested': {
    label: 'Checkpoint published manually',
    sentence: 'published a ledger checkpoint[ to {data.kind}][ at {data.host}]',
    ocsf: entity('Other'),
  },
  'ledger.anchor_address_requested': {
    label: 'Confirmation of an anchor address requested',
    sentence: 'sent a confirmation request to an address that is to receive ledger checkpoints',
    ocsf: entity('Other'),
  },
  'ledger.anchor_address_confirmed': {
    label: 'Anchor address confirmed',
    sentence: 'agreed to receive ledger checkpoints',
    ocsf: entity('Update', sensitive),
  },
  'ledger.key_rotated': {
    label: 'Ledger signing key rotated',
    sentence: 'rotated the signing key of the ledger[, {after.key} replaces {before.key}]',
    ocsf: entity('Update', sensitive),
  },
} as const satisfies Record<string, AuditActionDefinition>;
