import { editorExtension } from '../card.ts';

export const manifest = editorExtension('vscode', 'Visual Studio Code');
