import { scannerCard } from '../card.ts';

export const manifest = scannerCard('semgrep', 'Findings of Semgrep Code and Semgrep Supply Chain.');
