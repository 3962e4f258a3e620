import { scannerCard } from '../card.ts';

export const manifest = scannerCard('snyk', 'Issues of Snyk Open Source, Code, Container and Infrastructure as Code.');
