import { scannerCard } from '../card.ts';

export const manifest = scannerCard('checkmarx', 'Findings of SAST, SCA, IaC, container and secret scans.');
