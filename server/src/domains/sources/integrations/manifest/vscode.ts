import { editorExtension } from '../extensions.ts';

export const manifest = editorExtension('vscode', 'Visual Studio Code');
