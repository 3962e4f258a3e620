import { scannerName } from '@sightline/contract/core/scan-sources.ts';
import { notFound, useParams } from '@tanstack/react-router';
import { ScannerPage } from './ScannerPage.tsx';

/** The page of the scanner in the path. */
export function ScannerRoute() {
  const { scanner } = useParams({ strict: false }) as { scanner?: string };
  const known = scannerName.safeParse(scanner);
  if (!known.success) throw notFound();
  return <ScannerPage key={known.data} scanner={known.data} />;
}
