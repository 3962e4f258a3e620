import { definitions } from '../controls/catalog.ts';
import type { ControlDefinition } from '../controls/control.ts';

export const oscalVersion = '1.2.1';
export const ns = 'https://sightline.dev/ns/oscal';

export const definitionOf = (id: string): ControlDefinition | undefined => definitions.find((one) => one.id === id);

/** One trimmed line, as OSCAL requires for titles. */
export const line = (text: string): string => text.replace(/\s+/gu, ' ').trim();
