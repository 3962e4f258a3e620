import { scannerCard } from '../card.ts';

export const manifest = scannerCard(
  'dependency-track',
  'Vulnerable components of the projects of OWASP Dependency-Track.',
);
