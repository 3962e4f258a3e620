import { useImportPanel } from '#lib/imports.ts';
import { ImportPanel } from '#ui/ImportPanel.tsx';

/** Shows the progress of repository imports, and nothing after the last. Change notices update it. */
export const RunningImports = () => <ImportPanel {...useImportPanel().panel} />;
