import { scannerUi } from '../scanner/scannerUi.ts';

export const integration = scannerUi('sonarqube');
