import type { AuditSample } from '@sightline/contract/compliance/portal-samples.ts';
import { utcTimeText } from './portalLabels.ts';
import { methodLabels, methodTexts } from './sampleLabels.ts';

/** How a sample was selected. */
export const sampleFacts = ({ snapshot, control, method, seed, reason, population, size, createdAt }: AuditSample) =>
  [
    ['Control', `${control}, ${snapshot.name}`],
    ['Method', `${methodLabels[method]}: ${methodTexts[method]}`],
    ['Items', `${size} of ${population}`],
    ...(seed === null ? [] : ([['Seed', <code key="seed">{seed}</code>]] as const)),
    ...(reason === '' ? [] : ([['Reason', reason]] as const)),
    ['Selected', `${utcTimeText(createdAt)}, recorded in the ledger`],
  ] as const;
