import { scannerCard } from '../card.ts';

export const manifest = scannerCard(
  'sonarqube',
  'Vulnerabilities and security hotspots of SonarQube Server and Cloud.',
);
