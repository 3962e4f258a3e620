import type {
  createEvidenceDestination,
  EvidenceDestination,
  EvidenceDestinationKind,
} from '@sightline/contract/compliance/evidence-destinations.ts';
import { type ControlId, controlIds } from '@sightline/contract/core/control-ids.ts';
import type { z } from 'zod';

export type EvidenceDestinationDraft = z.input<typeof createEvidenceDestination.body>;

/** The form values of every kind, so that a change of the kind loses none. */
export interface EvidenceDestinationForm {
  kind: EvidenceDestinationKind;
  name: string;
  /** URLs by kind. */
  urls: Record<EvidenceDestinationKind, string>;
  secret: string;
  clientId: string;
  documentId: string;
  submit: boolean;
  workspaceId: string;
  ownerId: string;
  controlIds: string;
  productType: string;
  product: string;
  engagement: string;
  externalControl: string;
  controls: readonly ControlId[];
}

export const emptyDraft: EvidenceDestinationForm = {
  kind: 'vanta',
  name: '',
  urls: {
    vanta: 'https://api.vanta.com',
    drata: 'https://public-api.drata.com',
    defectdojo: '',
    gitlab: 'https://gitlab.com',
    webhook: '',
  },
  secret: '',
  clientId: '',
  documentId: '',
  submit: false,
  workspaceId: '',
  ownerId: '',
  controlIds: '',
  productType: '',
  product: '',
  engagement: '',
  externalControl: '',
  controls: [],
};

/** Returns the form values of an existing destination. */
export function draftOf({ kind, name, settings }: EvidenceDestination): EvidenceDestinationForm {
  const text = (key: string): string => {
    const value = settings[key];
    return Array.isArray(value) ? value.join(', ') : value == null || typeof value === 'boolean' ? '' : String(value);
  };
  const named = settings.controls;
  return {
    ...emptyDraft,
    kind,
    name,
    urls: { ...emptyDraft.urls, [kind]: text('url') },
    clientId: text('clientId'),
    documentId: text('documentId'),
    submit: settings.submit === true,
    workspaceId: text('workspaceId'),
    ownerId: text('ownerId'),
    controlIds: text('controlIds'),
    productType: text('productType'),
    product: text('product'),
    engagement: text('engagement'),
    externalControl: text('externalControl'),
    controls: Array.isArray(named) ? controlIds.filter((id) => named.some((one) => one === id)) : [],
  };
}

const isNumber = (typed: string): boolean => /^[1-9]\d{0,14}$/.test(typed.trim());
const numbersOf = (typed: string): string[] => typed.split(/[\s,;]+/).filter((one) => one !== '');

/** Whether the form is complete. `keeps`: the stored secret stays if the field is empty. */
export function isReady(draft: EvidenceDestinationForm, keeps: boolean): boolean {
  const { kind, name, secret } = draft;
  if (name.trim() === '' || draft.urls[kind].trim() === '') return false;
  if (kind !== 'webhook' && !keeps && secret.trim() === '') return false;
  switch (kind) {
    case 'vanta':
      return draft.clientId.trim() !== '' && draft.documentId.trim() !== '';
    case 'drata':
      return (
        isNumber(draft.workspaceId) &&
        (draft.ownerId.trim() === '' || isNumber(draft.ownerId)) &&
        numbersOf(draft.controlIds).every(isNumber)
      );
    case 'defectdojo':
      return [draft.productType, draft.product, draft.engagement].every((one) => one.trim() !== '');
    case 'gitlab':
      return isNumber(draft.externalControl) && draft.controls.length > 0;
    case 'webhook':
      return true;
  }
}

/** Converts the form values to the request body, without fields of other kinds. */
export function destinationBodyOf(draft: EvidenceDestinationForm): EvidenceDestinationDraft {
  const { kind } = draft;
  const url = draft.urls[kind].trim();
  const common = { name: draft.name.trim(), secret: draft.secret.trim() };
  switch (kind) {
    case 'vanta': {
      const { clientId, documentId, submit } = draft;
      return { ...common, kind, settings: { url, clientId: clientId.trim(), documentId: documentId.trim(), submit } };
    }
    case 'drata': {
      const ownerId = draft.ownerId.trim() === '' ? null : Number(draft.ownerId);
      const ids = numbersOf(draft.controlIds).map(Number);
      return { ...common, kind, settings: { url, workspaceId: Number(draft.workspaceId), ownerId, controlIds: ids } };
    }
    case 'defectdojo': {
      const { productType, product, engagement } = draft;
      return { ...common, kind, settings: { url, productType, product, engagement } };
    }
    case 'gitlab': {
      const { externalControl, controls } = draft;
      return { ...common, kind, settings: { url, externalControl: Number(externalControl), controls: [...controls] } };
    }
    case 'webhook':
      return { name: common.name, kind, settings: { url } };
  }
}
