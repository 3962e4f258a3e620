import { useImportPanel } from '#lib/imports.ts';
import { ImportPanel } from '#ui/ImportPanel.tsx';

/** How far the histories of repositories are imported; nothing once all are. News keeps it moving. */
export const Imports = () => <ImportPanel {...useImportPanel().panel} />;
